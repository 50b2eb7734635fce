const HEAD_BYTES = 44;
const LOUDEST = 32_767;

/** A WAV file (PCM, one channel, 16 bits) of samples from -1 to 1. `sampleRate`: samples of a second. */
export function writeWav(samples: ArrayLike<number>, sampleRate: number): Buffer {
  const wav = Buffer.alloc(HEAD_BYTES + samples.length * 2);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(samples.length * 2, 40);
  for (let n = 0; n < samples.length; n++) {
    wav.writeInt16LE(Math.round((samples[n] ?? 0) * LOUDEST), HEAD_BYTES + n * 2);
  }
  return wav;
}
