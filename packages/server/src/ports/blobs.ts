/**
 * Uploaded bytes, by key. Disk by default, or S3-compatible storage. Contract suite: `testing/contracts/blobs-contract.ts`.
 *
 * Rules: a key is `<random>/<name>` of characters A-Z a-z 0-9 . _ - and one slash; `put` stores everything or
 * nothing (an interrupted upload leaves nothing); reading an unknown key returns undefined. Everything throws `StoreUnavailableError` while the
 * storage cannot be used.
 */
import type { Readable } from "node:stream";

export interface BlobStat {
  size: number;
}

/** What was stored. */
export interface StoredBlob extends BlobStat {
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** There are more bytes than the caller allowed. */
export class BlobTooLargeError extends Error {
  override name = "BlobTooLargeError";
}

/** The storage of uploaded files. */
export interface Blobs {
  /**
   * Resolves when all bytes are durable. A stream is written while it arrives, with back-pressure. Throws `BlobTooLargeError` as soon as
   * there are more than `maxBytes`.
   */
  put(key: string, data: Readable | Buffer, maxBytes?: number): Promise<StoredBlob>;
  stat(key: string): Promise<BlobStat | undefined>;
  /** Reads the bytes `start` to `end`, both inclusive, or all bytes without a range. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Also removes what a process that died has left of a `put` with this key. */
  delete(key: string): Promise<void>;
  /** Every blob that is stored completely, in no order. Blobs that come or go meanwhile may be in the list or not. */
  list(): AsyncIterable<BlobStat & { key: string }>;
  /** Throws if nothing can be stored now, with a message for the operator. Leaves nothing behind. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
