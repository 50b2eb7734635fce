/** A socket inside the process. It connects the fake socket of a client with a stream that the real gateway accepts as a TCP connection. */
import type { IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
/** The close code of a connection that ends without a close frame. */
const ABNORMAL = 1_006;
const HEADER_END = "\r\n\r\n";

/** Gets what the server sends. */
interface RawHandlers {
  text(text: string): void;
  closed(code: number): void;
}

class RawStream extends Duplex {
  #rest: Buffer = Buffer.alloc(0);
  #isUpgraded = false;
  readonly #handlers: RawHandlers;

  constructor(handlers: RawHandlers) {
    super();
    this.#handlers = handlers;
    this.on("error", () => undefined);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#readFrames();
    done();
  }

  override _final(done: () => void): void {
    this.#handlers.closed(ABNORMAL);
    done();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#handlers.closed(ABNORMAL);
    done();
  }

  #readFrames(): void {
    if (!this.#isUpgraded) {
      const end = this.#rest.indexOf(HEADER_END);
      if (end < 0) return;
      this.#isUpgraded = true;
      this.#rest = this.#rest.subarray(end + HEADER_END.length);
    }
    for (let frame = readFrame(this.#rest); frame !== undefined; frame = readFrame(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.length);
      if (frame.opcode === TEXT) this.#handlers.text(frame.payload.toString("utf8"));
      else if (frame.opcode === PING) this.push(maskedFrame(PONG, frame.payload));
      else if (frame.opcode === CLOSE) {
        const code = frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : ABNORMAL;
        this.#handlers.closed(code);
        this.destroy();
        return;
      }
    }
  }
}

function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const lengthField = (bytes[1] ?? 0) & 0x7f;
  const head = lengthField < 126 ? 2 : lengthField === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const size =
    lengthField < 126
      ? lengthField
      : lengthField === 126
        ? bytes.readUInt16BE(2)
        : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < head + size) return undefined;
  return {
    opcode: (bytes[0] ?? 0) & 0x0f,
    payload: bytes.subarray(head, head + size),
    length: head + size,
  };
}

/** A frame of a client, maskedFrame with four zeros. */
function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const size = payload.length;
  const head = Buffer.alloc(size < 126 ? 6 : 8);
  head[0] = 0x80 | opcode;
  if (size < 126) head[1] = 0x80 | size;
  else {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(size, 2);
  }
  return Buffer.concat([head, payload]);
}

/** The upgrade request. Any 16 bytes are a valid key. */
const HANDSHAKE = {
  method: "GET",
  url: "/im",
  headers: {
    host: "im.example",
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "sec-websocket-version": "13",
  },
} as unknown as IncomingMessage;

/** One connection between a client and a node. */
export interface SimulatedSocket {
  /** The close code if the server has closed it. The client gets it after all frames that are under way. */
  readonly closeCode: number | null;
  /** Delivers the next text to the server. */
  deliverUp(): void;
  /** Breaks the connection. Everything under way is lost. */
  cut(): void;
}

/** The part of the gateway that accepts connections. */
export interface UpgradeTarget {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Connects a fake socket to a gateway. */
export function openSimulatedSocket(
  wire: FakeSocket,
  gateway: UpgradeTarget,
  onTraffic: (text: string) => void,
): SimulatedSocket {
  let serverCloseCode: number | null = null;
  const raw = new RawStream({
    text(text) {
      if (serverCloseCode !== null) return;
      wire.down.push(text);
      onTraffic(text);
    },
    closed: (code) => void (serverCloseCode ??= code),
  });
  gateway.upgrade(HANDSHAKE, raw, Buffer.alloc(0));
  return {
    get closeCode() {
      return serverCloseCode;
    },
    deliverUp() {
      const text = wire.up.shift();
      if (text !== undefined && !raw.destroyed) raw.push(maskedFrame(TEXT, Buffer.from(text)));
    },
    cut() {
      raw.destroy();
    },
  };
}
