/** Degrees as people type them: a point or a comma, a sign; null when they are none or lie outside. */
export function parseDegrees(text: string, max: 90 | 180): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^[+-]?\d{1,3}(\.\d+)?$/.test(trimmed)) return null;
  const degrees = Number(trimmed);
  return Math.abs(degrees) <= max ? degrees : null;
}
