import { readDay } from "./day.ts";

/** Days are YYYY-MM-DD, months YYYY-MM: no clock is put forward or back between them. */

const DAY_MS = 86_400_000;
const MONTHS = 12;

function utc(day: string): Date {
  return new Date(`${day}T00:00Z`);
}

function written(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function addDays(day: string, count: number): string {
  return written(new Date(utc(day).getTime() + count * DAY_MS));
}

/** The same day of another month, or that month's last one. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const months = year * MONTHS + month - 1 + count;
  const first = `${String(Math.floor(months / MONTHS)).padStart(4, "0")}-${String((months % MONTHS) + 1).padStart(2, "0")}`;
  for (let wanted = date; ; wanted--) {
    const found = readDay(`${first}-${wanted}`);
    if (found !== null) return found;
  }
}

export function daysOf(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; monthOf(day) === month; day = addDays(day, 1)) days.push(day);
  return days;
}

/** 0 is the day that weeks begin with; `firstWeekday` 0 is Sunday. */
function placeInWeek(day: string, firstWeekday: number): number {
  return (utc(day).getUTCDay() - firstWeekday + 7) % 7;
}

/** The days of a month by weeks; null where a week belongs to the months beside it. */
export function weeksOf(month: string, firstWeekday: number): (string | null)[][] {
  const days = daysOf(month);
  const blanks = Array.from({ length: placeInWeek(`${month}-01`, firstWeekday) }, () => null);
  const cells: (string | null)[] = [...blanks, ...days];
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** Where a key leads from a day: arrows, Home and End within the week, Page keys by months, with Shift by years. null: the key does nothing. */
export function stepDay(day: string, key: string, isShift: boolean, firstWeekday: number): string | null {
  const place = placeInWeek(day, firstWeekday);
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
      return addDays(day, -place);
    case "End":
      return addDays(day, 6 - place);
    case "PageUp":
      return addMonths(day, isShift ? -MONTHS : -1);
    case "PageDown":
      return addMonths(day, isShift ? MONTHS : 1);
    default:
      return null;
  }
}

/** The nearest day that is no earlier and no later than these. */
export function withinDays(day: string, min: string, max: string): string {
  if (day < min) return min;
  return day > max ? max : day;
}
