const VALUE_MAX = 200;

/** The first difference between two JSON values, with its path and both values; undefined when they are equal. */
export function firstDifference(expected: unknown, found: unknown, path = ""): string | undefined {
  if (expected === found) return undefined;
  if (isParent(expected) && isParent(found) && Array.isArray(expected) === Array.isArray(found)) {
    const [wanted, shown] = [new Map(Object.entries(expected)), new Map(Object.entries(found))];
    for (const name of new Set([...wanted.keys(), ...shown.keys()])) {
      const childPath = path === "" ? name : `${path}.${name}`;
      const difference = firstDifference(wanted.get(name), shown.get(name), childPath);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  const [wanted, shown] = [toText(expected), toText(found)];
  return wanted === shown ? undefined : `${path || "all"} is ${shown}, not ${wanted}`;
}

function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toText(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, VALUE_MAX);
}
