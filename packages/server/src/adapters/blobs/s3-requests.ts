/** Requests to S3-compatible storage: with a time limit for silence, repeated where that helps, and with errors that hold no secrets. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { S3ServiceError, S3mini } from "s3mini";
import { certificateProblem } from "../../ports/certificate-problem.ts";

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
  /** The same for a request that makes S3 work long before it answers. */
  longSilenceMs: number;
  /** Pauses before each repetition. */
  pausesMs: readonly number[];
}

export const USUAL_PATIENCE: S3Patience = { silenceMs: 15_000, longSilenceMs: 120_000, pausesMs: [100, 400] };

/** Statuses below 500 that say "later". */
const LATER = [408, 429];
/** Not implemented, and no room: another attempt does not help. */
const FINAL = [501, 507];
/** Those after which nothing was done. */
const SAYS_NOTHING_DONE = [429, 503];
/** How much of a body in memory leaves at once. */
const SLICE_BYTES = 65_536;
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
    const problem = certificateProblem(code);
    const silence = problem === undefined ? `no answer from S3 (${code})` : `S3 is not used: ${problem}`;
    super(status === undefined ? silence : `S3 answered ${status}${code && ` (${code})`}`);
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
    if (this.status === undefined) return !FINAL_CODES.includes(this.code);
    return !this.isRefusal && !FINAL.includes(this.status);
  }
}

const SILENT = "silent";
/** The requests were ended from here. */
export const CLOSED = "closed";
const FINAL_CODES = [SILENT, CLOSED];

/** What a request carries. It can be opened again for another attempt. */
export interface S3Body {
  size: number;
  open(): Readable;
}

/** An answer whose bytes are read while they arrive. The caller has to read or destroy them. */
export interface S3Stream {
  status: number;
  headers: Headers;
  /** Throws `S3Failure` where the connection breaks. */
  data: AsyncIterable<Buffer>;
}

/** How to send a request. */
export interface S3SendOptions {
  /** Goes past the client, which takes no stream with a length; it does not sign bodies. */
  body?: S3Body;
  /** Ends the request. */
  signal?: AbortSignal;
  /** `ifRefused`: only if S3 has said that it did nothing, and not if an answer is missing. */
  repeat?: "always" | "ifRefused";
  /** S3 may work long before it answers. */
  isLong?: boolean;
}

/** Sends requests. */
export interface S3Requests {
  /** Sends the request that `work` makes, and repeats it if that may help. Throws `S3Failure`. */
  send<T>(work: (client: S3mini) => Promise<T>, options?: S3SendOptions): Promise<T>;
  /** As `send`, but the answer is streamed if it is no error. */
  open(work: (client: S3mini) => Promise<Response>, signal: AbortSignal): Promise<S3Stream>;
  /** Waits before another attempt; `attempt` counts from 0. Returns false if it was the last one. */
  pause(attempt: number): Promise<boolean>;
  /** Ends all requests. */
  close(): void;
}

/**
 * A client with the request that it makes. Each running request has its own: a client has no way to say anything about a single one, and takes
 * the key of yesterday for requests that begin while it makes that of today.
 */
interface Call {
  s3: S3mini;
  options: S3SendOptions;
  isStreamed: boolean;
  stream: AsyncIterable<Buffer> | undefined;
}

export function createS3Requests(settings: S3Settings, patience: S3Patience): S3Requests {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const closing = new AbortController();
  const address = `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const isSecure = address.startsWith("https:");
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  /** Those without a request. Each has the key for signing ready. */
  const idle: Call[] = [];

  const createCall = (): Call => {
    const fetchOfCall = (async (input: unknown, init: RequestInit = {}) => {
      const silence = new Silence(call.options.isLong === true ? patience.longSilenceMs : patience.silenceMs);
      try {
        return await silence.watch(exchange(String(input), init, call, silence));
      } catch (error) {
        throw asFailure(error);
      }
    }) as typeof fetch;
    const keys = { region, accessKeyId, secretAccessKey };
    const s3 = new S3mini({ ...keys, endpoint: address, fetch: fetchOfCall });
    const call: Call = { s3, options: {}, isStreamed: false, stream: undefined };
    return call;
  };

  const exchange = async (
    url: string,
    init: RequestInit,
    call: Call,
    silence: Silence,
  ): Promise<Response> => {
    const { body, signal, repeat } = call.options;
    const ends = signal === undefined ? [closing.signal] : [closing.signal, signal];
    const headers = { ...(init.headers as Record<string, string>) };
    if (body !== undefined) headers["content-length"] = String(body.size);
    const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
      method: init.method,
      headers,
      // A kept connection may have ended at this moment, and then nobody knows whether the request arrived.
      agent: repeat === "ifRefused" ? false : agent,
      signal: AbortSignal.any([...ends, silence.signal]),
    });
    const arrives = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on("response", resolve).on("error", reject);
    });
    if (body === undefined) outgoing.end(init.body ?? "");
    else {
      const source = body.open().on("data", () => silence.note());
      // An error of the connection rejects `arrives`, too; an answer may arrive before the whole body was sent.
      pipeline(source, outgoing).catch((error: unknown) => outgoing.destroy(asError(error)));
    }
    const incoming = await arrives;
    const { statusCode: status = 0 } = incoming;
    const answer = { status, headers: headersOf(incoming) };
    if (call.isStreamed && status < 300) {
      call.stream = piecesOf(incoming, silence);
      return new Response(null, answer);
    }
    const data = await buffer(incoming.on("data", () => silence.note()));
    // Refused before all of the body was sent: the rest is not wanted, and its file may change.
    if (!outgoing.writableFinished) outgoing.destroy();
    return new Response(data.length === 0 ? null : new Uint8Array(data), answer);
  };

  const pause = async (attempt: number) => {
    const ms = patience.pausesMs[attempt];
    if (ms === undefined) return false;
    await sleep(ms);
    return true;
  };

  const attempt = async <T>(
    work: (call: Call) => Promise<T>,
    more: Pick<Call, "options" | "isStreamed">,
  ): Promise<T> => {
    const call = Object.assign(idle.pop() ?? createCall(), more);
    try {
      for (let count = 0; ; count++) {
        try {
          return await work(call);
        } catch (error) {
          const failure = failureOf(error);
          if (failure === undefined) throw error;
          const isUnsure =
            call.options.repeat === "ifRefused" && !SAYS_NOTHING_DONE.includes(failure.status ?? 0);
          if (isUnsure || !failure.isPassing || !(await pause(count))) throw failure;
        }
      }
    } finally {
      // Keeps no body in memory.
      call.options = {};
      call.stream = undefined;
      idle.push(call);
    }
  };

  return {
    send: (work, options = {}) => attempt(({ s3 }) => work(s3), { options, isStreamed: false }),
    open: (work, signal) =>
      attempt(
        async (call) => {
          const { status, headers } = await work(call.s3);
          if (call.stream === undefined) throw new S3Failure("NoObject", status);
          return { status, headers, data: call.stream };
        },
        { options: { signal }, isStreamed: true },
      ),
    pause,
    close() {
      closing.abort(new S3Failure(CLOSED));
      agent.destroy();
    },
  };
}

/** A body out of bytes in memory. */
export function bodyOf(data: Buffer): S3Body {
  return { size: data.length, open: () => Readable.from(slicesOf(data)) };
}

/** Sent as a whole, many bytes would look like silence until the last of them has left. */
function* slicesOf(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += SLICE_BYTES) yield data.subarray(at, at + SLICE_BYTES);
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

async function* piecesOf(incoming: IncomingMessage, silence: Silence): AsyncGenerator<Buffer> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { done, value } = await silence.watch(chunks.next());
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw asFailure(error);
  } finally {
    // Nobody wants the rest.
    incoming.destroy();
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const known = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") known.set(name, value);
  return known;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Everything that is thrown between request and answer is about the network, or why it was ended. */
function asFailure(error: unknown): S3Failure {
  const { cause, code, name } = asError(error) as Error & { code?: string };
  if (error instanceof S3Failure) return error;
  return cause instanceof S3Failure ? cause : new S3Failure(code ?? name);
}
