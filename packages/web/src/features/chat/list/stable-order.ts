/**
 * The order of rows that must not move under the pointer. While frozen, shown rows keep their order, removed rows are left out and new
 * rows are appended.
 */
export function stableOrder<T>(shown: readonly T[], wanted: readonly T[], isFrozen: boolean): readonly T[] {
  if (!isFrozen || shown === wanted) return wanted;
  const exists = new Set(wanted);
  const known = new Set(shown);
  const order = shown.filter((key) => exists.has(key)).concat(wanted.filter((key) => !known.has(key)));
  return order.length === shown.length && order.every((key, index) => key === shown[index]) ? shown : order;
}
