/** The whole number that somebody has typed; undefined if it is none, or not in the range. */
export function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^\s*\d+\s*$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}
