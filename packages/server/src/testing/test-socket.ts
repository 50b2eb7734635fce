/** A socket for tests: collects the frames that arrive and waits for expected ones. */
import { type ClientOptions, WebSocket } from "ws";
import { MessageStatus } from "@parley/protocol/codes";
import { type LoginData, serverFrame } from "@parley/protocol/frame";
import { kindOf } from "@parley/protocol/message";

/** A frame of the server; `data` lists the fields that tests often read. */
export interface Frame {
  cmd: number;
  reason?: string;
  data: {
    type?: number;
    id?: number;
    sendId?: number;
    recvId?: number;
    content?: string;
    tmpId?: string | null;
    status?: number;
    maxId?: number;
    fromId?: number;
    seqNo?: number;
    epoch?: string;
    [field: string]: unknown;
  } | null;
}

const WAIT_MS = 60_000;

/** Throws unless the protocol describes the frame and what its JSON content holds. */
export function requireProtocolFrame(frame: Frame): void {
  const parsed = serverFrame.safeParse(frame);
  if (!parsed.success)
    throw new Error(`not a frame of the protocol: ${JSON.stringify(frame)}: ${parsed.error}`);
  const { type, content, status } = frame.data ?? {};
  const kind = type === undefined ? undefined : kindOf(type);
  if (kind?.schema === undefined || status === MessageStatus.RECALL) return;
  const read = kind.schema.safeParse(JSON.parse(content ?? ""));
  if (!read.success) throw new Error(`not a content of ${kind.name}: ${content}: ${read.error}`);
}

/** Wraps a WebSocket to the server. */
export class TestSocket {
  readonly ws: WebSocket;
  /** All frames that arrived, except replies to heartbeats. */
  readonly frames: Frame[] = [];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  #heartbeats = 0;
  #consumed = 0;
  #wake: (() => void)[] = [];

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data: Buffer) => {
      const frame = JSON.parse(data.toString("utf8")) as Frame;
      requireProtocolFrame(frame);
      if (frame.cmd === 1) this.#heartbeats++;
      else this.frames.push(frame);
      this.#wakeAll();
    });
    this.closed = new Promise((resolve) =>
      ws.on("close", (code) => {
        resolve(code);
        this.#wakeAll();
      }),
    );
  }

  static open(url: string, options: ClientOptions = {}, path = "/im"): Promise<TestSocket> {
    const ws = new WebSocket(`${url.replace("http", "ws")}${path}`, options);
    const socket = new TestSocket(ws);
    return new Promise((resolve, reject) => {
      ws.on("open", () => resolve(socket));
      ws.on("error", reject);
    });
  }

  login(data: LoginData): void {
    this.send({ cmd: 0, data });
  }

  send(value: unknown): void {
    this.ws.send(typeof value === "string" ? value : JSON.stringify(value));
  }

  /** The next frame that matches, after those that earlier calls returned. `what` names it in the error of a failing test. */
  async next(
    matches: (frame: Frame) => boolean = () => true,
    what = `a frame for which ${String(matches).replaceAll(/\s+/g, " ")}`,
  ): Promise<Frame> {
    return this.#until(what, () => {
      for (let i = this.#consumed; i < this.frames.length; i++) {
        const frame = this.frames[i];
        if (frame && matches(frame)) {
          this.#consumed = i + 1;
          return frame;
        }
      }
      return undefined;
    });
  }

  /** The next push of this message type. */
  nextOf(type: number): Promise<Frame> {
    return this.next(
      (frame) => frame.data?.type === type,
      `a ${kindOf(type)?.name ?? "push"} (type ${type})`,
    );
  }

  /** Waits until everything that was sent to this socket has arrived. Returns all frames. */
  async flush(): Promise<Frame[]> {
    const wanted = this.#heartbeats + 1;
    this.send({ cmd: 1, data: {} });
    await this.#until("a heartbeat's reply", () => this.#heartbeats >= wanted || undefined);
    return this.frames;
  }

  /** The pushes of this type that have arrived. */
  of(type: number): Frame[] {
    return this.frames.filter((frame) => frame.data?.type === type);
  }

  close(): void {
    this.ws.close(3000);
  }

  async #until<T>(what: string, check: () => T | undefined): Promise<T> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const found = check();
      if (found !== undefined) return found;
      const describeFrames = () =>
        `there were ${this.#consumed} frames before, since then ${printFrames(this.frames.slice(this.#consumed))}`;
      if (this.ws.readyState === WebSocket.CLOSED)
        throw new Error(`the socket closed before ${what} came; ${describeFrames()}`);
      if (Date.now() > end) throw new Error(`${what} did not come; ${describeFrames()}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const PRINTED_CHARACTERS_MAX = 2_000;

function printFrames(frames: readonly Frame[]): string {
  return frames.length === 0 ? "none" : JSON.stringify(frames).slice(0, PRINTED_CHARACTERS_MAX);
}
