/** The path one level up from a page that covers its list on a small screen, or null for the lists themselves. */
export function parentPath(path: string): string | null {
  const [, home, area, ...rest] = path.split("/");
  if (home !== "home" || area === undefined || rest.length === 0) return null;
  return ["", home, area, ...rest.slice(0, -1)].join("/");
}
