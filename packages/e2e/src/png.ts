import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = 2;
const BIT_DEPTH = 8;

/** A valid PNG file: a square with sides of this many pixels, in changing colours. */
export function createPng(side: number): Buffer {
  const row = Buffer.alloc(1 + side * 3);
  for (let i = 1; i < row.length; i++) row[i] = (i * 5) % 256;
  return encode(side, side, row);
}

/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [number, number, number];

/** A PNG file of this height with stripes of these colours side by side, each `stripe` pixels wide. */
export function createStripes(height: number, stripe: number, colours: readonly Colour[]): Buffer {
  const pixels = colours.flatMap((colour) => Array.from({ length: stripe }, () => colour).flat());
  return encode(colours.length * stripe, height, Buffer.from([0, ...pixels]));
}

function encode(width: number, height: number, row: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BIT_DEPTH, TRUE_COLOUR], 8);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
