/** Messages of STUN and TURN (RFC 8489, RFC 8656), as far as the doctor needs them. */
import { createHash, createHmac, randomBytes } from "node:crypto";

/** Methods. */
export const BINDING = 0x0001;
export const ALLOCATE = 0x0003;
export const REFRESH = 0x0004;

const SUCCESS = 0x0100;
const CLASS = 0x0110;
const COOKIE = 0x2112_a442;
const HEADER_BYTES = 20;
const INTEGRITY_BYTES = 24;

export const Attribute = {
  USERNAME: 0x0006,
  MESSAGE_INTEGRITY: 0x0008,
  ERROR_CODE: 0x0009,
  LIFETIME: 0x000d,
  REALM: 0x0014,
  NONCE: 0x0015,
  REQUESTED_TRANSPORT: 0x0019,
} as const;

/** The value of REQUESTED_TRANSPORT for a relay over UDP. */
export const UDP_TRANSPORT = Buffer.from([17, 0, 0, 0]);

export interface StunAttribute {
  type: number;
  value: Buffer;
}

/** Credentials, with what the server has told to use them. */
export interface StunLogin {
  username: string;
  password: string;
  realm: Buffer;
  nonce: Buffer;
}

/** An answer. */
export interface StunMessage {
  isSuccess: boolean;
  /** The number of the error, such as 401. */
  error: number | undefined;
  realm: Buffer | undefined;
  nonce: Buffer | undefined;
}

/** A request; with a login it is signed. */
export function encodeStun(method: number, attributes: readonly StunAttribute[], login?: StunLogin): Buffer {
  const all = [...attributes];
  if (login !== undefined) {
    all.push(
      { type: Attribute.USERNAME, value: Buffer.from(login.username) },
      { type: Attribute.REALM, value: login.realm },
      { type: Attribute.NONCE, value: login.nonce },
    );
  }
  const body = Buffer.concat(all.map(encodeAttribute));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(method, 0);
  header.writeUInt32BE(COOKIE, 4);
  randomBytes(12).copy(header, 8);
  if (login === undefined) {
    header.writeUInt16BE(body.length, 2);
    return Buffer.concat([header, body]);
  }
  // The signature counts itself in the length, and signs what is before it.
  header.writeUInt16BE(body.length + INTEGRITY_BYTES, 2);
  const signed = Buffer.concat([header, body]);
  const key = createHash("md5")
    .update(`${login.username}:${login.realm.toString()}:${login.password}`)
    .digest();
  const value = createHmac("sha1", key).update(signed).digest();
  return Buffer.concat([signed, encodeAttribute({ type: Attribute.MESSAGE_INTEGRITY, value })]);
}

function encodeAttribute({ type, value }: StunAttribute): Buffer {
  const data = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  data.writeUInt16BE(type, 0);
  data.writeUInt16BE(value.length, 2);
  value.copy(data, 4);
  return data;
}

/** Reads an answer. Throws if it is none. */
export function readStun(data: Buffer): StunMessage {
  if (data.length < HEADER_BYTES || data.readUInt32BE(4) !== COOKIE)
    throw new Error("the answer is not STUN");
  const attributes = new Map<number, Buffer>();
  for (let at = HEADER_BYTES; at + 4 <= data.length;) {
    const length = data.readUInt16BE(at + 2);
    attributes.set(data.readUInt16BE(at), data.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  const error = attributes.get(Attribute.ERROR_CODE);
  return {
    isSuccess: (data.readUInt16BE(0) & CLASS) === SUCCESS,
    error:
      error === undefined || error.length < 4 ? undefined : error.readUInt8(2) * 100 + error.readUInt8(3),
    realm: attributes.get(Attribute.REALM),
    nonce: attributes.get(Attribute.NONCE),
  };
}
