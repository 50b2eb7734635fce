/** A day that somebody wrote, year first, as YYYY-MM-DD; null: there is no such day. */
export function readDay(text: string): string | null {
  const written = text.trim();
  const parts =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?$/.exec(written) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(written);
  if (parts === null) return null;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  const isReal = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isReal ? isoDay(date) : null;
}

/** YYYY-MM-DD, where the reader is. */
export function isoDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first moment of a day that `readDay` gave. */
export function startOfDay(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}
