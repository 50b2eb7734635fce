/** Whether two values are equal that consist of null, primitives, lists and plain objects; the order of fields does not count. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isParent(a) || !isParent(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameData(a[key], b[key]))
  );
}

function isParent(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
