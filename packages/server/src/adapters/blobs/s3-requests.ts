/** Requests to S3-compatible storage: with a time limit for silence, repeated where that helps, and with errors that hold no secrets. */
import { setTimeout as sleep } from "node:timers/promises";
import { S3ServiceError, S3mini } from "s3mini";

/** Where the bucket is, and who asks. */
export interface S3Settings {
  /** Such as https://s3.example.org. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** How patient requests are, in milliseconds. */
export interface S3Patience {
  /** How long nothing may arrive or leave. */
  silenceMs: number;
  /** Pauses before each repetition. */
  pausesMs: readonly number[];
}

export const USUAL_PATIENCE: S3Patience = { silenceMs: 15_000, pausesMs: [100, 400] };

/** Bytes of an upload that are handed over at once. */
const PIECE_BYTES = 65_536;
/** Statuses below 500 that say "later". */
const LATER = [408, 429];
/** Not implemented, and no room: another attempt does not help. */
const FINAL = [501, 507];
const FULL_CODES = ["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"];

/**
 * A request failed. The message names only the status and the code: the answer of a server may contain the key of the account and what was
 * signed, so it must not get into a log.
 */
export class S3Failure extends Error {
  override name = "S3Failure";
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  /** What S3, the system or Node calls the reason, such as NoSuchKey or ECONNREFUSED. */
  readonly code: string;

  constructor(code: string, status?: number) {
    super(
      status === undefined ? `no answer from S3 (${code})` : `S3 answered ${status}${code && ` (${code})`}`,
    );
    this.code = code;
    this.status = status;
  }

  /** Whether S3 refuses the settings: waiting does not help, but another key or bucket. */
  get isRefusal(): boolean {
    return this.status !== undefined && this.status < 500 && !LATER.includes(this.status);
  }

  get isFull(): boolean {
    return this.status === 507 || FULL_CODES.includes(this.code);
  }

  /** Whether another attempt may succeed soon. After a long silence nobody waits for another one. */
  get isPassing(): boolean {
    if (this.status === undefined) return !WAITED_CODES.includes(this.code);
    return !this.isRefusal && !FINAL.includes(this.status);
  }
}

const SILENT = "silent";
/** The requests were ended from here. */
export const CLOSED = "closed";
const WAITED_CODES = [SILENT, CLOSED, "UND_ERR_CONNECT_TIMEOUT"];

/** How to send requests. */
export interface S3Requests {
  /**
   * Sends the requests that `work` makes. `signal` ends them. Throws `S3Failure`. The work is repeated if that may help; with `ifRefused` only if
   * S3 has said that it did nothing, and not if an answer is missing.
   */
  send<T>(
    work: (client: S3mini) => Promise<T>,
    options?: { signal?: AbortSignal; repeat?: "always" | "ifRefused" },
  ): Promise<T>;
  /** Waits before another attempt; `attempt` counts from 0. Returns false if it was the last one. */
  pause(attempt: number): Promise<boolean>;
  /** Ends all requests. */
  close(): void;
}

export function createS3Requests(settings: S3Settings, patience: S3Patience): S3Requests {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const closing = new AbortController();
  const address = `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const keys = { region, accessKeyId, secretAccessKey };

  const pause = async (attempt: number) => {
    const ms = patience.pausesMs[attempt];
    if (ms === undefined) return false;
    await sleep(ms);
    return true;
  };

  return {
    async send(work, { signal, repeat = "always" } = {}) {
      const ends = signal === undefined ? [closing.signal] : [closing.signal, signal];
      // Its own client, because one has no way to end a single request.
      const client = new S3mini({ ...keys, endpoint: address, fetch: createFetch(ends, patience.silenceMs) });
      for (let attempt = 0; ; attempt++) {
        try {
          return await work(client);
        } catch (error) {
          const failure = failureOf(error);
          if (failure === undefined) throw error;
          const isDone = repeat === "ifRefused" && failure.status !== 503 && failure.status !== 429;
          if (isDone || !failure.isPassing || !(await pause(attempt))) throw failure;
        }
      }
    },
    pause,
    close: () => closing.abort(new S3Failure(CLOSED)),
  };
}

/** The failure behind an error of the client; undefined if the error is none of the network or of S3. */
export function failureOf(error: unknown): S3Failure | undefined {
  if (error instanceof S3Failure) return error;
  if (error instanceof S3ServiceError) {
    // The client finds the code only in answers with exactly the type that AWS sends.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(error.body ?? "")?.[1];
    return new S3Failure(code ?? "", error.status);
  }
  return error instanceof Error && error.cause !== undefined ? failureOf(error.cause) : undefined;
}

/** A `fetch` that gives up when nothing has moved for `silenceMs`, and whose errors are all `S3Failure`. */
function createFetch(ends: readonly AbortSignal[], silenceMs: number): typeof fetch {
  return async (input, init = {}) => {
    const silence = new Silence(silenceMs);
    try {
      const response = await silence.watch(
        fetch(input, {
          ...init,
          body: bodyOf(init.body, silence),
          duplex: "half",
          // A compressed answer would have neither the length nor the ranges of the blob.
          headers: { ...(init.headers as Record<string, string>), "accept-encoding": "identity" },
          // A redirect means another region or address, which the operator has to set; a body cannot be sent twice anyway.
          redirect: "manual",
          signal: AbortSignal.any([...ends, silence.signal]),
        }),
      );
      if (response.body === null) return response;
      const { status, statusText, headers } = response;
      const watched = ReadableStream.from(piecesOf(response.body, silence));
      return new Response(watched, { status, statusText, headers });
    } catch (error) {
      throw asFailure(error);
    }
  };
}

/** Aborts its signal when something that is watched takes too long. What nobody waits for may take as long as it wants. */
class Silence {
  readonly #ms: number;
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  async watch<T>(work: Promise<T>): Promise<T> {
    this.#timer = setTimeout(() => this.#controller.abort(new S3Failure(SILENT)), this.#ms);
    try {
      return await work;
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Something moved. */
  note(): void {
    this.#timer?.refresh();
  }
}

/** A body that notes its progress. The client has set its length, except of an empty one. */
function bodyOf(body: unknown, silence: Silence): ReadableStream<Uint8Array> | string | null {
  if (body === undefined || body === null || typeof body === "string") return body ?? null;
  if (!(body instanceof Blob) && !(body instanceof Uint8Array)) throw new TypeError("not a body to upload");
  if (body instanceof Uint8Array && body.length === 0) return "";
  const source: AsyncIterable<Uint8Array> | Iterable<Uint8Array> =
    body instanceof Blob ? body.stream() : slicesOf(body);
  return ReadableStream.from(
    (async function* () {
      for await (const piece of source) {
        silence.note();
        yield piece;
      }
    })(),
  );
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function* piecesOf(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await silence.watch(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw asFailure(error);
  } finally {
    // Also if nobody wants the rest; after an error there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

function asFailure(error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  const { cause, code, name } = error as Error & { code?: string };
  const inner = (cause as { code?: string } | undefined)?.code;
  return new S3Failure(inner ?? code ?? name);
}
