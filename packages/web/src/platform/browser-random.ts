import type { Random } from "@parley/core/ports";

/** Random ids. Does not use `crypto.randomUUID`, which is missing on plain http. */
export const browserRandom: Random = {
  id() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte, index) => {
      const digits = byte.toString(16).padStart(2, "0");
      return [4, 6, 8, 10].includes(index) ? `-${digits}` : digits;
    }).join("");
  },
};
