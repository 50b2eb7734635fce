/** What the demo data sends beside texts: files of the folder `media`, and a voice message that is made by code, because it is large. */
import { readFile } from "node:fs/promises";
import { writeWav } from "./wav.ts";

/** Reads a file of the folder `media`. The video of a paper boat and its cover, and the landscapes, were drawn for it. */
export function readMedia(name: string): Promise<Buffer> {
  return readFile(new URL(`media/${name}`, import.meta.url));
}

/** Seconds of the demo video. */
export const VIDEO_SECONDS = 6;

/** A sound with its length in seconds and its bars (`audioContent.wave`). */
export interface DemoVoice {
  data: Buffer;
  duration: number;
  wave: string;
}

const SAMPLE_RATE = 16_000;
const SYLLABLES_PER_SECOND = 3.6;
const WAVE_BARS = 40;
const BAR_MAX = 15;

/** Makes a voice message: a hummed melody in syllables, as WAV. */
export function hum(duration: number): DemoVoice {
  const samples = Float64Array.from({ length: duration * SAMPLE_RATE }, (_, n) => sampleAt(n / SAMPLE_RATE));
  const data = writeWav(samples, SAMPLE_RATE);
  return { data, duration, wave: barsOf(samples) };
}

/** A sample from -1 to 1 at a time in seconds. */
function sampleAt(time: number): number {
  const syllable = Math.floor(time * SYLLABLES_PER_SECOND);
  const within = (time * SYLLABLES_PER_SECOND) % 1;
  // A pause after every seventh syllable, as between words.
  const loudness =
    syllable % 7 === 6 ? 0 : Math.sin(within * Math.PI) ** 2 * (0.45 + 0.4 * Math.sin(syllable * 1.7) ** 2);
  const pitch = 150 + 35 * Math.sin(syllable * 2.3) + 4 * Math.sin(time * 31);
  const phase = 2 * Math.PI * pitch * time;
  return (loudness * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase))) / 1.75;
}

function barsOf(samples: Float64Array): string {
  const perBar = samples.length / WAVE_BARS;
  const levels = Array.from({ length: WAVE_BARS }, (_, bar) => {
    const part = samples.subarray(Math.floor(bar * perBar), Math.floor((bar + 1) * perBar));
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
  const loudest = Math.max(...levels);
  return levels.map((level) => Math.round((level / loudest) * BAR_MAX).toString(16)).join("");
}
