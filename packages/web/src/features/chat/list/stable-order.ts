/**
 * Order of rows that must not move under the pointer: what was shown stays where it is, what went away is left out and what is
 * new stands below, until nothing is held any more.
 */
export function stableOrder<T>(shown: readonly T[], wanted: readonly T[], isHeld: boolean): readonly T[] {
  if (!isHeld || shown === wanted) return wanted;
  const exists = new Set(wanted);
  const known = new Set(shown);
  const order = shown.filter((key) => exists.has(key)).concat(wanted.filter((key) => !known.has(key)));
  return order.length === shown.length && order.every((key, index) => key === shown[index]) ? shown : order;
}
