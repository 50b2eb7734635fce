/** The user names in a text, as people write lists: with spaces, commas or lines between. Each once. */
export function userNamesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;，、；]+/).filter((name) => name !== ""))];
}
