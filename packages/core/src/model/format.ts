import { dayOf } from "./chats/timeline.ts";

/**
 * The four formats of a time (spec §9): the time of day today, "Yesterday", month and day within this year, else the full date.
 * A future time (from another clock) counts as today.
 */
export type TimeFormat = "time" | "yesterday" | "monthDay" | "date";

/** The format to show a time in. `utcOffsetMinutes`: minutes east of UTC at that moment. */
export function timeFormat(time: number, now: number, utcOffsetMinutes: number): TimeFormat {
  const age = dayOf(now, utcOffsetMinutes) - dayOf(time, utcOffsetMinutes);
  if (age <= 0) return "time";
  if (age === 1) return "yesterday";
  return yearOf(time, utcOffsetMinutes) === yearOf(now, utcOffsetMinutes) ? "monthDay" : "date";
}

/** Year in the proleptic Gregorian calendar, computed from the day number without `Date`. */
function yearOf(time: number, utcOffsetMinutes: number): number {
  // Days since 0000-03-01; the calendar repeats every 400 years (an era).
  const days = dayOf(time, utcOffsetMinutes) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Years start in March here: January and February, from day 306 on, belong to the next civil year.
  return era * 400 + yearOfEra + (dayOfYear >= 306 ? 1 : 0);
}

const SIDEBAR_MIN_PX = 200;
const SIDEBAR_MAX_PX = 400;
const NARROW_VIEWPORT_PX = 700;
const NARROW_SIDEBAR_PX = 180;
const TINY_VIEWPORT_PX = 550;
const TINY_SIDEBAR_PX = 150;

/** Limits the width of the sidebar to 200 to 400 px, to 180 px below 700 px of viewport and to 150 px below 550 px (spec §9). */
export function clampSidebar(width: number, viewport: number): number {
  const clamped = Math.min(SIDEBAR_MAX_PX, Math.max(SIDEBAR_MIN_PX, width));
  if (viewport < TINY_VIEWPORT_PX) return Math.min(clamped, TINY_SIDEBAR_PX);
  if (viewport < NARROW_VIEWPORT_PX) return Math.min(clamped, NARROW_SIDEBAR_PX);
  return clamped;
}

/** The parts of the window title; `name` null: the product's title is shown instead (spec §2). */
export interface TitleParts {
  readonly unread: number;
  readonly name: string | null;
}

/** The window title for this person and unread count. */
export function titleParts(me: { nickName: string; userName: string } | null, unread: number): TitleParts {
  const name = me === null ? "" : me.nickName || me.userName;
  return { unread: Math.max(0, unread), name: name === "" ? null : name };
}

const SIZE_UNITS = ["B", "KB", "MB", "GB"] as const;

/** The size of a file in B, KB, MB or GB, of 1,024 each, with two decimals (spec §9). Negative and broken sizes count as 0. */
export function fileSize(bytes: number): string {
  let size = Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
  let unit = 0;
  // What rounds to 1,024 of a unit is 1 of the next.
  while (unit < SIZE_UNITS.length - 1 && Number(size.toFixed(2)) >= 1_024) {
    size /= 1_024;
    unit += 1;
  }
  return `${size.toFixed(2)} ${SIZE_UNITS[unit]}`;
}

/** A length of time as minutes and seconds, with hours if there are any: 0:07, 12:48, 1:02:03. Rounded to the nearest second. */
export function playTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : 0;
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, "0");
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`;
}
