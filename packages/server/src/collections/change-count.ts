/** Adds to the count of a key. A count of 0 is not kept. */
export function changeCount<Key>(counts: Map<Key, number>, key: Key, delta: number): void {
  const count = (counts.get(key) ?? 0) + delta;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
