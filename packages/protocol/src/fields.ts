import { BIRTHDAY_FIRST_YEAR } from "./limits.ts";

/** Letters and digits only, not empty (spec §5). The length is checked separately. */
export function isUserName(value: string): boolean {
  return /^[A-Za-z0-9]+$/.test(value);
}

/** 11 digits, 1 then 3 to 9 (spec §5). */
export function isMobileNumber(value: string): boolean {
  return /^1[3-9]\d{9}$/.test(value);
}

/** One @ with a name before it and a dotted host after it, no blanks. */
export function isEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
}

/** Number of days of a month; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** YYYY-MM-DD, a real day, from 1950 to the current year (spec §5). */
export function isBirthday(value: string, currentYear: number): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < BIRTHDAY_FIRST_YEAR || year > currentYear || month < 1 || month > 12) return false;
  return day >= 1 && day <= daysInMonth(year, month);
}
