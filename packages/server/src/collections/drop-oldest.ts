/** Makes room for one more entry in a map of at most `max`: the entry that was set the longest time ago goes. */
export function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  if (map.size < max) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
