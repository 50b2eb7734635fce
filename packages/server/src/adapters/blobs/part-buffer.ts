import { type FileHandle, open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { type S3Body, bodyOf } from "./s3-requests.ts";

/** With more in memory, the rest goes to the file. */
const HELD_MAX_BYTES = 262_144;
const READ_BYTES = 65_536;

/**
 * The bytes of one part of an upload while they arrive. S3 wants to know the length of a part before its first byte, and a part has megabytes: most
 * of them are in a file, so that many slow uploads at the same time need little memory. The file has no name, so it goes with the process.
 */
export class PartBuffer {
  readonly #path: string;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #file: FileHandle | undefined;
  /** How much of the file is of this part. */
  #fileBytes = 0;

  /** The file is created there when it is needed, and loses its name at once. The folder must exist. */
  constructor(path: string) {
    this.#path = path;
  }

  get size(): number {
    return this.#fileBytes + this.#heldBytes;
  }

  async append(chunk: Buffer): Promise<void> {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > HELD_MAX_BYTES) await this.#moveToFile();
  }

  /** Everything since the beginning or the last `clear`. It can be read until the next `append` or `clear`. */
  async content(): Promise<S3Body> {
    if (this.#file === undefined || this.#fileBytes === 0) return bodyOf(Buffer.concat(this.#held));
    await this.#moveToFile();
    const file = this.#file;
    const size = this.#fileBytes;
    return { size, open: () => Readable.from(bytesOf(file, size)) };
  }

  clear(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#fileBytes = 0;
  }

  /** Frees the file. */
  async dispose(): Promise<void> {
    await this.#file?.close();
  }

  async #moveToFile(): Promise<void> {
    this.#file ??= await openNameless(this.#path);
    const data = Buffer.concat(this.#held);
    for (let at = 0; at < data.length;) {
      const rest = data.length - at;
      at += (await this.#file.write(data, at, rest, this.#fileBytes + at)).bytesWritten;
    }
    this.#fileBytes += data.length;
    this.#held = [];
    this.#heldBytes = 0;
  }
}

async function openNameless(path: string): Promise<FileHandle> {
  const file = await open(path, "wx+", 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first bytes of a file. A stream of `node:fs` would close the file, which may be read again. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error("a part of an upload is shorter than what was written");
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
