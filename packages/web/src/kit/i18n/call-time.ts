/** How long a call lasts: `04:26`, with the hours before it if there are any. */
export function callTime(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3_600);
  return [...(hours > 0 ? [String(hours)] : []), ...parts].join(":");
}
