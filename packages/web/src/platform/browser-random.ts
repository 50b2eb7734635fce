import type { Random } from "@parley/core/ports";

const TIME_BYTES = 6;

/** Ids of the form of a UUID of version 7: the time in ms, and then random bits. Not `crypto.randomUUID`, which has no time and is missing on plain http. */
export const browserRandom: Random = {
  id() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const now = Date.now();
    return Array.from(bytes, (random, index) => {
      const byte = index < TIME_BYTES ? Math.floor(now / 256 ** (TIME_BYTES - 1 - index)) % 256 : random;
      const marked = index === 6 ? (byte & 0x0f) | 0x70 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
      const digits = marked.toString(16).padStart(2, "0");
      return [4, 6, 8, 10].includes(index) ? `-${digits}` : digits;
    }).join("");
  },
};
