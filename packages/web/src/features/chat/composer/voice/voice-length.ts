/** A recording ends by itself after this time, seconds. */
export const VOICE_MAX_S = 300;
/** A shorter recording is not sent, seconds. */
const VOICE_MIN_S = 1;

/** Whether a recording of this many seconds is sent. */
export function isLongEnough(seconds: number): boolean {
  return seconds >= VOICE_MIN_S;
}

/** The newest levels in pairs, of which the louder one counts, and silence before them: always `count`, so that the bars do not move. */
export function shownLevels(levels: readonly number[], count: number): readonly number[] {
  const first = Math.ceil(levels.length / 2) - count;
  return Array.from({ length: count }, (_, index) => {
    const pair = (first + index) * 2;
    return pair < 0 ? 0 : Math.max(levels[pair] ?? 0, levels[pair + 1] ?? 0);
  });
}

/** The name of the file of a recording, e.g. `voice-20260612-093005.webm`, in local time. */
export function voiceFileName(now: Date, extension: string): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `voice-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.${extension}`;
}
