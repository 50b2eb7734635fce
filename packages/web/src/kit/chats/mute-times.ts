/** For how long a chat can be muted, in the order of the menu. */
export const MUTE_TIMES = ["hour", "hours", "tomorrow", "week"] as const;
export type MuteTime = (typeof MUTE_TIMES)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The hour of the next day at which people are at work again. */
const MORNING_HOUR = 9;

/** When a chat that is muted now is loud again, both in epoch ms of this device. */
export function muteEnd(time: MuteTime, now: number): number {
  if (time === "hour") return now + HOUR_MS;
  if (time === "hours") return now + 8 * HOUR_MS;
  if (time === "week") return now + 7 * DAY_MS;
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR).getTime();
}
