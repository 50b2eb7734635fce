// Draws the icons of the installed app from `packages/web/public/favicon.svg`: `npx node tools/app-icons.mjs`. Run it when the logo changes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const web = fileURLToPath(new URL("../packages/web/public/", import.meta.url));
const logo = readFileSync(`${web}favicon.svg`, "utf8");
// Systems cut maskable icons into shapes of their own, so the background must reach the edges. The bubble lies within the inner 80 % already.
const fullBleed = logo.replace('rx="10"', "");
// Systems use only the opacity of a monochrome icon.
const bubble = logo.replace(/<rect[^>]*\/>/, "");

/** @type {[name: string, svg: string, px: number][]} */
const ICONS = [
  ["icon-192.png", logo, 192],
  ["icon-512.png", logo, 512],
  ["maskable-512.png", fullBleed, 512],
  ["monochrome-512.png", bubble, 512],
  ["apple-180.png", fullBleed, 180],
];
for (const [name, svg, px] of ICONS) {
  // Drawn at its size, and not enlarged from 40 px.
  await sharp(Buffer.from(svg), { density: (72 * px) / 40 })
    .resize(px, px)
    .png({ compressionLevel: 9, palette: true })
    .toFile(`${web}icons/${name}`);
}
