/** Requests to S3-compatible storage: with a time limit for silence, repeated where that helps, and with errors that hold no secrets. */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request as sendRequest } from "undici";
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
const SILENT = "silent";
/** The requests were ended from here. */
export const CLOSED = "closed";
/** After these, nothing is sent again. */
const FINAL_CODES = [SILENT, CLOSED];
/** What errors of the HTTP client are called here. */
const CODES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: SILENT,
  UND_ERR_HEADERS_TIMEOUT: SILENT,
  UND_ERR_BODY_TIMEOUT: SILENT,
  UND_ERR_DESTROYED: CLOSED,
  UND_ERR_SOCKET: "ECONNRESET",
};

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

/** What a request carries. It can be opened again for another attempt. */
export interface S3Body {
  size: number;
  open(): Readable;
}

/** A request before it is signed. */
export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Without one, the request is about the bucket. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: S3Body;
  /** Ends the request. */
  signal?: AbortSignal;
  /** Only if S3 has said that it did nothing, and not if an answer is missing. */
  repeat?: "ifRefused";
  /** S3 may work long before it answers. */
  isLong?: boolean;
}

/** An answer that was read as a whole. */
export interface S3Answer {
  headers: S3Stream["headers"];
  text: string;
}

/** An answer whose bytes are read while they arrive. Whoever opens it has to read or destroy them. */
export type S3Stream = Dispatcher.ResponseData;

/** Sends requests. */
export interface S3Requests {
  /** Sends the request, and repeats it if that may help. Throws `S3Failure`. */
  send(request: S3Request): Promise<S3Answer>;
  /** As `send`, but the answer is streamed if it is no error. */
  open(request: S3Request): Promise<S3Stream>;
  /** Waits before another attempt; `attempt` counts from 0. Returns false if it was the last one. */
  pause(attempt: number): Promise<boolean>;
  /** Ends all requests. */
  close(): void;
}

export function createS3Requests(settings: S3Settings, patience: S3Patience): S3Requests {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const { silenceMs, longSilenceMs, pausesMs } = patience;
  const address = `${endpoint.replace(/\/+$/, "")}/${bucket}/`;
  const signing = { service: "s3", region, accessKeyId, secretAccessKey, cache: new Map() };
  const connect = { timeout: silenceMs };
  const agent = new Agent({ connect });
  /** Opens a connection for each request. */
  const freshAgent = new Agent({ connect, pipelining: 0 });

  /** Answers that are errors, and everything that goes wrong on the way, are thrown as failures. */
  const exchange = async (request: S3Request): Promise<S3Stream> => {
    const { method, key = "", query = {}, body, signal } = request;
    const url = `${address}${key}?${new URLSearchParams(query).toString()}`;
    const sizes = body === undefined ? {} : { "content-length": String(body.size) };
    const signer = new AwsV4Signer({ ...signing, method, url, headers: { ...request.headers, ...sizes } });
    const timeout = request.isLong === true ? longSilenceMs : silenceMs;
    const signed = await signer.sign();
    const answer = await sendRequest(signed.url, {
      method,
      headers: signed.headers,
      body: body?.open() ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      // Otherwise the connection of a HEAD is closed after it.
      reset: false,
      // A kept connection may have ended at this moment, and then nobody knows whether the request arrived.
      dispatcher: request.repeat === "ifRefused" ? freshAgent : agent,
      ...(signal && { signal }),
    }).catch(throwFailure);
    if (answer.statusCode < 300) return answer;
    throw new S3Failure(codeOf(await answer.body.text().catch(throwFailure)), answer.statusCode);
  };

  const pause = async (count: number) => {
    const ms = pausesMs[count];
    if (ms === undefined) return false;
    await sleep(ms);
    return true;
  };

  const attempt = async <T>(request: S3Request, work: () => Promise<T>): Promise<T> => {
    for (let count = 0; ; count++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof S3Failure)) throw error;
        const isUnsure = request.repeat === "ifRefused" && !SAYS_NOTHING_DONE.includes(error.status ?? 0);
        if (isUnsure || !error.isPassing || !(await pause(count))) throw error;
      }
    }
  };

  return {
    send: (request) =>
      attempt(request, async () => {
        const { headers, body } = await exchange(request);
        const text = await body.text().catch(throwFailure);
        // S3 may fail after it has begun to answer with status 200.
        if (/<Error[\s>]/.test(text)) throw new S3Failure(codeOf(text), 500);
        return { headers, text };
      }),
    open: (request) => attempt(request, () => exchange(request)),
    pause,
    close() {
      for (const each of [agent, freshAgent]) void each.destroy(new S3Failure(CLOSED));
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

/** What S3 calls the error that it answers with; empty if it does not say. */
function codeOf(answer: string): string {
  return /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1] ?? "";
}

/** The failure that an error between request and answer is: it is about the network, or why the request was ended. */
export function failureOf(error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  const { code, name } = error as Error & { code?: string };
  return new S3Failure(CODES[code ?? name] ?? code ?? name);
}

function throwFailure(error: unknown): never {
  throw failureOf(error);
}
