/** Encodes the server's WebSocket frames. They have no mask, so one buffer serves every receiver. */
import { Cmd } from "@parley/protocol/codes";

const FINAL_TEXT = 0x81;
const FINAL_PING = 0x89;

/** A whole text frame. */
export function encodeText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = FINAL_TEXT;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}

export const PING_FRAME = Buffer.from([FINAL_PING, 0]);
export const HEARTBEAT_FRAME = encodeText(JSON.stringify({ cmd: Cmd.HEARTBEAT, data: null }));
