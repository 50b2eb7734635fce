import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { type S3Body, bodyOf } from "./s3-requests.ts";

/** With more in memory, the rest goes to the file. */
const HELD_MAX_BYTES = 262_144;

/**
 * The bytes of one part of an upload while they arrive. S3 wants to know the length of a part before its first byte, and a part has megabytes: most
 * of them are in a file, so that many slow uploads at the same time need little memory.
 */
export class PartBuffer {
  readonly #path: string;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #file: FileHandle | undefined;
  #fileBytes = 0;

  /** The file is created when it is needed. Its folder must exist. */
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
    if (this.#fileBytes === 0) return bodyOf(Buffer.concat(this.#held));
    await this.#moveToFile();
    return { size: this.#fileBytes, open: () => createReadStream(this.#path) };
  }

  async clear(): Promise<void> {
    this.#held = [];
    this.#heldBytes = 0;
    this.#fileBytes = 0;
    await this.#file?.truncate();
  }

  /** Removes the file. */
  async dispose(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #moveToFile(): Promise<void> {
    this.#file ??= await open(this.#path, "a", 0o600);
    await this.#file.appendFile(Buffer.concat(this.#held));
    this.#fileBytes += this.#heldBytes;
    this.#held = [];
    this.#heldBytes = 0;
  }
}
