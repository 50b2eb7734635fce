/** The files of a simulation: their bytes, the requests that carry them, and the storage that two nodes share. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FileData, FilePart } from "@parley/core/ports";
import { noRateLimiter } from "@parley/server/adapters/rate-limiter/memory-rate-limiter";
import type { Handlers, Upload } from "@parley/server/api/api-call";
import { malformedField } from "@parley/server/api/api-error";
import { createFileDeletion } from "@parley/server/modules/uploads/file-deletion";
import { deleteMarkedFiles } from "@parley/server/modules/uploads/orphan-sweep";
import { createPictures } from "@parley/server/modules/uploads/pictures";
import { createUploads } from "@parley/server/modules/uploads/uploads";
import { type Blobs, BlobTooLargeError } from "@parley/server/ports/blobs";
import type { PictureEncoder } from "@parley/server/ports/picture-encoder";
import type { Store } from "@parley/server/ports/store";
import type { StoreDelays } from "./delayed-store.ts";

/** The largest file, in bytes. */
export const SIMULATED_FILE_MAX = 100_000;
/** More than anybody uploads. */
const DAILY_MAX_BYTES = 1_000_000_000;

const NOT_ABORTED = new AbortController().signal;
/** No simulated device sends a picture. */
const noPictures: PictureEncoder = {
  encode: () => Promise.reject(new Error("no picture is encoded here")),
  close: () => Promise.resolve(),
};

/** A file of a device, with its bytes. */
export interface SimulatedFile extends FileData {
  readonly bytes: Buffer;
}

/** The bytes of the file with this name. */
export function bytesNamed(name: string): Buffer {
  return Buffer.from(`the bytes of ${name}`.repeat(20));
}

/** A file with the bytes that belong to its name. */
export function simulatedFile(name: string): SimulatedFile {
  const bytes = bytesNamed(name);
  return { bytes, size: bytes.length, type: "text/plain" };
}

/** The files of a request, as the server reads them; undefined if it has none. */
export function uploadOf(
  body: string | readonly FilePart[] | undefined,
  isAborted: () => boolean,
): Upload | undefined {
  if (body === undefined || typeof body === "string") return undefined;
  const parts = body.map(({ field, file }) => ({ field, bytes: (file as SimulatedFile).bytes }));
  return {
    declaredBytes: parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    get signal() {
      return isAborted() ? AbortSignal.abort(malformedField("body", "nobody waits")) : NOT_ABORTED;
    },
    async *files() {
      for (const { field, bytes } of parts) yield { field, data: Readable.from([bytes]), isCut: () => false };
    },
  };
}

/** A storage of files in memory. */
export interface MemoryBlobs extends Blobs {
  readonly bytes: ReadonlyMap<string, Buffer>;
}

/** Creates an empty storage. */
export function createMemoryBlobs(): MemoryBlobs {
  const bytes = new Map<string, Buffer>();
  return {
    bytes,
    async put(key, data, maxBytes = Infinity) {
      const stored = Buffer.isBuffer(data) ? data : await buffer(data);
      if (stored.length > maxBytes) throw new BlobTooLargeError();
      bytes.set(key, stored);
      return { size: stored.length, sha256: createHash("sha256").update(stored).digest("hex") };
    },
    stat: (key) => {
      const stored = bytes.get(key);
      return Promise.resolve(stored && { size: stored.length });
    },
    read: (key) => {
      const stored = bytes.get(key);
      return Promise.resolve(stored && Readable.from([stored]));
    },
    delete: (key) => Promise.resolve(void bytes.delete(key)),
    probe: () => Promise.resolve(),
    async *list() {
      for (const [key, { length: size }] of bytes) yield { key, size };
    },
    close: () => Promise.resolve(),
  };
}

/** What a node needs to take files. */
export interface NodeFilesDeps {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly delays: StoreDelays;
  now(): number;
  inBackground(work: Promise<void>): void;
}

/** The part of a node that takes files and deletes them. */
export interface NodeFiles {
  readonly handlers: Pick<Handlers, "uploadFile">;
  deleteReleasedFiles(): void;
}

/** Creates the files of a node. The simulation is not idle while an upload does something other than waiting for the store. */
export function createNodeFiles({ store, blobs, delays, now, inBackground }: NodeFilesDeps): NodeFiles {
  const released = createFileDeletion(() => deleteMarkedFiles(store, blobs));
  const { uploadFile } = createUploads({
    store: {
      async write(work) {
        delays.inFlight--;
        try {
          return await store.write(work);
        } finally {
          delays.inFlight++;
        }
      },
    },
    blobs,
    rateLimiter: noRateLimiter,
    pictures: createPictures(noPictures, noRateLimiter),
    maxBytes: () => SIMULATED_FILE_MAX,
    dailyMaxBytes: () => DAILY_MAX_BYTES,
    isRegistrationOpen: () => false,
    now,
    inBackground,
  });
  return {
    handlers: {
      async uploadFile(call) {
        delays.inFlight++;
        try {
          return await uploadFile(call);
        } finally {
          delays.inFlight--;
          delays.activity++;
        }
      },
    },
    deleteReleasedFiles: () => inBackground(released.run()),
  };
}
