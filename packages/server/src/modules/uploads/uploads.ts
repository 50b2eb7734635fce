/** Uploads of pictures, files and videos. */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { AVATAR_MAX_BYTES, IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import type { Blobs } from "../../ports/blobs.ts";
import { ApiError, malformedField, refuseIfLimited } from "../../calls/api-error.ts";
import type { Actor, Handlers, Upload, UploadedFile } from "../../calls/call.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { extensionOf, peek } from "./detect-type.ts";
import { PICTURE_TYPES, type Picture, type PictureType, type Pictures } from "./pictures.ts";
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
const VIDEO_TYPES: readonly string[] = ["mp4", "webm"];
/** The extension of files that are never shown in a page. */
const OTHER_EXTENSION = "bin";

export function createUploads(
  deps: UploadsDeps,
): Pick<Handlers, "uploadImage" | "uploadFile" | "uploadVideo"> {
  const { store, blobs, rateLimiter, pictures, maxBytes, dailyMaxBytes } = deps;
  const pictureMax = Math.min(IMAGE_MAX_BYTES, maxBytes);

  const requireDailyQuota = async (userId: number, bytes: number, now: number): Promise<void> => {
    const before = await store.uploadedBytes(userId, now - DAY_MS);
    if (before + bytes > dailyMaxBytes) throw new ApiError("upload.dailyLimit");
  };

  const admit = async ({ userId }: Actor, now: number): Promise<void> => {
    refuseIfLimited(await rateLimiter.consume("uploads", userId));
    await requireDailyQuota(userId, 0, now);
  };

  /** Stores a picture, with its thumbnail if `withThumb`. Returns the urls. */
  const storePicture = async (
    userId: number | null,
    files: readonly { name: string; data: Buffer }[],
    now: number,
  ): Promise<string[]> => {
    const bytes = files.reduce((sum, { data }) => sum + data.length, 0);
    if (userId !== null) await requireDailyQuota(userId, bytes, now);
    const random = newRandom();
    const keyed = files.map(({ name, data }) => ({ key: `${random}/${name}`, data }));
    // The rows come first: if the server crashes now, the sweep finds the files by their rows and deletes them.
    await store.write(async (tx) => {
      for (const { key, data } of keyed) {
        await tx.insertFile({ url: fileUrlOf(key), userId, bytes: data.length, createdAt: now });
      }
    });
    for (const { key, data } of keyed) await blobs.put(key, data);
    return keyed.map(({ key }) => fileUrlOf(key));
  };

  /** Writes a file to the storage while it arrives. Returns its url. */
  const storeStream = async (
    userId: number,
    file: UploadedFile,
    whole: Readable,
    name: string,
    now: number,
  ): Promise<string> => {
    const key = `${newRandom()}/${name}`;
    const { size } = await blobs.put(key, whole);
    if (file.isCut()) {
      await blobs.delete(key);
      throw tooLarge(maxBytes);
    }
    await requireDailyQuota(userId, size, now);
    const url = fileUrlOf(key);
    await store.write((tx) => tx.insertFile({ url, userId, bytes: size, createdAt: now }));
    return url;
  };

  return {
    async uploadImage({ actor, ip, upload, now }) {
      // Without an account, only the avatar for a registration can be uploaded.
      if (actor === null) refuseIfLimited(await rateLimiter.consume("anonymousUploads", ip));
      else await admit(actor, now);
      for await (const file of filesOf(upload)) {
        const data = await readAll(file, actor === null ? Math.min(AVATAR_MAX_BYTES, maxBytes) : pictureMax);
        const picture = await pictures.process(data, actor === null ? AVATAR_TYPES : PICTURE_TYPES);
        const { width, height, placeholder, thumb } = picture;
        const [originUrl = "", thumbUrl = ""] = await storePicture(
          actor?.userId ?? null,
          [
            { name: `image.${picture.extension}`, data: picture.data },
            { name: "thumb.webp", data: thumb },
          ],
          now,
        );
        return { originUrl, thumbUrl, width, height, placeholder };
      }
      throw malformedField("file", "is missing");
    },

    async uploadFile({ actor, upload, now }) {
      await admit(actor, now);
      for await (const file of filesOf(upload)) {
        const { head, whole } = await peek(file.data);
        const extension = (await extensionOf(head)) ?? OTHER_EXTENSION;
        return storeStream(actor.userId, file, whole, `file.${extension}`, now);
      }
      throw malformedField("file", "is missing");
    },

    async uploadVideo({ actor, upload, now }) {
      await admit(actor, now);
      const { userId } = actor;
      let videoUrl: string | undefined;
      let cover: Picture | undefined;
      for await (const file of filesOf(upload)) {
        if (file.field === "cover") {
          cover = await pictures.process(await readAll(file, pictureMax), AVATAR_TYPES);
          continue;
        }
        const { head, whole } = await peek(file.data);
        const extension = await extensionOf(head);
        if (extension === undefined || !VIDEO_TYPES.includes(extension)) {
          throw new ApiError("upload.type", { types: VIDEO_TYPES.join(", ") });
        }
        videoUrl = await storeStream(userId, file, whole, `video.${extension}`, now);
      }
      if (videoUrl === undefined) throw malformedField("file", "is missing");
      cover ??= await pictures.makeCover();
      const name = `cover.${cover.extension}`;
      const [coverUrl = ""] = await storePicture(userId, [{ name, data: cover.data }], now);
      const { width, height, placeholder } = cover;
      return { videoUrl, coverUrl, width, height, placeholder };
    },
  };
}

function newRandom(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

function filesOf(upload: Upload | undefined): AsyncIterable<UploadedFile> {
  if (upload === undefined) throw malformedField("file", "is missing");
  return upload.files();
}

/** Stops reading after `maxBytes`. */
async function readAll(file: UploadedFile, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.data) {
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(part);
  }
  if (file.isCut()) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("upload.tooLarge", { max: maxBytes / MEBIBYTE });
}
