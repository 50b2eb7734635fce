/** A format in which voice is recorded. */
export interface VoiceFormat {
  /** With its codec, for the recorder. */
  readonly recorderType: string;
  /** Without it, for the message. */
  readonly mimeType: string;
  readonly extension: string;
}

/** Opus first: it needs the fewest bytes. Safari records AAC. */
const FORMATS: readonly VoiceFormat[] = [
  { recorderType: "audio/webm;codecs=opus", mimeType: "audio/webm", extension: "webm" },
  { recorderType: "audio/ogg;codecs=opus", mimeType: "audio/ogg", extension: "ogg" },
  { recorderType: "audio/mp4", mimeType: "audio/mp4", extension: "m4a" },
];

/** The first format that this browser records, or null. */
export function voiceFormat(isSupported: (recorderType: string) => boolean): VoiceFormat | null {
  return FORMATS.find(({ recorderType }) => isSupported(recorderType)) ?? null;
}

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
