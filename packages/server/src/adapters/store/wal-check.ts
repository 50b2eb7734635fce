/**
 * Whether the write-ahead log of a database has lost what was acknowledged. SQLite reads it up to the first frame that does not fit and
 * takes the rest for the end of a write that the power cut short, without a word. That may be so for one commit, the last: each is
 * synced before the next begins. Commits that hang together behind a frame that does not fit were on the disk before it was damaged.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;
const MAGIC = 0x377f0682;
/** Frames that are read at once. */
const FRAMES = 256;

export function isWalDamaged(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  try {
    return new WalReader(file).isDamaged();
  } finally {
    closeSync(file);
  }
}

class WalReader {
  readonly #file: number;
  readonly #frames: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  readonly #isLittle: boolean;
  readonly #pageBytes: number;

  constructor(file: number) {
    this.#file = file;
    readSync(file, this.#header, 0, HEADER_BYTES, 0);
    // The last bit tells the order of bytes in the sums.
    const isMagic = (this.#header.readUInt32BE(0) & ~1) >>> 0 === MAGIC;
    this.#isLittle = !isMagic || (this.#header.readUInt32BE(0) & 1) === 0;
    const pageBytes = this.#header.readUInt32BE(8);
    const isSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
    this.#pageBytes = isSize ? pageBytes : PAGE_BYTES;
    this.#frames = Math.floor((fstatSync(file).size - HEADER_BYTES) / this.#frameBytes);
  }

  get #frameBytes(): number {
    return FRAME_HEADER_BYTES + this.#pageBytes;
  }

  isDamaged(): boolean {
    const sums = this.#sum(view(this.#header, 0, 24), [0, 0]);
    const isHeaderValid =
      sums[0] === this.#header.readUInt32BE(24) && sums[1] === this.#header.readUInt32BE(28);
    let salts = isHeaderValid ? this.#header.readBigUInt64BE(16) : undefined;
    /** As the frame before says. */
    let before = sums;
    let isBroken = !isHeaderValid;
    /** That hang together behind the break. */
    let commits = 0;
    for (const frame of this.#read()) {
      const found = frame.readBigUInt64BE(8);
      salts ??= found;
      // A frame of an earlier log that this one has not reached.
      if (found !== salts) isBroken = true;
      const sums = this.#sum(
        view(frame, FRAME_HEADER_BYTES, this.#pageBytes),
        this.#sum(view(frame, 0, 8), before),
      );
      const told: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      const isLinked = found === salts && sums[0] === told[0] && sums[1] === told[1];
      if (!isLinked) {
        isBroken = true;
        commits = 0;
      }
      if (isBroken && found === salts && frame.readUInt32BE(4) !== 0) commits++;
      if (commits > 1) return true;
      before = told;
    }
    return false;
  }

  *#read(): Generator<Buffer> {
    const buffer = Buffer.alloc(FRAMES * this.#frameBytes);
    for (let first = 0; first < this.#frames; first += FRAMES) {
      const count = Math.min(FRAMES, this.#frames - first);
      readSync(this.#file, buffer, 0, count * this.#frameBytes, HEADER_BYTES + first * this.#frameBytes);
      for (let n = 0; n < count; n++) yield buffer.subarray(n * this.#frameBytes, (n + 1) * this.#frameBytes);
    }
  }

  /** Goes on summing from what the bytes before gave. */
  #sum(bytes: DataView, [first, second]: Sums): Sums {
    let [a, b] = [first, second];
    for (let at = 0; at < bytes.byteLength; at += 8) {
      a = (a + bytes.getUint32(at, this.#isLittle) + b) >>> 0;
      b = (b + bytes.getUint32(at + 4, this.#isLittle) + a) >>> 0;
    }
    return [a, b];
  }
}

type Sums = readonly [number, number];

function view(buffer: Buffer, start: number, length: number): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset + start, length);
}
