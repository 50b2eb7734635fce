/** Encodes WebSocket frames as a client sends them, valid or not, and decodes those of the server. */

/** The request for a socket. Any 16 bytes are a valid key. */
export const HANDSHAKE = [
  "GET /im HTTP/1.1",
  "host: localhost",
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");

/** The opcodes of RFC 6455. */
export const Opcode = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const;

/** The header of a frame. */
export interface FrameOptions {
  opcode: number;
  isFinal?: boolean;
  /** The three reserved bits, which no extension uses here. */
  reserved?: number;
  isMasked?: boolean;
  /** A wrong length to declare instead of the true one. */
  length?: bigint;
}

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** The bytes of one frame. */
export function clientFrame(
  payload: Buffer,
  { opcode, isFinal = true, reserved = 0, isMasked = true, length }: FrameOptions,
): Buffer {
  const head = [(isFinal ? 0x80 : 0) | (reserved << 4) | opcode];
  const mask = isMasked ? 0x80 : 0;
  const declaredLength = length ?? BigInt(payload.length);
  const rest = Buffer.alloc(8);
  if (declaredLength < 126n) head.push(mask | Number(declaredLength));
  else if (declaredLength < 65_536n) {
    rest.writeUInt16BE(Number(declaredLength));
    head.push(mask | 126, ...rest.subarray(0, 2));
  } else {
    rest.writeBigUInt64BE(declaredLength);
    head.push(mask | 127, ...rest);
  }
  if (!isMasked) return Buffer.concat([Buffer.from(head), payload]);
  const masked = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) masked[i] = (payload[i] ?? 0) ^ (MASK[i & 3] ?? 0);
  return Buffer.concat([Buffer.from(head), MASK, masked]);
}

/** The bytes of a close frame with this code. */
export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return clientFrame(payload, { opcode: Opcode.CLOSE });
}

/** A decoded frame. */
export interface RawFrame {
  opcode: number;
  payload: Buffer;
}

/** Decodes the complete frames at the start of these bytes and returns the rest. Throws on a frame that no server may send. */
export function readFrames(bytes: Buffer): { frames: RawFrame[]; rest: Buffer } {
  const frames: RawFrame[] = [];
  let at = 0;
  for (;;) {
    if (bytes.length - at < 2) break;
    const [first = 0, second = 0] = bytes.subarray(at);
    if ((first & 0xf0) !== 0x80 || (second & 0x80) !== 0) throw new Error("the server sent an invalid frame");
    const lengthField = second & 0x7f;
    const headLength = lengthField < 126 ? 2 : lengthField === 126 ? 4 : 10;
    if (bytes.length - at < headLength) break;
    const length =
      lengthField < 126
        ? lengthField
        : lengthField === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + headLength + length;
    if (bytes.length < end) break;
    frames.push({ opcode: first & 0x0f, payload: bytes.subarray(at + headLength, end) });
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
