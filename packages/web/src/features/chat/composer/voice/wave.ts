/** How many bars a recording has (`audioContent.wave`). */
const BARS_MIN = 24;
const BARS_MAX = 64;
/** A quieter sound is drawn as silence, dB below full scale. */
const FLOOR_DB = -60;

/** How loud a block of samples (-1 to 1) is: 0 for silence to 1 for the loudest. The scale is that of the ear, not of the signal. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length));
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DB));
}

/**
 * The bars of a recording as hexadecimal digits: 24 for a short one, one more each second, at most 64. Each is the loudest level of its
 * part, so that a short word in a pause is seen.
 */
export function waveOf(levels: readonly number[], seconds: number): string {
  const count = Math.min(BARS_MAX, BARS_MIN + Math.floor(seconds));
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / count));
    return Math.round(15 * Math.max(0, ...levels.slice(from, to))).toString(16);
  }).join("");
}
