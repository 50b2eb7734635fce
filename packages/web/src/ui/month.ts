/** Calculations with days (YYYY-MM-DD) and months (YYYY-MM). They use UTC, so daylight saving time does not matter. */

const DAY_MS = 86_400_000;

/** The beginning of a day in UTC. */
export function utcDate(day: string): Date {
  return new Date(`${day}T00:00Z`);
}

function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The month of a day. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The day that is `count` days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return formatDay(new Date(utcDate(day).getTime() + count * DAY_MS));
}

/** All days of a month. */
export function daysOf(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; monthOf(day) === month; day = addDays(day, 1)) days.push(day);
  return days;
}
