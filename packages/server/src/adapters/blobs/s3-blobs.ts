/** Stores blobs as objects of a bucket. `docs/decisions/0023-s3.md` says why it is so. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Blobs, type BlobStat, BlobTooLargeError, type StoredBlob } from "../../ports/blobs.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { isKey } from "./blob-key.ts";
import { incomingPathOf, isDiskFull, openIncoming } from "./incoming-folder.ts";
import { PartBuffer } from "./part-buffer.ts";
import {
  CLOSED,
  type S3Body,
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
const LIST_PAGE = "1000";
/** No key of a blob, because it has no slash. */
const PROBE_KEY = "parley-probe";
const OF_BYTES = { "content-type": "application/octet-stream" };
const OF_XML = { "content-type": "application/xml" };
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

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
      const size = await translated(() => sizeOf(requests, key));
      return size === undefined ? undefined : { size };
    },

    async read(key, range) {
      if (!isKey(key)) return undefined;
      return translated(() => openObject(requests, key, range));
    },

    async delete(key) {
      if (!isKey(key)) return;
      await translated(async () => {
        await undefinedIfMissing(requests.send({ method: "DELETE", key }));
        for (const id of await unfinishedOf(requests, key)) await abortUpload(requests, key, id);
      });
    },

    async *list() {
      let token: string | undefined;
      do {
        const page: ObjectPage = await translated(() => listPage(requests, token));
        yield* page.objects.filter(({ key }) => isKey(key));
        token = page.token;
      } while (token !== undefined);
    },

    async probe() {
      await translated(async () => {
        await putObject(requests, PROBE_KEY, bodyOf(Buffer.from("x")));
        await requests.send({ method: "DELETE", key: PROBE_KEY });
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
  await putObject(requests, key, bodyOf(data));
  return { size: data.length, sha256: createHash("sha256").update(data).digest("hex") };
}

async function putObject(requests: S3Requests, key: string, body: S3Body): Promise<void> {
  await requests.send({ method: "PUT", key, headers: OF_BYTES, body });
}

/** Undefined if there is no such object. */
async function sizeOf(requests: S3Requests, key: string): Promise<number | undefined> {
  const answer = await undefinedIfMissing(requests.send({ method: "HEAD", key }));
  return answer && Number(answer.headers["content-length"] ?? 0);
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
  /** The tags that S3 has given to the parts so far. */
  readonly #tags: string[] = [];
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
      await putObject(this.#requests, this.#key, await this.#part.content());
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
    this.#id ??= await this.#begin();
    const query = { partNumber: String(this.#tags.length + 1), uploadId: this.#id };
    const body = await this.#part.content();
    const { headers } = await this.#requests.send({ method: "PUT", key, query, body });
    this.#tags.push(String(headers.etag ?? "").replaceAll('"', ""));
    this.#part.clear();
  }

  async #begin(): Promise<string> {
    const { text } = await this.#requests.send({
      method: "POST",
      key: this.#key,
      query: { uploads: "" },
      headers: OF_BYTES,
      // If its answer was lost, S3 has begun an upload whose id nobody knows; `delete` finds it.
      repeat: "ifRefused",
    });
    return textOf(text, "UploadId");
  }

  async #complete(id: string): Promise<void> {
    const key = this.#key;
    const parts = this.#tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = bodyOf(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`));
    const request = { method: "POST", key, query: { uploadId: id }, headers: OF_XML, body } as const;
    try {
      // Some servers copy all parts first. If we gave up too early, the object would appear when nothing here knows of it.
      const { text } = await this.#requests.send({ ...request, isLong: true });
      textOf(text, "ETag");
    } catch (error) {
      // Repeated after a lost answer, the request finds no such upload if it had been done.
      if (!(error instanceof S3Failure) || error.status !== 404) throw error;
      if ((await sizeOf(this.#requests, key)) !== this.#size) throw error;
    }
  }
}

interface ObjectPage {
  objects: (BlobStat & { key: string })[];
  /** Where the next page begins. */
  token: string | undefined;
}

async function listPage(requests: S3Requests, token: string | undefined): Promise<ObjectPage> {
  const from = token === undefined ? {} : { "continuation-token": token };
  const query = { "list-type": "2", "max-keys": LIST_PAGE, ...from };
  const { text } = await requests.send({ method: "GET", query });
  const page = elementOf(text, "ListBucketResult");
  return {
    objects: elementsOf(page, "Contents").map((object) => ({
      key: textOf(object, "Key"),
      size: Number(textOf(object, "Size")),
    })),
    token: elementsOf(page, "IsTruncated")[0] === "true" ? textOf(page, "NextContinuationToken") : undefined,
  };
}

/** Opens an object for reading; undefined if it is missing. A connection that breaks is replaced by another one where it ended. */
async function openObject(
  requests: S3Requests,
  key: string,
  range: { start: number; end: number } | undefined,
): Promise<Readable | undefined> {
  const ending = new AbortController();
  const open = async (part: { start: number; end: number } | undefined, tag?: string) => {
    const headers = {
      ...(part && { range: `bytes=${part.start}-${part.end}` }),
      ...(tag !== undefined && { "if-match": tag }),
    };
    const answer = await requests.open({ method: "GET", key, headers, signal: ending.signal });
    if (answer.statusCode === (part === undefined ? 200 : 206)) return answer;
    // A server that ignores ranges would be taken at its word.
    ending.abort(new S3Failure(CLOSED));
    throw new S3Failure("NoRange", answer.statusCode);
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
  const { "content-length": length, etag } = first.headers;
  let { body } = first;
  let at = start;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        at += chunk.length;
        attempt = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      const failure = failureOf(error);
      const isResumable = failure.isPassing && length !== undefined && etag !== undefined;
      if (!isResumable || !(await requests.pause(attempt))) throw unavailable(failure);
      const end = start + Number(length) - 1;
      ({ body } = await translated(() => open({ start: at, end }, String(etag))));
    }
  }
}

/** The numbers of the uploads of this key that were begun and not ended. */
async function unfinishedOf(requests: S3Requests, key: string): Promise<string[]> {
  const request = requests.send({ method: "GET", query: { uploads: "", prefix: key } });
  const { text } = await request.catch((error: unknown) => {
    // Some servers have no such list, and some keys may not read it. What a dead process left there has to go by a rule of the bucket.
    if (error instanceof S3Failure && (error.status === 501 || error.isRefusal)) return { text: "" };
    throw error;
  });
  return elementsOf(text, "Upload")
    .filter((upload) => textOf(upload, "Key") === key)
    .map((upload) => textOf(upload, "UploadId"));
}

async function abortUpload(requests: S3Requests, key: string, id: string): Promise<void> {
  await undefinedIfMissing(requests.send({ method: "DELETE", key, query: { uploadId: id } }));
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

/** What is inside each element of this name, which must not contain another one of it. */
function elementsOf(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, "gs");
  return [...xml.matchAll(pattern)].map(([, content = ""]) => content);
}

/** What is inside the first element of this name. Throws if there is none, because then the answer is not from S3. */
function elementOf(xml: string, name: string): string {
  const [content] = elementsOf(xml, name);
  if (content === undefined) throw new S3Failure(`No${name}`, 500);
  return content;
}

/** The text in the first element of this name. */
function textOf(xml: string, name: string): string {
  return elementOf(xml, name).replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, entity) => {
    if (entity !== undefined) return ENTITIES[entity] ?? "";
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
