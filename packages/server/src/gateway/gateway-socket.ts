/** One socket: what it is, and how bytes reach it. Thousands lie idle, so each holds little and no timer. */
import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import { CloseCode } from "@parley/protocol/codes";
import { SOCKET_BUFFER_MAX_BYTES } from "@parley/protocol/limits";
import type { Session } from "../ports/call.ts";
import { type Language, languageOf } from "../ports/language.ts";

/** Before its login; logged in; told to leave and not served any more. */
type Phase = "new" | "open" | "ending";

/** What the library would close with for frames that break RFC 6455, are too long or come in too many pieces. */
const BROKEN_FRAME_CODES: readonly (number | undefined)[] = [1002, 1003, 1007, 1008, 1009];

/** Hears what happens to its sockets. */
export interface SocketOwner {
  read(socket: GatewaySocket, data: RawData, isBinary: boolean): void;
  /** A sign of life that carries nothing. */
  noteActivity(socket: GatewaySocket): void;
  closed(socket: GatewaySocket): void;
}

export class GatewaySocket extends WebSocket {
  phase: Phase = "new";
  number = 0;
  address = "";
  language: Language = languageOf(undefined);
  session: Session | undefined;
  deviceNo: string | null = null;
  clientId: string | null = null;
  capabilities: readonly string[] = [];
  /** When it is closed unless something happens first, and with which code. Epoch ms. */
  deadline = Infinity;
  deadlineCode: number = CloseCode.NO_LOGIN;
  lastActiveAt = 0;
  lastPing = 0;
  /** The connection below. */
  raw: Socket | undefined;

  owner: SocketOwner | undefined;

  /** The listeners are the same few functions for all sockets. */
  listen(owner: SocketOwner): void {
    this.owner = owner;
    this.on("message", onMessage);
    this.on("pong", onPong);
    this.on("close", onClose);
    this.on("error", ignore);
  }

  override close(code?: number, reason?: string | Buffer): void {
    super.close(BROKEN_FRAME_CODES.includes(code) ? CloseCode.MALFORMED : code, reason);
  }

  /** Writes a whole frame; answers false when too much is waiting and the socket must go. */
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

function onClose(this: WebSocket): void {
  if (this instanceof GatewaySocket) this.owner?.closed(this);
}

/** The close event follows and does what is to do. */
function ignore(): void {}
