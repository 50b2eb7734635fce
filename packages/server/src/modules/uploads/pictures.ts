/** Encodes uploaded pictures again: upright, without metadata, with a thumbnail. */
import { availableParallelism } from "node:os";
import sharp, { type Sharp } from "sharp";
import { IMAGE_MAX_PIXELS, PLACEHOLDER_MAX, PLACEHOLDER_MAX_PX, THUMB_MAX_PX } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import { extensionOf } from "./detect-type.ts";

/** An encoded picture with its thumbnail. */
export interface Picture {
  data: Buffer;
  /** The extension for the file name. */
  extension: PictureType;
  width: number;
  height: number;
  /** The thumbnail, as WebP. */
  thumb: Buffer;
  /** A picture of a few pixels, as base64 of a WebP. */
  placeholder: string;
}

const TYPES = ["jpg", "png", "webp", "gif"] as const;
/** The types of pictures that the server accepts, as file extensions. */
export type PictureType = (typeof TYPES)[number];
export const PICTURE_TYPES: readonly PictureType[] = TYPES;

/** Within the limit of pixels a picture could be 50 million pixels wide and one high. No screen or decoder is made for that. */
const SIDE_MAX_PX = 30_000;
const JPEG_QUALITY = 88;
const THUMB_QUALITY = 80;
const PLACEHOLDER_QUALITY = 30;
const PROCESS_SECONDS_MAX = 20;
/** Frames cost time even if they have few pixels. */
const FRAMES_MAX = 1_000;
/** Processing a picture needs up to 200 MB (50 megapixels of four bytes) and one processor, and the server needs one for people's messages. */
const CONCURRENT_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
sharp.concurrency(1);
// Every picture is another one: nothing in a cache would be used again.
sharp.cache(false);

const COVER_SIZE = { width: 640, height: 360 };
const COVER_COLOUR = "#1f2329";

/** Checks and encodes pictures. */
export interface Pictures {
  /**
   * Encodes a picture again. Refuses one that is too large, broken or of a type that is not in `allowed`. Loads it when its turn has come,
   * so that pictures that wait need no memory.
   */
  process(load: () => Promise<Buffer>, allowed: readonly PictureType[]): Promise<Picture>;
  /** A plain dark picture, for a video without a cover. */
  makeCover(): Promise<Picture>;
}

export function createPictures(): Pictures {
  const semaphore = new Semaphore(CONCURRENT_MAX);
  return {
    process: (load, allowed) =>
      semaphore.run(async () => {
        const data = await load();
        const detected = await extensionOf(data);
        const extension = allowed.find((type) => type === detected);
        if (extension === undefined) throw new ApiError("upload.type", { types: allowed.join(", ") });
        return reencode(data, extension);
      }),
    async makeCover() {
      const plain = sharp({ create: { ...COVER_SIZE, channels: 3, background: COVER_COLOUR } });
      return reencode(await plain.webp().toBuffer(), "webp");
    },
  };
}

async function reencode(data: Buffer, extension: PictureType): Promise<Picture> {
  const animated = extension === "gif" || extension === "webp";
  const open = (isAnimated: boolean) =>
    sharp(data, {
      animated: isAnimated,
      limitInputPixels: IMAGE_MAX_PIXELS,
      failOn: "error",
      sequentialRead: true,
    }).timeout({ seconds: PROCESS_SECONDS_MAX });
  try {
    const size = await sharp(data, { limitInputPixels: false }).metadata();
    // All frames of an animation are decoded, so the pixels of all of them count.
    const { width, height, pages = 1 } = size;
    const isTooLarge = width * height * pages > IMAGE_MAX_PIXELS || Math.max(width, height) > SIDE_MAX_PX;
    if (isTooLarge || pages > FRAMES_MAX) throw new ApiError("upload.tooManyPixels");
    const image = open(animated).autoOrient();
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
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("upload.broken");
  }
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

function encode(image: Sharp, extension: PictureType): Sharp {
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
