/** Bytes of WebSocket frames as a client sends them, right or wrong, and of those that come back. */

export const Opcode = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const;

export interface FrameOptions {
  opcode: number;
  isFinal?: boolean;
  /** The three bits that no extension has given a meaning. */
  reserved?: number;
  isMasked?: boolean;
  /** In place of its true length, for a frame that lies. */
  length?: bigint;
}

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

export function clientFrame(
  payload: Buffer,
  { opcode, isFinal = true, reserved = 0, isMasked = true, length }: FrameOptions,
): Buffer {
  const head = [(isFinal ? 0x80 : 0) | (reserved << 4) | opcode];
  const mask = isMasked ? 0x80 : 0;
  const told = length ?? BigInt(payload.length);
  const rest = Buffer.alloc(8);
  if (told < 126n) head.push(mask | Number(told));
  else if (told < 65_536n) {
    rest.writeUInt16BE(Number(told));
    head.push(mask | 126, ...rest.subarray(0, 2));
  } else {
    rest.writeBigUInt64BE(told);
    head.push(mask | 127, ...rest);
  }
  if (!isMasked) return Buffer.concat([Buffer.from(head), payload]);
  const masked = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) masked[i] = (payload[i] ?? 0) ^ (MASK[i & 3] ?? 0);
  return Buffer.concat([Buffer.from(head), MASK, masked]);
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return clientFrame(payload, { opcode: Opcode.CLOSE });
}

export interface RawFrame {
  opcode: number;
  payload: Buffer;
}

/** Whole frames at the start of these bytes, and what is left. Throws on what no server may send. */
export function readFrames(bytes: Buffer): { frames: RawFrame[]; rest: Buffer } {
  const frames: RawFrame[] = [];
  let at = 0;
  for (;;) {
    if (bytes.length - at < 2) break;
    const [first = 0, second = 0] = bytes.subarray(at);
    if ((first & 0xf0) !== 0x80 || (second & 0x80) !== 0)
      throw new Error("the server sent a frame that is none");
    const short = second & 0x7f;
    const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length - at < headLength) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + headLength + length;
    if (bytes.length < end) break;
    frames.push({ opcode: first & 0x0f, payload: bytes.subarray(at + headLength, end) });
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
