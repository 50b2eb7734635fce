/** Decodes and encodes pictures: upright, without metadata, with a thumbnail. Runs in a process of its own. */
import sharp, { type Metadata, type Sharp } from "sharp";
import { PLACEHOLDER_MAX, PLACEHOLDER_MAX_PX, THUMB_MAX_PX } from "@parley/protocol/limits";
import type {
  EncodedPicture,
  PictureJob,
  PictureOutcome,
  ReadableType,
  WrittenType,
} from "../../ports/picture-encoder.ts";

/** Within the limit of pixels a picture could be 50 million pixels wide and one high. No screen or decoder is made for that. */
const SIDE_MAX_PX = 30_000;
/** Frames cost time even if they have few pixels. */
const FRAMES_MAX = 1_000;
const JPEG_QUALITY = 88;
const THUMB_QUALITY = 80;
const PLACEHOLDER_QUALITY = 30;
/** Pixels that take up to a third of a second on one core. */
const SMALL_PIXELS_MAX: Readonly<Record<ReadableType, number>> = {
  jpg: 4_000_000,
  png: 2_500_000,
  webp: 1_200_000,
  gif: 300_000,
  avif: 800_000,
};
/** Nothing else is decoded, whatever the bytes look like to the library. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}Buffer`);

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: LOADERS });
// As many processes as cores are for pictures do the same with less memory.
sharp.concurrency(1);
// Every picture is another one: nothing in a cache would be used again.
sharp.cache(false);

/** Encodes a picture again, unless it is too large, broken, or not as small as it should be. */
export async function encodePicture(job: PictureJob): Promise<PictureOutcome> {
  const { data, type, pixelsMax, effort } = job;
  try {
    const size = await sharp(data, { limitInputPixels: false }).metadata();
    if (!isOf(type, size)) return { kind: "broken" };
    // All frames of an animation are decoded, so the pixels of all of them count.
    const { width, pageHeight, height, pages = 1 } = size;
    const frameHeight = pageHeight ?? height;
    const pixels = width * frameHeight * pages;
    const isTooLarge = pixels > pixelsMax || Math.max(width, frameHeight) > SIDE_MAX_PX;
    if (isTooLarge || pages > FRAMES_MAX) return { kind: "tooManyPixels" };
    if (effort === "small" && pixels > SMALL_PIXELS_MAX[type]) return { kind: "large" };
    return { kind: "encoded", picture: await reencode(data, type, pixelsMax) };
  } catch {
    // What the library says of broken bytes helps nobody: the sender gets a sentence.
    return { kind: "broken" };
  }
}

/** Whether the library sees the type, too. It has one name for AVIF and HEIC, and reads the coding of the first alone. */
function isOf(type: ReadableType, { format, compression }: Metadata): boolean {
  if (type === "avif") return format === "heif" && compression === "av1";
  return format === (type === "jpg" ? "jpeg" : type);
}

async function reencode(data: Buffer, type: ReadableType, limitInputPixels: number): Promise<EncodedPicture> {
  const open = (animated: boolean) =>
    sharp(data, { animated, limitInputPixels, failOn: "error", sequentialRead: true });
  // No client has to know AVIF then; like it, WebP keeps what is transparent.
  const extension = type === "avif" ? "webp" : type;
  const image = open(type === "gif" || type === "webp").autoOrient();
  const { data: encoded, info } = await encode(image, extension).toBuffer({ resolveWithObject: true });
  const thumb = await open(false)
    .autoOrient()
    .resize({ width: THUMB_MAX_PX, height: THUMB_MAX_PX, fit: "inside", withoutEnlargement: true })
    .webp({ quality: THUMB_QUALITY })
    .toBuffer();
  return {
    data: encoded,
    extension,
    width: info.width,
    height: info.pageHeight ?? info.height,
    thumb,
    placeholder: await makePlaceholder(thumb),
  };
}

/** A picture of noise may need more than the limit; half as many pixels a side never do. */
async function makePlaceholder(thumb: Buffer): Promise<string> {
  for (const side of [PLACEHOLDER_MAX_PX, PLACEHOLDER_MAX_PX / 2]) {
    const webp = await sharp(thumb)
      .flatten({ background: "white" })
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: PLACEHOLDER_QUALITY })
      .toBuffer();
    const text = webp.toString("base64");
    if (text.length <= PLACEHOLDER_MAX) return text;
  }
  throw new Error("a placeholder is too long");
}

function encode(image: Sharp, extension: WrittenType): Sharp {
  switch (extension) {
    case "jpg":
      return image.jpeg({ quality: JPEG_QUALITY });
    case "png":
      return image.png();
    case "webp":
      return image.webp({ quality: JPEG_QUALITY });
    case "gif":
      return image.gif();
  }
}
