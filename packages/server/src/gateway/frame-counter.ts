/** Counts the frames of RFC 6455 in the bytes of a socket, of any kind and also broken ones, without keeping any byte. */

const MASK_BYTES = 4;
const MASKED = 0x80;
const LENGTH_BITS = 0x7f;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const BYTE = 256;

/** Follows the frames of one socket from chunk to chunk. */
export class FrameCounter {
  /** Bytes of mask and payload that are still to come before the next frame. */
  #rest = 0;
  /** The next byte of the header: 0 its first, 1 its second, then those of a long length. */
  #headerByte = 0;
  #lengthBytes = 0;
  #length = 0;
  #maskBytes = 0;

  /** The number of frames that begin in the chunk. Stops as soon as there are more than `max`: then it follows no further chunk. */
  count(chunk: Uint8Array, max: number): number {
    let frames = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#rest > 0) {
        const skipped = Math.min(this.#rest, chunk.length - at);
        at += skipped;
        this.#rest -= skipped;
        continue;
      }
      if (this.#headerByte === 0 && ++frames > max) return frames;
      this.#readHeader(chunk[at++] ?? 0);
    }
    return frames;
  }

  #readHeader(byte: number): void {
    if (this.#headerByte === 0) {
      this.#headerByte = 1;
    } else if (this.#headerByte === 1) {
      this.#maskBytes = (byte & MASKED) === 0 ? 0 : MASK_BYTES;
      const length = byte & LENGTH_BITS;
      this.#lengthBytes = length === LENGTH_64 ? 8 : length === LENGTH_16 ? 2 : 0;
      this.#length = this.#lengthBytes > 0 ? 0 : length;
      this.#headerByte = 2;
    } else {
      this.#length = this.#length * BYTE + byte;
      this.#lengthBytes--;
    }
    if (this.#headerByte < 2 || this.#lengthBytes > 0) return;
    this.#rest = this.#maskBytes + this.#length;
    this.#headerByte = 0;
  }
}
