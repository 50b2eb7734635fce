/**
 * `names` of a tip's parameters: names joined by commas. A name may hold a comma itself: there a backslash stands before it, and before a
 * backslash as well.
 */

export function joinNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\,]/g, "\\$&")).join(",");
}

/** What was joined. */
export function splitNames(joined: string): string[] {
  const names = joined.match(/(?:\\[\\,]|[^,])+/g) ?? [];
  return names.map((name) => name.replace(/\\([\\,])/g, "$1"));
}
