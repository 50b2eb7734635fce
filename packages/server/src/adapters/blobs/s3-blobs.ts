/** Stores blobs as objects of a bucket. `docs/decisions/0023-s3.md` says why it is so. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ListObject, S3mini, UploadPart } from "s3mini";
import { type Blobs, BlobTooLargeError, type StoredBlob } from "../../ports/blobs.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { isKey } from "./blob-key.ts";
import { incomingPathOf, isDiskFull, openIncoming } from "./incoming-folder.ts";
import { PartBuffer } from "./part-buffer.ts";
import {
  CLOSED,
  S3Failure,
  type S3Patience,
  type S3Requests,
  type S3Settings,
  type S3Stream,
  USUAL_PATIENCE,
  bodyOf,
  createS3Requests,
  failureOf,
} from "./s3-requests.ts";

/** A larger blob is uploaded in parts of this size. S3 wants at least 5 MiB, some servers the same size for all but the last. */
const PART_BYTES = 8 * 1_048_576;
/** S3 takes no more parts of one blob. */
const PARTS_MAX = 10_000;
const LIST_PAGE = 1_000;
/** No key of a blob, because it has no slash. */
const PROBE_KEY = "parley-probe";
const TYPE = "application/octet-stream";

/** Opens the blobs of this bucket. Parts that arrive wait in `folder`, which is created if it is missing. `now` is the time in epoch ms. */
export async function openS3Blobs(settings: S3Settings, folder: string, now: number): Promise<Blobs> {
  await openIncoming(folder, now);
  return s3Blobs(settings, folder);
}

/** The blobs of this bucket. The folder must have been opened before something is put. */
export function s3Blobs(settings: S3Settings, folder: string, patience: S3Patience = USUAL_PATIENCE): Blobs {
  const requests = createS3Requests(settings, patience);
  return {
    async put(key, data, maxBytes = Infinity) {
      if (!isKey(key)) throw new Error(`not a blob key: ${key}`);
      if (Buffer.isBuffer(data)) return translated(() => putBuffer(requests, key, data, maxBytes));
      return translated(async () => {
        const upload = new Upload(requests, key, incomingPathOf(folder, key), maxBytes);
        try {
          for await (const chunk of data) await upload.add(chunk as Buffer);
          return await upload.finish();
        } catch (error) {
          await upload.abort();
          throw error;
        } finally {
          await upload.dispose();
        }
      });
    },

    async stat(key) {
      if (!isKey(key)) return undefined;
      const request = requests.send((client) => client.getContentLength(key));
      const size = await translated(() => undefinedIfMissing(request));
      return size === undefined ? undefined : { size };
    },

    async read(key, range) {
      if (!isKey(key)) return undefined;
      return translated(() => openObject(requests, key, range));
    },

    async delete(key) {
      if (!isKey(key)) return;
      await translated(async () => {
        await undefinedIfMissing(requests.send((client) => client.deleteObject(key)));
        for (const id of await unfinishedOf(requests, key)) await abortUpload(requests, key, id);
      });
    },

    async *list() {
      let token: string | undefined;
      do {
        const page: ObjectPage = await translated(() => listPage(requests, token));
        for (const { Key: key, Size: size } of page.objects) if (isKey(key)) yield { key, size };
        token = page.token;
      } while (token !== undefined);
    },

    async probe() {
      await translated(async () => {
        await requests.send((client) => client.putObject(PROBE_KEY, "x", TYPE));
        await requests.send((client) => client.deleteObject(PROBE_KEY));
      });
    },

    async close() {
      requests.close();
    },
  };
}

async function putBuffer(
  requests: S3Requests,
  key: string,
  data: Buffer,
  maxBytes: number,
): Promise<StoredBlob> {
  if (data.length > maxBytes) throw tooLarge(maxBytes);
  await requests.send((client) => client.putObject(key, "", TYPE), { body: bodyOf(data) });
  return { size: data.length, sha256: createHash("sha256").update(data).digest("hex") };
}

function tooLarge(maxBytes: number): BlobTooLargeError {
  return new BlobTooLargeError(`more than ${maxBytes} bytes`);
}

/** One blob on its way into the bucket. It becomes visible by the last request, with all of its bytes. */
class Upload {
  readonly #requests: S3Requests;
  readonly #key: string;
  readonly #maxBytes: number;
  readonly #partBytes: number;
  readonly #part: PartBuffer;
  readonly #parts: UploadPart[] = [];
  readonly #hash = createHash("sha256");
  #size = 0;
  /** The id of its multipart upload, if it has several parts. */
  #id: string | undefined;

  constructor(requests: S3Requests, key: string, path: string, maxBytes: number) {
    this.#requests = requests;
    this.#key = key;
    this.#maxBytes = maxBytes;
    this.#partBytes = Math.max(PART_BYTES, Number.isFinite(maxBytes) ? Math.ceil(maxBytes / PARTS_MAX) : 0);
    this.#part = new PartBuffer(path);
  }

  async add(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#hash.update(chunk);
    let rest = chunk;
    // A full part waits for the next byte, so that the last part is never empty.
    while (this.#part.size + rest.length > this.#partBytes) {
      const room = this.#partBytes - this.#part.size;
      await this.#part.append(rest.subarray(0, room));
      rest = rest.subarray(room);
      await this.#sendPart();
    }
    await this.#part.append(rest);
  }

  async finish(): Promise<StoredBlob> {
    if (this.#id === undefined) {
      const body = await this.#part.content();
      await this.#requests.send((client) => client.putObject(this.#key, "", TYPE), { body });
    } else {
      await this.#sendPart();
      await this.#complete(this.#id);
    }
    return { size: this.#size, sha256: this.#hash.digest("hex") };
  }

  /** Removes what S3 has of a blob that is not complete. */
  async abort(): Promise<void> {
    if (this.#id === undefined) return;
    // The owner of the key deletes it after a failed upload, which tries it again.
    await abortUpload(this.#requests, this.#key, this.#id).catch(() => undefined);
  }

  async dispose(): Promise<void> {
    await this.#part.dispose();
  }

  async #sendPart(): Promise<void> {
    const key = this.#key;
    // If its answer was lost, S3 has begun an upload whose id nobody knows; `delete` finds it.
    this.#id ??= await this.#requests.send((client) => client.getMultipartUploadId(key, TYPE), {
      repeat: "ifRefused",
    });
    const id = this.#id;
    const body = await this.#part.content();
    const number = this.#parts.length + 1;
    this.#parts.push(await this.#requests.send((client) => client.uploadPart(key, id, "", number), { body }));
    this.#part.clear();
  }

  async #complete(id: string): Promise<void> {
    const key = this.#key;
    try {
      const complete = async (client: S3mini) => {
        const answer = await client.completeMultipartUpload(key, id, this.#parts);
        // S3 may fail after it has begun to answer with status 200, which the client takes for success.
        if (typeof answer.etag !== "string") throw new S3Failure("Incomplete", 500);
      };
      // Some servers copy all parts first. If we gave up too early, the object would appear when nothing here knows of it.
      await this.#requests.send(complete, { isLong: true });
    } catch (error) {
      // Repeated after a lost answer, the request finds no such upload if it had been done.
      if (!(error instanceof S3Failure) || error.status !== 404) throw error;
      const size = await undefinedIfMissing(this.#requests.send((client) => client.getContentLength(key)));
      if (size !== this.#size) throw error;
    }
  }
}

interface ObjectPage {
  objects: ListObject[];
  /** Where the next page begins. */
  token: string | undefined;
}

async function listPage(requests: S3Requests, token: string | undefined): Promise<ObjectPage> {
  const page = await requests.send((client) => client.listObjectsPaged("/", "", LIST_PAGE, token));
  if (!page?.objects) throw new S3Failure("NoSuchBucket", 404);
  return { objects: page.objects, token: page.nextContinuationToken };
}

/** Opens an object for reading; undefined if it is missing. A connection that breaks is replaced by another one where it ended. */
async function openObject(
  requests: S3Requests,
  key: string,
  range: { start: number; end: number } | undefined,
): Promise<Readable | undefined> {
  const ending = new AbortController();
  const open = async (part: { start: number; end: number } | undefined, etag?: string) => {
    const condition = etag === undefined ? {} : { "if-match": etag };
    const { start, end } = part ?? { start: 0, end: 0 };
    const answer = await requests.open(
      (client) => client.getObjectRaw(key, part === undefined, start, end + 1, condition),
      ending.signal,
    );
    if (answer.status === (part === undefined ? 200 : 206)) return answer;
    // A server that ignores ranges would be taken at its word.
    ending.abort(new S3Failure(CLOSED));
    throw new S3Failure("NoRange", answer.status);
  };
  let first: S3Stream | undefined;
  try {
    first = await undefinedIfMissing(open(range));
  } catch (error) {
    // The range begins behind the end.
    if (error instanceof S3Failure && error.status === 416) return Readable.from([]);
    throw error;
  }
  if (first === undefined) return undefined;
  const stream = Readable.from(bytesOf(first, range?.start ?? 0, open, requests), { objectMode: false });
  // Also if nobody has begun to read.
  return stream.once("close", () => ending.abort(new S3Failure(CLOSED)));
}

async function* bytesOf(
  first: S3Stream,
  start: number,
  open: (part: { start: number; end: number }, etag: string) => Promise<S3Stream>,
  requests: S3Requests,
): AsyncGenerator<Uint8Array> {
  const length = first.headers.get("content-length");
  const etag = first.headers.get("etag");
  let { data } = first;
  let at = start;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const chunk of data) {
        at += chunk.length;
        attempt = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      const isResumable = failure.isPassing && length !== null && etag !== null;
      if (!isResumable || !(await requests.pause(attempt))) throw unavailable(failure);
      const end = start + Number(length) - 1;
      ({ data } = await translated(() => open({ start: at, end }, etag)));
    }
  }
}

/** The numbers of the uploads of this key that were begun and not ended. */
async function unfinishedOf(requests: S3Requests, key: string): Promise<string[]> {
  // The client ignores its own parameter for the prefix, and does not know what the answer of S3 is called.
  const request = requests.send((client) => client.listMultipartUploads("/", "", "GET", { prefix: key }));
  const answer: unknown = await request.catch((error: unknown) => {
    // Some servers have no such list, and some keys may not read it. What a dead process left there has to go by a rule of the bucket.
    if (error instanceof S3Failure && (error.status === 501 || error.isRefusal)) return {};
    throw error;
  });
  const { ListMultipartUploadsResult: result } = answer as {
    ListMultipartUploadsResult?: { Upload?: unknown };
  };
  const uploads = [result?.Upload ?? []].flat() as { Key?: unknown; UploadId?: unknown }[];
  return uploads.flatMap((upload) =>
    upload.Key === key && typeof upload.UploadId === "string" ? [upload.UploadId] : [],
  );
}

async function abortUpload(requests: S3Requests, key: string, id: string): Promise<void> {
  await undefinedIfMissing(requests.send((client) => client.abortMultipartUpload(key, id)));
}

/** The result, or undefined if there is no such object or upload. A missing bucket is a failure where S3 tells the difference. */
async function undefinedIfMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof S3Failure && error.status === 404 && error.code !== "NoSuchBucket") return undefined;
    throw error;
  }
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): unknown {
  if (isDiskFull(error)) return new StoreUnavailableError("full", error);
  if (!(error instanceof S3Failure)) return error;
  return new StoreUnavailableError(error.isFull ? "full" : "files", error);
}
