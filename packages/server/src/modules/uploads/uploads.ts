/** Uploads of pictures. */
import { randomBytes } from "node:crypto";
import { AVATAR_MAX_BYTES, IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import type { Blobs } from "../../ports/blobs.ts";
import { ApiError, malformedField, refuseIfLimited } from "../../calls/api-error.ts";
import type { Handlers, Upload } from "../../calls/call.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { PICTURE_TYPES, type PictureType, type Pictures } from "./pictures.ts";
import { fileUrlOf } from "./file-urls.ts";

export interface UploadsDeps {
  store: FileReads & Transactions<FileWrites>;
  blobs: Blobs;
  rateLimiter: RateLimiter;
  pictures: Pictures;
  /** The limit for every file, also where its kind would allow more. */
  maxBytes: number;
  /** What one person may upload in 24 hours. */
  dailyMaxBytes: number;
}

const DAY_MS = 24 * 3_600_000;
const MEBIBYTE = 1_048_576;
/** 128 bits, so that urls cannot be guessed: everybody who has a url may read the file. */
const KEY_BYTES = 16;
const AVATAR_TYPES: readonly PictureType[] = ["jpg", "png", "webp"];

export function createUploads(deps: UploadsDeps): Pick<Handlers, "uploadImage"> {
  const { store, blobs, rateLimiter, pictures, maxBytes, dailyMaxBytes } = deps;

  const requireDailyQuota = async (userId: number, bytes: number, now: number): Promise<void> => {
    const before = await store.uploadedBytes(userId, now - DAY_MS);
    if (before + bytes > dailyMaxBytes) throw new ApiError("upload.dailyLimit");
  };

  return {
    async uploadImage({ actor, ip, upload, now }) {
      if (upload === undefined) throw malformedField("file", "is missing");
      // Without an account, only the avatar for a registration can be uploaded.
      if (actor === null) refuseIfLimited(await rateLimiter.consume("anonymousUploads", ip));
      else {
        refuseIfLimited(await rateLimiter.consume("uploads", actor.userId));
        await requireDailyQuota(actor.userId, 0, now);
      }
      const kindMax = actor === null ? AVATAR_MAX_BYTES : IMAGE_MAX_BYTES;
      const data = await readAll(upload, Math.min(kindMax, maxBytes));
      const picture = await pictures.process(data, actor === null ? AVATAR_TYPES : PICTURE_TYPES);
      const bytes = picture.data.length + picture.thumb.length;
      if (actor !== null) await requireDailyQuota(actor.userId, bytes, now);

      const random = randomBytes(KEY_BYTES).toString("hex");
      const files = [
        { key: `${random}/image.${picture.extension}`, data: picture.data },
        { key: `${random}/thumb.webp`, data: picture.thumb },
      ] as const;
      // The rows come first: if the server crashes now, the sweep finds the files by their rows and deletes them.
      await store.write(async (tx) => {
        for (const file of files) {
          const userId = actor?.userId ?? null;
          await tx.insertFile({ url: fileUrlOf(file.key), userId, bytes: file.data.length, createdAt: now });
        }
      });
      for (const file of files) await blobs.put(file.key, file.data);
      const [origin, thumb] = files;
      return {
        originUrl: fileUrlOf(origin.key),
        thumbUrl: fileUrlOf(thumb.key),
        width: picture.width,
        height: picture.height,
      };
    },
  };
}

/** Stops reading after `maxBytes`. */
async function readAll(upload: Upload, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of upload.data) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(part);
  }
  if (upload.isCut()) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("upload.tooLarge", { max: maxBytes / MEBIBYTE });
}
