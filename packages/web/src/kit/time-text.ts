import type { Text } from "./i18n.ts";
import type { Locale } from "./locale.ts";

type Format = "time" | "monthDay" | "full" | "exact";

const OPTIONS: Readonly<Record<Format, Intl.DateTimeFormatOptions>> = {
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  monthDay: { month: "2-digit", day: "2-digit" },
  full: { year: "numeric", month: "2-digit", day: "2-digit" },
  exact: {
    year: "numeric",
    month: "long",
    day: "numeric",
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  },
};

/** Making a formatter costs 100 times a use of it. */
const made = new Map<string, Intl.DateTimeFormat>();

function format(kind: Format, locale: Locale, time: number): string {
  const key = `${kind} ${locale}`;
  let formatter = made.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, OPTIONS[kind]);
    made.set(key, formatter);
  }
  return formatter.format(time);
}

/** Days between the calendar days of two times, in the reader's time zone. */
function daysApart(time: number, now: number): number {
  const [a, b] = [new Date(time), new Date(now)];
  return Math.round(
    (Date.UTC(b.getFullYear(), b.getMonth(), b.getDate()) -
      Date.UTC(a.getFullYear(), a.getMonth(), a.getDate())) /
      86_400_000,
  );
}

/** 14:05 */
export function clockTime(time: number, locale: Locale): string {
  return format("time", locale, time);
}

/** Of a chat list row: today the time, then "Yesterday", this year month and day, before that the full date (spec §9). */
export function listTime(time: number, now: number, locale: Locale, t: Text): string {
  const days = daysApart(time, now);
  if (days <= 0) return clockTime(time, locale);
  return dayTime(time, now, locale, t);
}

/** Of a tip in a conversation: the same days, each with its time. */
export function tipTime(time: number, now: number, locale: Locale, t: Text): string {
  const clock = clockTime(time, locale);
  return daysApart(time, now) <= 0 ? clock : `${dayTime(time, now, locale, t)} ${clock}`;
}

/** Of a day: today, yesterday, month and day, full date. */
export function dayTime(time: number, now: number, locale: Locale, t: Text): string {
  const days = daysApart(time, now);
  if (days <= 0) return t("time.today");
  if (days === 1) return t("time.yesterday");
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return format(isThisYear ? "monthDay" : "full", locale, time);
}

/** The whole date with weekday and time, for hovers. */
export function fullTime(time: number, locale: Locale): string {
  return format("exact", locale, time);
}
