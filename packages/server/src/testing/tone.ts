import { writeWav } from "../cli/seed/wav.ts";

const SAMPLE_RATE = 8_000;

/** A WAV file with a tone of 440 Hz. */
export function createTone(seconds: number): Buffer {
  const samples = Array.from(
    { length: Math.round(seconds * SAMPLE_RATE) },
    (_, n) => 0.37 * Math.sin((2 * Math.PI * 440 * n) / SAMPLE_RATE),
  );
  return writeWav(samples, SAMPLE_RATE);
}
