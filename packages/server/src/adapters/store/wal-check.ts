/**
 * Checks whether a damaged write-ahead log has lost acknowledged commits. SQLite reads the log up to the first invalid frame and silently
 * treats the rest as a write that a power cut interrupted. That can be true for the last commit only, because each commit is synced before
 * the next begins. Several valid commits behind an invalid frame were on the disk before the log was damaged.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;
const MAGIC = 0x377f0682;
/** Number of frames read at once. */
const FRAMES_PER_READ = 256;

/** Whether the log at this path is damaged; false if there is none. A server may be writing it. `onHeaderRead` is for tests. */
export function isWalDamaged(path: string, onHeaderRead = (): void => undefined): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  try {
    for (let before: string | undefined; ;) {
      const reader = new WalReader(file);
      onHeaderRead();
      const damage = reader.findDamage();
      if (damage === undefined) return false;
      // What is written while it is read can look like damage, but not twice alike.
      if (damage === before) return true;
      before = damage;
    }
  } finally {
    closeSync(file);
  }
}

class WalReader {
  readonly #file: number;
  readonly #frames: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  readonly #isLittleEndian: boolean;
  readonly #pageBytes: number;

  constructor(file: number) {
    this.#file = file;
    readSync(file, this.#header, 0, HEADER_BYTES, 0);
    // The last bit of the magic number is the byte order of the checksums.
    const isMagic = (this.#header.readUInt32BE(0) & ~1) >>> 0 === MAGIC;
    this.#isLittleEndian = !isMagic || (this.#header.readUInt32BE(0) & 1) === 0;
    const pageBytes = this.#header.readUInt32BE(8);
    const isValidSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
    this.#pageBytes = isValidSize ? pageBytes : PAGE_BYTES;
    this.#frames = Math.floor((fstatSync(file).size - HEADER_BYTES) / this.#frameBytes);
  }

  get #frameBytes(): number {
    return FRAME_HEADER_BYTES + this.#pageBytes;
  }

  /** Names the first broken frame that has several commits behind it: the header of the log, the number of the frame, and its own header. */
  findDamage(): string | undefined {
    const sums = this.#sum(view(this.#header, 0, 24), [0, 0]);
    const isHeaderValid =
      sums[0] === this.#header.readUInt32BE(24) && sums[1] === this.#header.readUInt32BE(28);
    let salts = isHeaderValid ? this.#header.readBigUInt64BE(16) : undefined;
    /** The checksums stored in the previous frame. */
    let previous = sums;
    let isBroken = !isHeaderValid;
    let firstBroken = "";
    let count = 0;
    /** Number of connected valid commits behind the damage. */
    let commits = 0;
    for (const frame of this.#read()) {
      count++;
      const frameSalts = frame.readBigUInt64BE(8);
      salts ??= frameSalts;
      // A frame of an earlier log that this one has not overwritten.
      if (frameSalts !== salts) isBroken = true;
      const sums = this.#sum(
        view(frame, FRAME_HEADER_BYTES, this.#pageBytes),
        this.#sum(view(frame, 0, 8), previous),
      );
      const storedSums: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      const isLinked = frameSalts === salts && sums[0] === storedSums[0] && sums[1] === storedSums[1];
      if (!isLinked) {
        isBroken = true;
        commits = 0;
      }
      if (isBroken && frameSalts === salts && frame.readUInt32BE(4) !== 0) commits++;
      if (isBroken) firstBroken ||= `${count} ${frame.toString("hex", 0, FRAME_HEADER_BYTES)}`;
      if (commits > 1) return `${this.#header.toString("hex")} ${firstBroken}`;
      previous = storedSums;
    }
    return undefined;
  }

  *#read(): Generator<Buffer> {
    const buffer = Buffer.alloc(FRAMES_PER_READ * this.#frameBytes);
    for (let first = 0; first < this.#frames; first += FRAMES_PER_READ) {
      const count = Math.min(FRAMES_PER_READ, this.#frames - first);
      readSync(this.#file, buffer, 0, count * this.#frameBytes, HEADER_BYTES + first * this.#frameBytes);
      for (let n = 0; n < count; n++) yield buffer.subarray(n * this.#frameBytes, (n + 1) * this.#frameBytes);
    }
  }

  /** Continues the checksum of the bytes before. */
  #sum(bytes: DataView, [first, second]: Sums): Sums {
    let [a, b] = [first, second];
    for (let at = 0; at < bytes.byteLength; at += 8) {
      a = (a + bytes.getUint32(at, this.#isLittleEndian) + b) >>> 0;
      b = (b + bytes.getUint32(at + 4, this.#isLittleEndian) + a) >>> 0;
    }
    return [a, b];
  }
}

type Sums = readonly [number, number];

function view(buffer: Buffer, start: number, length: number): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset + start, length);
}
