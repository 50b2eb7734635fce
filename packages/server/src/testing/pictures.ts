import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32, createDeflate } from "node:zlib";
import sharp from "sharp";

const ROWS_AT_ONCE = 500;

/** A picture of these sides in px that changes from red to blue and back every 200 ms, without end. */
export function animatedPicture(format: "gif" | "webp", width: number, height: number): Promise<Buffer> {
  const frame = (red: number, blue: number) => Buffer.alloc(width * height * 3, Buffer.from([red, 0, blue]));
  const frames = Buffer.concat([frame(255, 0), frame(0, 255)]);
  const raw = { width, height: height * 2, channels: 3, pageHeight: height } as const;
  const options = { delay: [200, 200], loop: 0 };
  const picture = sharp(frames, { raw });
  return (format === "gif" ? picture.gif(options) : picture.webp({ ...options, lossless: true })).toBuffer();
}

/** A PNG of one colour and of these sides in px, which may be large. */
export function plainPicture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
}

/** A part of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A whole black PNG with one bit for each pixel; its side is a multiple of 500 px. Small, and much work to decode. */
export async function blackPicture(side: number): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  // A row begins with the number of its filter. The pixels of a large picture do not fit into memory at once.
  const rows = Buffer.alloc((1 + Math.ceil(side / 8)) * ROWS_AT_ONCE);
  const parts = Readable.from(Array.from({ length: side / ROWS_AT_ONCE }, () => rows));
  const pixels = await buffer(parts.pipe(createDeflate({ level: 1 })));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", head),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
