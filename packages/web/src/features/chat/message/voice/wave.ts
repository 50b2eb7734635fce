/** The number of bars of a voice message without a recorded wave (interface §6). */
const FLAT_BARS = 24;
const FLAT_LEVEL = 0.2;
const LEVEL_MIN = 0.12;

/** The heights of the bars of a voice message, 0 to 1, from its hexadecimal digits; flat if it has none. */
export function barsOf(wave: string | null): readonly number[] {
  if (wave === null || !/^[\da-f]{8,}$/i.test(wave)) return Array<number>(FLAT_BARS).fill(FLAT_LEVEL);
  return Array.from(wave, (digit) => LEVEL_MIN + (parseInt(digit, 16) / 15) * (1 - LEVEL_MIN));
}
