import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { repository } from "./files.ts";

const LOGO_PX = 40;
const WINDOWS_PX = [16, 20, 24, 32, 40, 48, 64, 128, 256];
const LINUX_PX = [16, 24, 32, 48, 64, 128, 256, 512];

/** The parts of an `.icns` file, by the name of the part: squares of so many pixels, as PNG. */
const MAC_PX: Readonly<Record<string, number>> = {
  icp4: 16,
  icp5: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
};

/** Draws at that size, and does not enlarge from the size of the logo. */
function draw(svg: string, px: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * px) / LOGO_PX })
    .resize(px, px)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A Windows icon of PNG pictures. The sizes are in pixels, at most 256. */
async function ico(svg: string, sizes: readonly number[]): Promise<Buffer> {
  const pictures = await Promise.all(sizes.map((px) => draw(svg, px)));
  const header = Buffer.alloc(6 + 16 * sizes.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(sizes.length, 4);
  let offset = header.length;
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 256 does not fit into the byte; 0 stands for it.
    const px = (sizes[index] ?? 0) % 256;
    header.writeUInt8(px, at);
    header.writeUInt8(px, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(picture.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  }
  return Buffer.concat([header, ...pictures]);
}

async function icns(svg: string): Promise<Buffer> {
  const parts = await Promise.all(
    Object.entries(MAC_PX).map(async ([name, px]) => icnsPart(name, await draw(svg, px))),
  );
  return icnsPart("icns", Buffer.concat(parts));
}

function icnsPart(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(name, "latin1");
  header.writeUInt32BE(header.length + content.length, 4);
  return Buffer.concat([header, content]);
}

/**
 * Draws the icons that electron-builder puts into the packages of the systems. What the running application shows is among the files of the
 * web client.
 */
export async function drawPackageIcons(folder: string): Promise<void> {
  const logo = readFileSync(join(repository, "packages/web/public/favicon.svg"), "utf8");
  // Icons of macOS keep a margin of a tenth.
  const withMargin = logo.replace('"0 0 40 40"', '"-5 -5 50 50"');
  const linux = join(folder, "linux");
  mkdirSync(linux, { recursive: true });
  writeFileSync(join(folder, "icon.ico"), await ico(logo, WINDOWS_PX));
  writeFileSync(join(folder, "icon.icns"), await icns(withMargin));
  for (const px of LINUX_PX) writeFileSync(join(linux, `${px}x${px}.png`), await draw(logo, px));
}
