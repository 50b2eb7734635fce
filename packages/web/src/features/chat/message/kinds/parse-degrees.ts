/** Parses typed degrees, with a decimal point or comma and an optional sign; null if invalid or out of range. */
export function parseDegrees(text: string, max: 90 | 180): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^[+-]?\d{1,3}(\.\d+)?$/.test(trimmed)) return null;
  const degrees = Number(trimmed);
  return Math.abs(degrees) <= max ? degrees : null;
}
