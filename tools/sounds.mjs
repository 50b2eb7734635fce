// Renders the sounds of the web client: sine tones with an envelope, as 16-bit mono WAV. Run it after a change here: node tools/sounds.mjs
import { writeFileSync } from "node:fs";

const RATE = 16_000;
const FOLDER = new URL("../packages/web/src/platform/sounds/", import.meta.url);

/** Two soft notes a fourth apart. The second one starts while the first one still sounds. */
const MESSAGE = {
  seconds: 0.34,
  notes: [
    { at: 0, hertz: 659.26, gain: 0.34, decay: 0.085 },
    { at: 0.085, hertz: 880, gain: 0.4, decay: 0.11 },
  ],
};

/** The volume of a note: it rises within 6 ms and then decays exponentially. */
function envelope(seconds, decay) {
  return Math.min(1, seconds / 0.006) * Math.exp(-seconds / decay);
}

function render({ seconds, notes }) {
  const count = Math.round(seconds * RATE);
  const samples = new Int16Array(count);
  for (let index = 0; index < count; index++) {
    const time = index / RATE;
    // The last 30 ms fade to silence, or the end would click.
    const fadeOut = Math.min(1, (seconds - time) / 0.03);
    let value = 0;
    for (const note of notes) {
      const age = time - note.at;
      if (age < 0) continue;
      const phase = 2 * Math.PI * note.hertz * age;
      value += note.gain * envelope(age, note.decay) * (Math.sin(phase) + 0.18 * Math.sin(2 * phase));
    }
    samples[index] = Math.round(value * fadeOut * 32_767);
  }
  return samples;
}

function wav(samples) {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, 44 + index * 2));
  return bytes;
}

writeFileSync(new URL("message.wav", FOLDER), wav(render(MESSAGE)));
