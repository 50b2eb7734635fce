// Renders the 57 animated emoticons of the web client from Microsoft's Fluent 3D pictures (MIT). Run it after a change here:
//   npm pack @lobehub/fluent-emoji-3d@1.1.0 && tar xzf lobehub-fluent-emoji-3d-1.1.0.tgz
//   node tools/emoticons.mjs package
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const FOLDER = new URL("../packages/web/public/emoticons/", import.meta.url);
const SIZE = 72;
/** Frames are drawn at twice the size and then scaled down, so that rotated edges are smooth. */
const DRAWN = SIZE * 2;
/** The size of the still picture, which leaves room for the movement. */
const PICTURE = Math.round(DRAWN * 0.86);
const FRAMES = 10;
const FRAME_MS = 90;

const wave = (turn) => Math.sin(turn * 2 * Math.PI);
/** 0 at both ends, 1 in the middle. */
const arc = (turn) => Math.sin(turn * Math.PI);

/** The position of a picture at `turn` (0 to 1): rotation in degrees, shift as a fraction of the picture, stretch factors. */
const MOTIONS = {
  bounce: (turn) => ({ y: -0.07 * arc(turn), tall: 1 - 0.06 * arc(1 - turn) * (turn < 0.2 ? 1 : 0) }),
  jump: (turn) => ({
    y: 0.05 - 0.12 * arc(turn),
    wide: 1 + 0.06 * (1 - arc(turn)),
    tall: 1 - 0.08 * (1 - arc(turn)),
  }),
  sway: (turn) => ({ angle: 9 * wave(turn) }),
  rock: (turn) => ({ angle: 14 * wave(turn), x: 0.02 * wave(turn) }),
  tremble: (turn) => ({ x: 0.03 * wave(turn * 5), angle: 2 * wave(turn * 2) }),
  shake: (turn) => ({ x: 0.065 * wave(turn * 2), angle: -3 * wave(turn * 2) }),
  nod: (turn) => ({ y: 0.06 * arc((turn * 2) % 1), tall: 1 - 0.08 * arc((turn * 2) % 1) }),
  beat: (turn) => ({ wide: 1 + 0.1 * wave(turn), tall: 1 + 0.1 * wave(turn) }),
  spin: (turn) => ({ angle: 360 * turn }),
  roll: (turn) => ({ angle: 360 * turn, y: -0.05 * arc((turn * 2) % 1) }),
  flicker: (turn) => ({
    tall: 1 + 0.07 * wave(turn),
    wide: 1 - 0.04 * wave(turn * 2),
    y: -0.03 * wave(turn),
  }),
  run: (turn) => ({ x: 0.06 * wave(turn), y: -0.05 * Math.abs(wave(turn)), angle: 4 * wave(turn) }),
};

/** Code point and movement, in the order of the names in protocol/emoticons.ts. */
const EMOTICONS = `
1f604 bounce,1f61c sway,1f603 bounce,1f60f sway,1f97a tremble,1f495 beat,1f602 rock,1f44f beat,1f929 jump,270a bounce,
1f62d tremble,1f622 nod,1f924 sway,1f623 shake,1f3cb-fe0f bounce,1f618 sway,1f60d beat,1f609 sway,1f621 tremble,1f631 tremble,
1f914 sway,1f635-200d-1f4ab spin,1f92e nod,1f60e sway,1f923 roll,1f60c sway,1f927 nod,1f60a bounce,1f973 rock,
1f642 sway,1f911 bounce,2764-fe0f beat,1f497 beat,2b50 spin,1f525 flicker,1f440 shake,1f3b5 rock,2757 jump,2753 rock,
1f343 sway,2764-fe0f-200d-1f525 flicker,1f4e2 rock,26a0-fe0f beat,2709-fe0f bounce,1f3e0 jump,1f381 jump,1f44d nod,1f64b jump,1f64c jump,
1f642 nod,1f610 shake,1fae3 sway,1f389 rock,1f3c3 run,1f938 roll,1f628 tremble,1f483 run
`
  .trim()
  .split(/,\s*/)
  .map((line) => line.split(" "));

async function frame(picture, { angle = 0, x = 0, y = 0, wide = 1, tall = 1 }) {
  const stretched = await sharp(picture)
    .resize(Math.round(PICTURE * wide), Math.round(PICTURE * tall), { fit: "fill" })
    .png()
    .toBuffer();
  const turned = sharp(stretched).rotate(angle, { background: "transparent" });
  const { data, info } = await turned.png().toBuffer({ resolveWithObject: true });
  // The canvas is large enough for every rotation. Its centre is cut out afterwards.
  const canvas = DRAWN * 2;
  const drawn = await sharp({
    create: { width: canvas, height: canvas, channels: 4, background: "transparent" },
  })
    .composite([
      {
        input: data,
        left: Math.round((canvas - info.width) / 2 + x * DRAWN),
        top: Math.round((canvas - info.height) / 2 + y * DRAWN),
      },
    ])
    .png()
    .toBuffer();
  const centre = { left: DRAWN / 2, top: DRAWN / 2, width: DRAWN, height: DRAWN };
  const cropped = await sharp(drawn).extract(centre).png().toBuffer();
  return sharp(cropped).resize(SIZE, SIZE).png().toBuffer();
}

async function emoticon(file, motion) {
  const picture = await sharp(file)
    .resize(PICTURE * 2, PICTURE * 2)
    .png()
    .toBuffer();
  const frames = await Promise.all(
    Array.from({ length: FRAMES }, (_, number) => frame(picture, MOTIONS[motion](number / FRAMES))),
  );
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: frames.map(() => FRAME_MS), loop: 0, colours: 128, effort: 10, dither: 0.6 })
    .toBuffer();
}

const [source] = process.argv.slice(2);
if (source === undefined || !existsSync(join(source, "assets"))) {
  console.error("usage: node tools/emoticons.mjs <unpacked @lobehub/fluent-emoji-3d>");
  process.exit(2);
}
mkdirSync(FOLDER, { recursive: true });
let bytes = 0;
for (const [number, [code, motion]] of EMOTICONS.entries()) {
  const gif = await emoticon(join(source, "assets", `${code}.webp`), motion);
  writeFileSync(new URL(`${number}.gif`, FOLDER), gif);
  bytes += gif.length;
}
console.log(`${EMOTICONS.length} pictures, ${Math.round(bytes / 1024)} KB`);
