/** Reads the files of a multipart body while it arrives. Nothing is kept in memory beyond the buffers of the streams. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { ApiError, malformedField } from "../api/api-error.ts";
import type { Upload, UploadedFile } from "../api/api-call.ts";
import { countReceived } from "./received-chunks.ts";

/** What a body may contain. */
export interface MultipartLimits {
  /** Files in other fields are skipped. */
  fields: readonly string[];
  /** Bytes of a file; what is beyond is not read. */
  fileMaxBytes: number;
  /** Bytes of the whole body. */
  bodyMaxBytes: number;
}

/** Skipped parts and plain fields; `bodyMaxBytes` limits their bytes. */
const OTHER_PARTS_MAX = 10;
/** Buffer of the body, and of each file: with less, reading would stop and go on with every chunk. */
const BUFFER_BYTES = 131072;
const PART_HEADERS_MAX_BYTES = 16_384;
const MEBIBYTE = 1_048_576;

/** The connections on which a body arrives. */
const receiving = new WeakSet<Socket>();

/** Whether a multipart body arrives on this connection. */
export function isReceiving(socket: Socket): boolean {
  return receiving.has(socket);
}

interface ArrivingFile {
  field: string;
  stream: BusboyFileStream;
}

export class MultipartBody implements Upload {
  readonly declaredBytes: number | null;
  /** Why the body cannot be read; an error of a consumer is not one. */
  failure: ApiError | undefined;
  readonly #request: IncomingMessage;
  readonly #limits: MultipartLimits;
  readonly #parser: BusboyInstance;
  readonly #arrived: ArrivingFile[] = [];
  readonly #abort = new AbortController();
  #current: BusboyFileStream | undefined;
  #isAtEnd = false;
  #receivedBytes = 0;
  /** Ends the wait for the next file. */
  #notify: (() => void) | undefined;

  /** Throws if the request has no multipart body, or a larger one than allowed. */
  constructor(request: IncomingMessage, limits: MultipartLimits) {
    const { "content-length": length } = request.headers;
    this.declaredBytes = length === undefined ? null : Number(length);
    this.#request = request;
    this.#limits = limits;
    if (this.declaredBytes !== null && this.declaredBytes > limits.bodyMaxBytes) throw this.#tooLarge();
    this.#parser = this.#createParser();
    const { socket } = request;
    if (socket.destroyed) this.#onGone();
    else socket.once("close", this.#onGone);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async *files(): AsyncGenerator<UploadedFile> {
    this.#start();
    const seen = new Set<string>();
    for (;;) {
      const file = await this.#next();
      if (file === undefined) return;
      const { field, stream } = file;
      if (this.#limits.fields.includes(field)) {
        if (seen.has(field)) throw malformedField(field, "is there twice");
        seen.add(field);
        yield { field, data: stream, isCut: () => stream.truncated };
      }
      stream.resume();
    }
  }

  /** Ends the work on the body. The rest of it stays in the connection. */
  end(): void {
    this.#stop();
    this.#request.socket.off("close", this.#onGone);
  }

  #stop(): void {
    const request = this.#request;
    receiving.delete(request.socket);
    request.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    if (!request.readableEnded) request.pause();
    this.#parser.removeAllListeners("drain");
  }

  #createParser(): BusboyInstance {
    try {
      return new Busboy({
        headers: this.#request.headers as BusboyHeaders,
        highWaterMark: BUFFER_BYTES,
        fileHwm: BUFFER_BYTES,
        limits: {
          fileSize: this.#limits.fileMaxBytes,
          fields: OTHER_PARTS_MAX,
          fieldSize: 0,
          parts: this.#limits.fields.length + OTHER_PARTS_MAX,
          headerSize: PART_HEADERS_MAX_BYTES,
        },
      });
    } catch {
      throw brokenBody();
    }
  }

  #start(): void {
    receiving.add(this.#request.socket);
    const parser = this.#parser;
    parser.on("file", (field, stream) => this.#onFile(field, stream));
    // Too many parts, or no multipart at all.
    parser.on("partsLimit", () => this.#fail(brokenBody()));
    parser.on("error", () => this.#fail(brokenBody()));
    parser.on("finish", () => {
      this.#isAtEnd = true;
      this.#notify?.();
    });
    parser.on("drain", () => this.#request.resume());
    this.#request.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onClose);
    // The reason of a broken connection does not matter: `close` follows.
    this.#request.on("error", () => undefined);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#receivedBytes += chunk.length;
    countReceived(chunk.length);
    // The declared length was checked, so this is a body that declares none.
    if (this.#receivedBytes > this.#limits.bodyMaxBytes) return this.#fail(this.#tooLarge());
    if (!this.#parser.write(chunk)) this.#request.pause();
  };

  readonly #onEnd = (): void => {
    // From now on the server is busy, and the silent connection is not its client's fault.
    this.#request.socket.setTimeout(0);
    this.#parser.end();
  };

  readonly #onGone = (): void => {
    this.#abort.abort(malformedField("body", "nobody waits for the answer"));
  };

  readonly #onClose = (): void => {
    if (!this.#request.complete) this.#fail(brokenBody());
  };

  #onFile(field: string, stream: BusboyFileStream): void {
    this.#current = stream;
    // The parser reports a broken part by an error without destroying the stream; a consumer destroys it.
    stream.on("error", () => {
      if (!stream.destroyed) this.#fail(brokenBody());
    });
    // The consumer learns of it at once, before the bytes beyond the limit arrive.
    stream.on("limit", () => void stream.push(null));
    this.#arrived.push({ field, stream });
    this.#notify?.();
  }

  #fail(error: ApiError): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.#stop();
    this.#current?.destroy(error);
    this.#notify?.();
  }

  async #next(): Promise<ArrivingFile | undefined> {
    for (;;) {
      const file = this.#arrived.shift();
      if (file !== undefined) return file;
      if (this.failure !== undefined) throw this.failure;
      if (this.#isAtEnd) return undefined;
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }

  #tooLarge(): ApiError {
    return new ApiError("upload.tooLarge", { max: this.#limits.fileMaxBytes / MEBIBYTE });
  }
}

function brokenBody(): ApiError {
  return malformedField("body", "is not a whole multipart body");
}
