/** Parses a typed day, year first, and returns it as YYYY-MM-DD; null if there is no such day. */
export function readDay(text: string): string | null {
  const trimmed = text.trim();
  const parts =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?$/.exec(trimmed) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(trimmed);
  if (parts === null) return null;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  const isReal = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isReal ? isoDay(date) : null;
}

/** The day of a date as YYYY-MM-DD, in the reader's time zone. */
export function isoDay(date: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Start of a day in the reader's time zone, in epoch ms. `day` is a result of `readDay`. */
export function startOfDay(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}

/** The last millisecond of the day that starts then, in epoch ms. A day on which the clocks change is not 24 hours long. */
export function endOfDay(start: number): number {
  const date = new Date(start);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - 1;
}
