/**
 * The parameter `names` of a tip: names joined by commas. Commas and backslashes inside a name are escaped with a backslash.
 */

/** Joins names. */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\,]/g, "\\$&")).join(",");
}

/** Splits joined names. */
export function splitNames(joined: string): string[] {
  const names = joined.match(/(?:\\[\\,]|[^,])+/g) ?? [];
  return names.map((name) => name.replace(/\\([\\,])/g, "$1"));
}
