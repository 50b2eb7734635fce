import { readDay } from "./day.ts";
import { addDays, daysOf, utcDate } from "./month.ts";

/** How a calendar shows a month, and how keys move in it. Apart from `month.ts`, because the first chat needs none of it. */

const MONTHS_PER_YEAR = 12;

/** The same day of another month, or the last day of that month. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const months = year * MONTHS_PER_YEAR + month - 1 + count;
  const targetMonth = `${String(Math.floor(months / MONTHS_PER_YEAR)).padStart(4, "0")}-${String((months % MONTHS_PER_YEAR) + 1).padStart(2, "0")}`;
  for (let dayOfMonth = date; ; dayOfMonth--) {
    const found = readDay(`${targetMonth}-${dayOfMonth}`);
    if (found !== null) return found;
  }
}

/** Index of a day in its week, which begins with `firstWeekday` (0 is Sunday). */
function dayIndexInWeek(day: string, firstWeekday: number): number {
  return (utcDate(day).getUTCDay() - firstWeekday + 7) % 7;
}

/** The days of a month by weeks; null for days of the previous or the next month. */
export function weeksOf(month: string, firstWeekday: number): (string | null)[][] {
  const days = daysOf(month);
  const blanks = Array.from({ length: dayIndexInWeek(`${month}-01`, firstWeekday) }, () => null);
  const cells: (string | null)[] = [...blanks, ...days];
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The day that a key moves to: arrows, Home and End within the week, Page keys by months, with Shift by years; null for any other key. */
export function stepDay(day: string, key: string, isShift: boolean, firstWeekday: number): string | null {
  const index = dayIndexInWeek(day, firstWeekday);
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -index);
    case "End":
      return addDays(day, 6 - index);
    case "PageUp":
      return addMonths(day, isShift ? -MONTHS_PER_YEAR : -1);
    case "PageDown":
      return addMonths(day, isShift ? MONTHS_PER_YEAR : 1);
    default:
      return null;
  }
}

/** The nearest day between `min` and `max`. */
export function withinDays(day: string, min: string, max: string): string {
  if (day < min) return min;
  return day > max ? max : day;
}
