import { useSyncExternalStore } from "react";
import { lastSeenAge } from "@parley/core/model/contacts/last-seen";
import { timeFormat } from "@parley/core/model/format";
import type { Translate } from "./i18n.ts";
import type { Locale } from "./locale.ts";

type Format = "time" | "monthDay" | "date" | "monthDayOfWeek" | "dateOfWeek" | "month" | "exact";

const OPTIONS: Readonly<Record<Format, Intl.DateTimeFormatOptions>> = {
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  monthDay: { month: "2-digit", day: "2-digit" },
  date: { year: "numeric", month: "2-digit", day: "2-digit" },
  monthDayOfWeek: { month: "long", day: "numeric", weekday: "short" },
  dateOfWeek: { year: "numeric", month: "long", day: "numeric", weekday: "short" },
  month: { year: "numeric", month: "long" },
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

/** In English a month is a word, because people of different countries read 03/04 differently. */
const ENGLISH: Partial<typeof OPTIONS> = {
  monthDay: { month: "short", day: "numeric" },
  date: { year: "numeric", month: "short", day: "numeric" },
  monthDayOfWeek: { month: "short", day: "numeric", weekday: "short" },
  dateOfWeek: { year: "numeric", month: "short", day: "numeric", weekday: "short" },
};

/** Creating a formatter costs 100 times as much as using it, so they are reused. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(kind: Format, locale: Locale, time: number): string {
  const key = `${kind} ${locale}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    const options = (locale === "en-US" ? ENGLISH[kind] : undefined) ?? OPTIONS[kind];
    formatter = new Intl.DateTimeFormat(locale, options);
    formatters.set(key, formatter);
  }
  return formatter.format(time);
}

/** The reader's offset from UTC at that time, in minutes east. */
function offsetAt(time: number): number {
  return -new Date(time).getTimezoneOffset();
}

/** 14:05 */
export function clockTime(time: number, locale: Locale): string {
  return format("time", locale, time);
}

/** Time of a chat list row: today the time, then "Yesterday", this year month and day, before that the full date (spec §9). */
export function listTime(time: number, now: number, locale: Locale, t: Translate): string {
  const kind = timeFormat(time, now, offsetAt(time));
  if (kind === "yesterday") return t("time.yesterday");
  return format(kind, locale, time);
}

/** Name of a day in a conversation: "Today", "Yesterday", then the day of the week and the date, with the year if it is not this one. */
export function dayName(time: number, now: number, locale: Locale, t: Translate): string {
  const kind = timeFormat(time, now, offsetAt(time));
  if (kind === "time") return t("time.today");
  if (kind === "yesterday") return t("time.yesterday");
  return format(kind === "monthDay" ? "monthDayOfWeek" : "dateOfWeek", locale, time);
}

/** Time of a tip in a conversation: the time of day, before today with the name of the day. */
export function tipTime(time: number, now: number, locale: Locale, t: Translate): string {
  const clock = clockTime(time, locale);
  const isToday = timeFormat(time, now, offsetAt(time)) === "time";
  return isToday ? clock : `${dayName(time, now, locale, t)} ${clock}`;
}

/** A time to come: today the time of day, later with the day of the week and the date. */
export function dueTime(time: number, now: number, locale: Locale): string {
  const clock = clockTime(time, locale);
  const kind = timeFormat(now, time, offsetAt(time));
  if (kind === "time") return clock;
  return `${format(kind === "date" ? "dateOfWeek" : "monthDayOfWeek", locale, time)} ${clock}`;
}

/** When somebody was last seen: just now, minutes ago, the time today, yesterday, the date, or long ago. */
export function lastSeenText(time: number, now: number, locale: Locale, t: Translate): string {
  const age = lastSeenAge(time, now, offsetAt(time));
  switch (age.kind) {
    case "minutes":
      return t("presence.seen.minutes", { count: age.count });
    case "today":
      return t("presence.seen.today", { time: clockTime(time, locale) });
    case "date":
      return t("presence.seen.date", { date: listTime(time, now, locale, t) });
    default:
      return t(`presence.seen.${age.kind}`);
  }
}

/** Name of a month with its year. */
export function monthName(time: number, locale: Locale): string {
  return format("month", locale, time);
}

/** The full date with weekday and time, for tooltips. */
export function fullTime(time: number, locale: Locale): string {
  return format("exact", locale, time);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function today(): string {
  return new Date().toDateString();
}

/** Starts the timer for the reader's next midnight. */
function startMidnightTimer(): void {
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  clearTimeout(timer);
  timer = setTimeout(handlePossibleDayChange, midnight.getTime() - now.getTime());
}

function handlePossibleDayChange(): void {
  startMidnightTimer();
  for (const listener of listeners) listener();
}

/** Calls the listener when a new day may have begun. Returns a function that stops it. */
export function watchToday(listener: () => void): () => void {
  if (listeners.size === 0) {
    startMidnightTimer();
    // While a page is suspended, its timer is suspended too.
    document.addEventListener("visibilitychange", handlePossibleDayChange);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", handlePossibleDayChange);
  };
}

/** The reader's current day. Components that show times relative to today render again at midnight: "14:05" becomes "Yesterday". */
export function useToday(): string {
  return useSyncExternalStore(watchToday, today);
}

/** How long a call lasts: `04:26`, with the hours before it if there are any. */
export function callTime(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3_600);
  return [...(hours > 0 ? [String(hours)] : []), ...parts].join(":");
}
