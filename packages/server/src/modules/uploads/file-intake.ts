/**
 * Takes the files of one upload into the storage. A row announces each file before its bytes arrive, and holds what the person's quota has
 * set aside for it. Either all files of an upload become complete, or none is left. After a crash the sweep deletes what was announced.
 */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ApiError, malformedField } from "../../calls/api-error.ts";
import type { Upload, UploadedFile } from "../../calls/call.ts";
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
  dailyMaxBytes: number;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** The files of one upload. They can be used by others when the upload has ended. */
export interface Intake {
  /** Stores a file while it arrives. Throws if it has more than `maxBytes`, or more than the quota leaves. Returns its key. */
  receive(file: UploadedFile, data: Readable, name: string, maxBytes: number): Promise<string>;
  /**
   * Takes a file that the server makes others of. Returns how to load it, once; until then a large one needs no memory. What `add` stores takes
   * its place.
   */
  accept(file: UploadedFile, data: Readable, maxBytes: number): Promise<() => Promise<Buffer>>;
  /** Stores files that the server has made. Returns their urls. */
  add(files: readonly { name: string; data: Buffer }[]): Promise<string[]>;
}

/** Who uploads. */
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

export function createFileIntake({ store, blobs, dailyMaxBytes, inBackground }: FileIntakeDeps): TakeFiles {
  return async ({ userId, upload, now }, work) => {
    /** Keys of announced files, with what is known of those that are stored. */
    const files = new Map<string, StoredBlob | undefined>();
    /** Bytes of the files of the body that have arrived, by key. */
    const arrived = new Map<string, number>();
    const quota: UploadQuota = { since: now - DAY_MS, maxBytes: dailyMaxBytes };
    const newRandom = () => randomBytes(KEY_BYTES).toString("hex");

    const announce = async (tx: FileWrites, key: string, least: number, most: number): Promise<number> => {
      const file = { url: fileUrlOf(key), userId, createdAt: now };
      const granted = await tx.reserveFile(file, { least, most }, quota);
      if (granted === null) throw new ApiError("upload.dailyLimit");
      return granted;
    };

    /** Announces a file as large as the rest of the request may be. The files before it need no more than they have. */
    const reserve = async (name: string, maxBytes: number): Promise<{ key: string; granted: number }> => {
      const key = `${newRandom()}/${name}`;
      const arrivedBytes = [...arrived.values()].reduce((sum, bytes) => sum + bytes, 0);
      const rest = upload.declaredBytes === null ? null : upload.declaredBytes - arrivedBytes;
      const most = Math.min(maxBytes, rest ?? maxBytes);
      const least = Math.min(most, Math.max(0, (rest ?? 0) - OVERHEAD_BYTES));
      const granted = await store.write(async (tx) => {
        await tx.deleteFileRows([...arrived.keys()].map(fileUrlOf));
        for (const [before, bytes] of arrived) await announce(tx, before, bytes, bytes);
        return announce(tx, key, least, most);
      });
      files.set(key, undefined);
      return { key, granted };
    };

    const takeBack = async (key: string): Promise<Buffer> => {
      const stored = await blobs.read(key);
      if (stored === undefined) throw new Error("the received file is gone");
      const data = await buffer(stored);
      // The row stays: until `add` it holds what was set aside.
      await blobs.delete(key);
      files.set(key, undefined);
      return data;
    };

    const discard = async (): Promise<void> => {
      const keys = [...files.keys()];
      for (const key of keys) await blobs.delete(key);
      await store.write((tx) => tx.deleteFileRows(keys.map(fileUrlOf)));
    };

    const intake: Intake = {
      async receive(file, data, name, maxBytes) {
        const { key, granted } = await reserve(name, maxBytes);
        const blob = await blobs.put(key, data, granted).catch((error: unknown) => {
          throw error instanceof BlobTooLargeError ? tooMuch(granted, maxBytes) : error;
        });
        if (file.isCut()) throw tooLarge(maxBytes);
        files.set(key, blob);
        arrived.set(key, blob.size);
        return key;
      },

      async accept(file, data, maxBytes) {
        if (upload.declaredBytes === null || upload.declaredBytes > HELD_MAX_BYTES) {
          const key = await intake.receive(file, data, "upload", maxBytes);
          return () => takeBack(key);
        }
        const { key, granted } = await reserve("upload", maxBytes);
        const held = await buffer(data);
        if (file.isCut()) throw tooLarge(maxBytes);
        if (held.length > granted) throw tooMuch(granted, maxBytes);
        arrived.set(key, held.length);
        return () => Promise.resolve(held);
      },

      async add(added) {
        const random = newRandom();
        const keyed = added.map(({ name, data }) => ({ key: `${random}/${name}`, data }));
        const takenBack = [...files].filter(([, blob]) => blob === undefined).map(([key]) => key);
        await store.write(async (tx) => {
          await tx.deleteFileRows(takenBack.map(fileUrlOf));
          for (const { key, data } of keyed) await announce(tx, key, data.length, data.length);
        });
        for (const key of takenBack) files.delete(key);
        for (const { key } of keyed) files.set(key, undefined);
        for (const { key, data } of keyed) files.set(key, await blobs.put(key, data));
        return keyed.map(({ key }) => fileUrlOf(key));
      },
    };

    try {
      const result = await work(intake);
      if (upload.isAborted) throw malformedField("body", "nobody waits for the answer");
      const complete = [...files].flatMap(([key, blob]) =>
        blob === undefined ? [] : [{ url: fileUrlOf(key), bytes: blob.size, sha256: blob.sha256 }],
      );
      await store.write(async (tx) => {
        // An upload that took a day was given up.
        if (!(await tx.completeFiles(complete))) throw new ApiError("upload.broken");
      });
      return result;
    } catch (error) {
      // What is left if this fails, too, the sweep deletes later.
      const discarded = discard().catch((reason: unknown) => {
        if (!(reason instanceof StoreUnavailableError)) throw reason;
      });
      inBackground(discarded);
      await Promise.allSettled([discarded]);
      throw error;
    }
  };
}

function tooMuch(granted: number, maxBytes: number): ApiError {
  return granted === maxBytes ? tooLarge(maxBytes) : new ApiError("upload.dailyLimit");
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("upload.tooLarge", { max: maxBytes / MEBIBYTE });
}
