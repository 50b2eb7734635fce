const VALUE_MAX = 200;

/** The first place in which two JSON values differ, with its path and what stands there; undefined when they are alike. */
export function firstDifference(expected: unknown, found: unknown, path = ""): string | undefined {
  if (isParent(expected) && isParent(found) && Array.isArray(expected) === Array.isArray(found)) {
    const [wanted, shown] = [new Map(Object.entries(expected)), new Map(Object.entries(found))];
    for (const name of new Set([...wanted.keys(), ...shown.keys()])) {
      const place = path === "" ? name : `${path}.${name}`;
      const difference = firstDifference(wanted.get(name), shown.get(name), place);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  const [wanted, shown] = [written(expected), written(found)];
  return wanted === shown ? undefined : `${path || "all"} is ${shown}, not ${wanted}`;
}

function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function written(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, VALUE_MAX);
}
