/** A connection to the gateway on which anything can be said. */
import { connect } from "node:net";
import { Opcode, closeFrame, readFrames } from "../raw-frames.ts";

const HANDSHAKE =
  "GET /im HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const HEAD_END = Buffer.from("\r\n\r\n");
/** The server gives a client up that does not answer its close; whoever waits longer waits for ever. */
const WITHIN_MS = 60_000;

export interface ReceivedFrames {
  /** Texts, and `pong` with its payload in base64, in the order in which they came. */
  replies: string[];
  /** Code of the server's close frame; null: it only ended the connection. */
  code: number | null;
}

export interface FramesToSend {
  bytes: readonly Buffer[];
  /** Ends the connection after this, without a word. */
  isCut?: boolean;
  handshake?: string;
}

/** Says all of it at once, listens until the end, and answers the server's close. */
export function exchangeFrames(
  port: number,
  { bytes, isCut = false, handshake = HANDSHAKE }: FramesToSend,
): Promise<ReceivedFrames> {
  return new Promise((resolve, reject) => {
    const receivedFrames: ReceivedFrames = { replies: [], code: null };
    let received: Buffer = Buffer.alloc(0);
    let isOpen = false;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the server did not end a connection after ${JSON.stringify(receivedFrames)}`));
    }, WITHIN_MS);
    const take = () => {
      if (!isOpen) {
        const end = received.indexOf(HEAD_END);
        if (end < 0) return;
        isOpen = received.subarray(0, 12).toString() === "HTTP/1.1 101";
        if (!isOpen) {
          // Not upgraded: what comes is HTTP.
          received = Buffer.alloc(0);
          return;
        }
        received = received.subarray(end + HEAD_END.length);
      }
      const { frames, rest } = readFrames(received);
      received = rest;
      for (const { opcode, payload } of frames) {
        if (opcode === Opcode.TEXT) receivedFrames.replies.push(payload.toString("utf8"));
        else if (opcode === Opcode.PONG) receivedFrames.replies.push(`pong ${payload.toString("base64")}`);
        else if (opcode === Opcode.CLOSE) {
          receivedFrames.code = payload.length >= 2 ? payload.readUInt16BE() : 1_005;
          if (socket.writable)
            socket.end(closeFrame(receivedFrames.code === 1_005 ? 1_000 : receivedFrames.code));
        }
      }
    };
    socket.on("data", (data: Buffer) => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      try {
        take();
      } catch (error) {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      }
    });
    // A reset is an end like any other.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(receivedFrames);
    });
    socket.write(handshake);
    for (const part of bytes) socket.write(part);
    if (isCut) socket.end();
  });
}
