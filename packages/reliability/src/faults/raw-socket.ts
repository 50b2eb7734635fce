/** Sends any bytes to the gateway on a new connection and collects its frames. */
import { connect } from "node:net";
import { HANDSHAKE, Opcode, closeFrame, readFrames } from "../raw-frames.ts";

const HEAD_END = Buffer.from("\r\n\r\n");
/** Longer than the server waits for the close frame of a client. */
const WITHIN_MS = 60_000;

/** What the server sent. */
export interface ReceivedFrames {
  /** Texts, and `pong` with its payload in base64, in the order of arrival. */
  replies: string[];
  /** The code of the server's close frame; null if it ended the connection without one. */
  code: number | null;
}

/** What to send. */
export interface FramesToSend {
  bytes: readonly Buffer[];
  /** Ends the connection after these bytes, without a close frame. */
  isCut?: boolean;
  handshake?: string;
}

/** Sends everything at once, collects frames until the connection ends, and answers the server's close frame. */
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
    const readReceived = () => {
      if (!isOpen) {
        const end = received.indexOf(HEAD_END);
        if (end < 0) return;
        isOpen = received.subarray(0, 12).toString() === "HTTP/1.1 101";
        if (!isOpen) {
          // Not upgraded: the rest is HTTP.
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
        readReceived();
      } catch (error) {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      }
    });
    // A reset also ends the connection.
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
