/**
 * Takes the files of one upload into the storage. A row announces each file before its bytes arrive, and holds what the person's quota has
 * set aside for it. Either all files of an upload become complete, or none is left. After a crash the sweep deletes what was announced.
 */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ApiError } from "../../api/api-error.ts";
import type { Upload, UploadedFile } from "../../api/api-call.ts";
import { type Blobs, BlobTooLargeError, type StoredBlob } from "../../ports/blobs.ts";
import type { FileWrites, UploadQuota } from "../../ports/file-store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { Transactions } from "../../ports/store.ts";
import { fileUrlOf } from "./file-urls.ts";

/** What the intake needs. */
export interface FileIntakeDeps {
  store: Transactions<FileWrites>;
  blobs: Blobs;
  /** What one person may upload in 24 hours. */
  dailyMaxBytes(): number;
  now(): number;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** The files of one upload. They can be used by others when the upload has ended. */
export interface Intake {
  /** Stores a file while it arrives. Throws if it has more than `maxBytes`, or more than the quota leaves. Returns its key. */
  receive(file: UploadedFile, data: Readable, name: string, maxBytes: number): Promise<string>;
  /** Takes a file that the server makes others of. A large one needs no memory until it is loaded. What `add` stores takes its place. */
  accept(file: UploadedFile, data: Readable, maxBytes: number): Promise<AcceptedFile>;
  /** Stores files that the server has made. Returns their urls. */
  add(files: readonly { name: string; data: Buffer }[]): Promise<string[]>;
}

/** A file that the server makes others of. */
interface AcceptedFile {
  bytes: number;
  load(): Promise<Buffer>;
}

/** The uploader. */
export interface Uploader {
  /** null: nobody, and no quota. */
  userId: number | null;
  upload: Upload;
  now: number;
}

/** Runs the work of one upload. */
export type TakeFiles = <T>(uploader: Uploader, work: (intake: Intake) => Promise<T>) => Promise<T>;

const DAY_MS = 24 * 3_600_000;
const MEBIBYTE = 1_048_576;
/** 128 bits, so that urls cannot be guessed: everybody who has a url may read the file. */
const KEY_BYTES = 16;
/** A body is longer than its files by boundaries and headers, at most by this. */
const OVERHEAD_BYTES = 65_536;
/** A larger file waits on the disk. */
const HELD_MAX_BYTES = 1_048_576;

export function createFileIntake(deps: FileIntakeDeps): TakeFiles {
  return async (uploader, work) => {
    const intake = new UploadIntake(deps, uploader);
    try {
      const result = await work(intake);
      uploader.upload.signal.throwIfAborted();
      await intake.complete();
      return result;
    } catch (error) {
      // If this fails too, the sweep deletes the rest later.
      const discarded = intake.discard().catch((reason: unknown) => {
        if (!(reason instanceof StoreUnavailableError)) throw reason;
      });
      deps.inBackground(discarded);
      await Promise.allSettled([discarded]);
      // The sweep gave the upload up and deleted its bytes while they were arriving.
      const isGivenUp = deps.now() - uploader.now > DAY_MS && !(error instanceof ApiError);
      throw isGivenUp ? new ApiError("upload.broken") : error;
    }
  };
}

class UploadIntake implements Intake {
  readonly #deps: FileIntakeDeps;
  readonly #uploader: Uploader;
  /** Keys of announced files, with what is known of those that are stored. */
  readonly #files = new Map<string, StoredBlob | undefined>();
  /** Bytes of the files of the body that have arrived, by key. */
  readonly #arrived = new Map<string, number>();
  /** Keys of stored files of which others are made. */
  readonly #accepted = new Set<string>();

  constructor(deps: FileIntakeDeps, uploader: Uploader) {
    this.#deps = deps;
    this.#uploader = uploader;
  }

  async receive(file: UploadedFile, data: Readable, name: string, maxBytes: number): Promise<string> {
    const { key, granted } = await this.#reserve(name, maxBytes);
    const blob = await this.#deps.blobs.put(key, data, granted).catch((error: unknown) => {
      throw error instanceof BlobTooLargeError ? tooMuch(granted, maxBytes) : error;
    });
    if (file.isCut()) throw tooLarge(maxBytes);
    this.#files.set(key, blob);
    this.#arrived.set(key, blob.size);
    return key;
  }

  async accept(file: UploadedFile, data: Readable, maxBytes: number): Promise<AcceptedFile> {
    const { declaredBytes } = this.#uploader.upload;
    if (declaredBytes === null || declaredBytes > HELD_MAX_BYTES) {
      const key = await this.receive(file, data, "upload", maxBytes);
      this.#accepted.add(key);
      return { bytes: this.#arrived.get(key) ?? 0, load: () => this.#load(key) };
    }
    const { key, granted } = await this.#reserve("upload", maxBytes);
    const held = await buffer(data);
    if (file.isCut()) throw tooLarge(maxBytes);
    if (held.length > granted) throw tooMuch(granted, maxBytes);
    this.#arrived.set(key, held.length);
    return { bytes: held.length, load: () => Promise.resolve(held) };
  }

  async add(added: readonly { name: string; data: Buffer }[]): Promise<string[]> {
    const random = newRandom();
    const keyed = added.map(({ name, data }) => ({ key: `${random}/${name}`, data }));
    for (const key of this.#accepted) {
      await this.#deps.blobs.delete(key);
      this.#files.set(key, undefined);
    }
    // Their rows held until now what was set aside.
    const replaced = [...this.#files].filter(([, blob]) => blob === undefined).map(([key]) => key);
    await this.#deps.store.write(async (tx) => {
      await tx.deleteFileRows(replaced.map(fileUrlOf));
      for (const { key, data } of keyed) await this.#announce(tx, key, data.length, data.length);
    });
    for (const key of replaced) this.#files.delete(key);
    for (const { key } of keyed) this.#files.set(key, undefined);
    for (const { key, data } of keyed) this.#files.set(key, await this.#deps.blobs.put(key, data));
    return keyed.map(({ key }) => fileUrlOf(key));
  }

  /** Lets others use the files. */
  async complete(): Promise<void> {
    const complete = [...this.#files].flatMap(([key, blob]) =>
      blob === undefined ? [] : [{ url: fileUrlOf(key), bytes: blob.size, sha256: blob.sha256 }],
    );
    await this.#deps.store.write(async (tx) => {
      // An upload that took a day was given up.
      if (!(await tx.completeFiles(complete))) throw new ApiError("upload.broken");
    });
  }

  /** Deletes all files. */
  async discard(): Promise<void> {
    const keys = [...this.#files.keys()];
    for (const key of keys) await this.#deps.blobs.delete(key);
    await this.#deps.store.write((tx) => tx.deleteFileRows(keys.map(fileUrlOf)));
  }

  /** Announces a file as large as the rest of the request may be. The files before it need no more than they have. */
  async #reserve(name: string, maxBytes: number): Promise<{ key: string; granted: number }> {
    const key = `${newRandom()}/${name}`;
    const { declaredBytes } = this.#uploader.upload;
    const arrivedBytes = [...this.#arrived.values()].reduce((sum, bytes) => sum + bytes, 0);
    const rest = declaredBytes === null ? null : declaredBytes - arrivedBytes;
    const most = Math.min(maxBytes, rest ?? maxBytes);
    const least = Math.min(most, Math.max(0, (rest ?? 0) - OVERHEAD_BYTES));
    const granted = await this.#deps.store.write(async (tx) => {
      await tx.deleteFileRows([...this.#arrived.keys()].map(fileUrlOf));
      for (const [before, bytes] of this.#arrived) await this.#announce(tx, before, bytes, bytes);
      return this.#announce(tx, key, least, most);
    });
    this.#files.set(key, undefined);
    return { key, granted };
  }

  async #announce(tx: FileWrites, key: string, least: number, most: number): Promise<number> {
    const { userId, now } = this.#uploader;
    const quota: UploadQuota = { since: now - DAY_MS, maxBytes: this.#deps.dailyMaxBytes() };
    const file = { url: fileUrlOf(key), userId, createdAt: now };
    const granted = await tx.reserveFile(file, { least, most }, quota);
    if (granted === null) throw new ApiError("upload.dailyLimit");
    return granted;
  }

  async #load(key: string): Promise<Buffer> {
    const stored = await this.#deps.blobs.read(key);
    if (stored === undefined) throw new Error("the received file is gone");
    return buffer(stored);
  }
}

function newRandom(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

function tooMuch(granted: number, maxBytes: number): ApiError {
  return granted === maxBytes ? tooLarge(maxBytes) : new ApiError("upload.dailyLimit");
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("upload.tooLarge", { max: maxBytes / MEBIBYTE });
}
