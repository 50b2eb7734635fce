import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { repository } from "./files.ts";

const LOGO_PX = 40;
const WINDOWS_PX = [16, 20, 24, 32, 40, 48, 64, 128, 256];
const LINUX_PX = [16, 24, 32, 48, 64, 128, 256, 512];
/** 18 points, with two pixels each. */
const MENU_BAR_PX = 36;

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
 * Draws the icons of the desktop application from the logo: into `icons` what it shows while it runs, into `packageIcons` what
 * electron-builder puts into the packages of the systems.
 */
export async function drawDesktopIcons(icons: string, packageIcons: string): Promise<void> {
  const logo = readFileSync(join(repository, "packages/web/public/favicon.svg"), "utf8");
  // The menu bar of macOS uses only the opacity of an icon, and has its own margins.
  const bubble = logo.replace(/<rect[^>]*\/>/, "").replace('"0 0 40 40"', '"8 8 24 24"');
  // Icons of macOS keep a margin of a tenth.
  const withMargin = logo.replace('"0 0 40 40"', '"-5 -5 50 50"');
  mkdirSync(icons, { recursive: true });
  mkdirSync(join(packageIcons, "linux"), { recursive: true });
  const drawings: Record<string, Promise<Buffer>> = {
    [join(icons, "trayTemplate.png")]: draw(bubble, MENU_BAR_PX),
    [join(packageIcons, "icon.ico")]: ico(logo, WINDOWS_PX),
    [join(packageIcons, "icon.icns")]: icns(withMargin),
  };
  for (const px of LINUX_PX) drawings[join(packageIcons, `linux/${px}x${px}.png`)] = draw(logo, px);
  await Promise.all(
    Object.entries(drawings).map(async ([file, drawing]) => writeFileSync(file, await drawing)),
  );
}
