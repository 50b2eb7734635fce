import { join } from "node:path";
import { EMOTICONS } from "@parley/protocol/emoticons";
import { repository } from "./files.ts";

/** The code point of emoticon 0 in a field. The others follow it. */
export const FIRST_CODE = 0x3ff00;
/** The width of each of them, in thousandths of the font size. */
const ADVANCE = 1_500;

const EM = 1_000;
const ASCENT = 800;
const DESCENT = 200;
const FAMILY = "Parley Emoticons";

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => int(value, 2)));
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => int(value, 4)));

function int(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes.subarray(4 - size);
}

/** The font for emoticons in fields, and its file: blank glyphs of one width, over which the pictures are drawn. */
export function generateEmoticonFont(): { file: string; bytes: Buffer } {
  // The first glyph of a font is used for characters that it does not contain.
  const glyphCount = EMOTICONS.length + 1;
  return {
    file: join(repository, "packages/web/public/emoticons/blank.ttf"),
    bytes: fileOf({
      "OS/2": os2(),
      cmap: cmap(),
      glyf: Buffer.alloc(1),
      head: head(),
      hhea: u16(1, 0, ASCENT, -DESCENT, 0, ADVANCE, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1),
      hmtx: u16(ADVANCE, ...Array.from({ length: glyphCount }, () => 0)),
      // No glyph has an outline.
      loca: u16(...Array.from({ length: glyphCount + 1 }, () => 0)),
      maxp: u16(1, 0, glyphCount, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
      name: names(),
      post: Buffer.concat([u32(0x00030000, 0), u16(0, 0), u32(1, 0, 0, 0, 0)]),
    }),
  };
}

/** Maps characters to glyphs, in one contiguous group. */
function cmap(): Buffer {
  const group = u32(FIRST_CODE, FIRST_CODE + EMOTICONS.length - 1, 1);
  const table = Buffer.concat([u16(12, 0), u32(16 + group.length, 0, 1), group]);
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), table]);
}

function head(): Buffer {
  const dates = u32(0, 0, 0, 0);
  return Buffer.concat([
    u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5),
    u16(0, EM),
    dates,
    u16(0, 0, 0, 0, 0, 8, 2, 0, 0),
  ]);
}

function os2(): Buffer {
  const metrics = u16(4, ADVANCE, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0);
  const panose = Buffer.alloc(10);
  // The Unicode blocks that it covers: none of those that have a bit.
  const ranges = u32(0, 0, 0, 0);
  // The first and last characters. This table cannot express any beyond the first plane.
  const characterRange = u16(0x40, 0xffff, 0xffff, ASCENT, -DESCENT, 0, ASCENT, DESCENT);
  return Buffer.concat([
    metrics,
    panose,
    ranges,
    Buffer.from("    "),
    characterRange,
    u32(1, 0),
    u16(0, 0, 0, 0, 0),
  ]);
}

function names(): Buffer {
  const texts = [FAMILY, "Regular", FAMILY, FAMILY, "Version 1.0", FAMILY.replaceAll(" ", "")];
  const encoded = texts.map((text) => Buffer.from(text, "utf16le").swap16());
  let offset = 0;
  const records = encoded.map((text, index) => {
    const record = u16(3, 1, 0x409, index + 1, text.length, offset);
    offset += text.length;
    return record;
  });
  return Buffer.concat([u16(0, texts.length, 6 + 12 * texts.length), ...records, ...encoded]);
}

/** A TrueType file of these tables, with the checksums that browsers verify. */
function fileOf(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  const power = 2 ** Math.floor(Math.log2(entries.length));
  let offset = 12 + 16 * entries.length;
  const directory: Buffer[] = [];
  const bodies: Buffer[] = [];
  let headAt = 0;
  for (const [tag, table] of entries) {
    if (tag === "head") headAt = offset;
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    directory.push(Buffer.from(tag), u32(checksumOf(body), offset, table.length));
    bodies.push(body);
    offset += body.length;
  }
  const start = Buffer.concat([
    u32(0x00010000),
    u16(entries.length, power * 16, Math.log2(power), (entries.length - power) * 16),
  ]);
  const file = Buffer.concat([start, ...directory, ...bodies]);
  file.writeUInt32BE((0xb1b0afba - checksumOf(file)) >>> 0, headAt + 8);
  return file;
}

function checksumOf(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
