/** One socket: its state, and how bytes are written to it. Thousands of sockets are idle, so each has little state and no timer. */
import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import { CloseCode } from "@parley/protocol/codes";
import { SOCKET_BUFFER_MAX_BYTES, SOCKET_LOGIN_TIMEOUT_MS } from "@parley/protocol/limits";
import type { Session } from "../api/api-call.ts";
import { type Language, languageOf } from "../api/language.ts";
import type { SocketAllowance } from "./frame-limits.ts";

/** Before the login; logged in; about to be closed and no longer served. */
type Phase = "new" | "open" | "ending";

/** The codes with which the library closes for frames that break RFC 6455, are too long or have too many fragments. */
const BROKEN_FRAME_CODES: readonly (number | undefined)[] = [1002, 1003, 1007, 1008, 1009];

/** How long a connection that was cut off stays open, so that its client can read the close frame. Nothing more is read from it. */
const CUT_OPEN_MS = 1_000;

/** Is called when something happens to its sockets. */
export interface SocketOwner {
  /** Bytes have come that nobody has read yet. False: the owner has cut the socket off, and nobody may read them. */
  admit(socket: GatewaySocket, chunk: Uint8Array): boolean;
  read(socket: GatewaySocket, data: RawData, isBinary: boolean): void;
  /** Notes a sign of life without content. */
  noteActivity(socket: GatewaySocket): void;
  /** `code`: the close code that the client has sent, or that of the end of the connection. */
  closed(socket: GatewaySocket, code: number): void;
}

/** A socket of the gateway, and its state. */
export class GatewaySocket extends WebSocket {
  phase: Phase = "new";
  number = 0;
  address = "";
  /** The network of the address, by which limits count. */
  network = "";
  language: Language = languageOf(undefined);
  session: Session | undefined;
  deviceNo: string | null = null;
  clientId: string | null = null;
  capabilities: readonly string[] = [];
  /** The time (epoch ms) at which the socket is closed with `deadlineCode`, unless something changes it before. */
  deadline = Infinity;
  deadlineCode: number = CloseCode.NO_LOGIN;
  /** Epoch ms; 0 before the login. */
  loggedInAt = 0;
  /** Which of two logins is newer, also on different nodes: near epoch ms, but larger than that of each login its node had heard of. */
  loginOrder = 0;
  lastActiveAt = 0;
  lastPing = 0;
  /** The connection under the WebSocket. */
  raw: Socket | undefined;
  /** What the client may still send. */
  allowance: SocketAllowance | undefined;
  /** The code with which `cut` has closed; the client's own code is ignored then. */
  cutCode: number | undefined;

  owner: SocketOwner | undefined;

  /** Adds the listeners, which are the same functions for all sockets. */
  listen(owner: SocketOwner): void {
    this.owner = owner;
    if (this.raw !== undefined) this.#guard(this.raw);
    this.on("message", onMessage);
    this.on("pong", onPong);
    this.on("close", onClose);
    this.on("error", ignore);
  }

  /**
   * Asks the owner before the library reads what has come. The library reads all frames of a chunk at once, also after a close, and drops
   * what comes after a broken frame as fast as it comes; so this listener is before its own, and stays when that is removed.
   */
  #guard(raw: Socket): void {
    const [read, ...others] = raw.listeners("data");
    if (read === undefined || others.length > 0)
      throw new Error("the library reads its socket in another way");
    let isAdmitted = true;
    const readAdmitted = (chunk: Uint8Array) => {
      if (isAdmitted) Reflect.apply(read, raw, [chunk]);
    };
    // As with the wrappers of `once`, the library can remove its listener by the function that it has added.
    readAdmitted.listener = read;
    raw.off("data", read as (chunk: Uint8Array) => void);
    raw.on("data", (chunk: Uint8Array) => {
      isAdmitted = this.cutCode === undefined && this.owner?.admit(this, chunk) !== false;
    });
    raw.on("data", readAdmitted);
  }

  /** Closes, and from now on reads nothing: what the client goes on sending stays in its own buffers until the connection ends. */
  cut(code: number, reason: string): void {
    const { raw } = this;
    if (this.cutCode !== undefined || raw === undefined) return;
    this.cutCode = code;
    super.close(code, reason);
    this.pause();
    // The library would read what is left when the connection ends.
    raw.prependListener("close", () => void raw.read());
    raw.end();
    setTimeout(() => raw.destroy(), CUT_OPEN_MS).unref();
  }

  /** After the clock was set back, the socket must not wait until the old time comes again. */
  clockSetBack(now: number): void {
    this.lastActiveAt = now;
    this.lastPing = Math.min(this.lastPing, now);
    if (this.deadline !== Infinity) this.deadline = Math.min(this.deadline, now + SOCKET_LOGIN_TIMEOUT_MS);
  }

  override close(code?: number, reason?: string | Buffer): void {
    super.close(BROKEN_FRAME_CODES.includes(code) ? CloseCode.MALFORMED : code, reason);
  }

  /** Writes a whole frame. Returns false if too much is buffered and the socket must be closed. */
  writeFrame(frame: Buffer): boolean {
    const { raw } = this;
    if (raw === undefined || this.readyState !== WebSocket.OPEN) return true;
    if (raw.writableLength + frame.length > SOCKET_BUFFER_MAX_BYTES) return false;
    raw.write(frame);
    return true;
  }
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof GatewaySocket) this.owner?.read(this, data, isBinary);
}

function onPong(this: WebSocket): void {
  if (this instanceof GatewaySocket) this.owner?.noteActivity(this);
}

function onClose(this: WebSocket, code: number): void {
  if (this instanceof GatewaySocket) this.owner?.closed(this, this.cutCode ?? code);
}

/** The close event follows, and its listener does the work. */
function ignore(): void {}
