// Renders the sounds of the web client: sine tones with an envelope, as 16-bit mono WAV. Run it after a change here: node tools/sounds.mjs
import { writeFileSync } from "node:fs";

const FOLDER = new URL("../packages/web/src/platform/sounds/", import.meta.url);

/** Two soft notes a fourth apart. The second one starts while the first one still sounds. */
const MESSAGE = {
  rate: 16_000,
  seconds: 0.34,
  notes: [
    { at: 0, hertz: 659.26, gain: 0.34, decay: 0.085 },
    { at: 0.085, hertz: 880, gain: 0.4, decay: 0.11 },
  ],
};

/** Repeats while somebody calls: two phrases of three rising notes, and a pause. Its notes need no higher rate. */
const INCOMING_CALL = {
  rate: 8_000,
  seconds: 3.2,
  notes: [0, 0.72].flatMap((at) => [
    { at, hertz: 523.25, gain: 0.36, decay: 0.16 },
    { at: at + 0.14, hertz: 659.26, gain: 0.36, decay: 0.16 },
    { at: at + 0.28, hertz: 783.99, gain: 0.4, decay: 0.26 },
  ]),
};

/** Repeats while it rings at the other side: one low chord, much quieter, and a long pause. */
const OUTGOING_CALL = {
  rate: 8_000,
  seconds: 3.6,
  notes: [
    { at: 0, hertz: 392, gain: 0.09, decay: 0.4 },
    { at: 0, hertz: 493.88, gain: 0.07, decay: 0.4 },
  ],
};

/** The volume of a note: it rises within 6 ms and then decays exponentially. */
function envelope(seconds, decay) {
  return Math.min(1, seconds / 0.006) * Math.exp(-seconds / decay);
}

function render({ rate, seconds, notes }) {
  const count = Math.round(seconds * rate);
  const samples = new Int16Array(count);
  for (let index = 0; index < count; index++) {
    const time = index / rate;
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

function wav(rate, samples) {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, 44 + index * 2));
  return bytes;
}

for (const [name, sound] of Object.entries({
  message: MESSAGE,
  "incoming-call": INCOMING_CALL,
  "outgoing-call": OUTGOING_CALL,
})) {
  writeFileSync(new URL(`${name}.wav`, FOLDER), wav(sound.rate, render(sound)));
}
