/** Adds to the count of a key. A count of 0 is not kept. */
export function changeCount<Key>(counts: Map<Key, number>, key: Key, delta: number): void {
  const count = (counts.get(key) ?? 0) + delta;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Makes room for one more entry in a map of at most `max`: the entry that was set the longest time ago goes. */
export function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  if (map.size < max) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
