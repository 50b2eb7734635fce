/** Uploads of pictures, files and videos. */
import { AVATAR_MAX_BYTES, IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { ApiError, malformedField, refuseIfLimited } from "../../calls/api-error.ts";
import type { Actor, Handlers, Upload, UploadedFile } from "../../calls/call.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { extensionOf, peek } from "./detect-type.ts";
import { type FileIntakeDeps, type Intake, createFileIntake } from "./file-intake.ts";
import { fileUrlOf } from "./file-urls.ts";
import { PICTURE_TYPES, type Picture, type PictureType, type Pictures } from "./pictures.ts";

export interface UploadsDeps extends FileIntakeDeps {
  rateLimiter: RateLimiter;
  pictures: Pictures;
  /** The limit for every file, also where its kind would allow more. */
  maxBytes: number;
}

const AVATAR_TYPES: readonly PictureType[] = ["jpg", "png", "webp"];
const VIDEO_TYPES = ["mp4", "webm"] as const;
/** The extension of files that are never shown in a page. */
const OTHER_EXTENSION = "bin";

export function createUploads(
  deps: UploadsDeps,
): Pick<Handlers, "uploadImage" | "uploadFile" | "uploadVideo"> {
  const { rateLimiter, pictures, maxBytes } = deps;
  const pictureMax = Math.min(IMAGE_MAX_BYTES, maxBytes);
  const takeFiles = createFileIntake(deps);

  const admit = async ({ userId }: Actor): Promise<void> =>
    refuseIfLimited(await rateLimiter.consume("uploads", userId));

  /** Stores a picture as it arrives, so that those that wait to be processed are not in memory. Returns its key. */
  const receivePicture = async (
    intake: Intake,
    file: UploadedFile,
    types: readonly PictureType[],
    max: number,
  ): Promise<string> => {
    const { whole } = await requireType(file, types);
    return intake.receive(file, whole, "upload", max);
  };

  return {
    async uploadImage({ actor, ip, upload: given, now }) {
      const upload = requireUpload(given);
      // Without an account, only the avatar for a registration can be uploaded.
      if (actor === null) refuseIfLimited(await rateLimiter.consume("anonymousUploads", ip));
      else await admit(actor);
      const types = actor === null ? AVATAR_TYPES : PICTURE_TYPES;
      const max = actor === null ? Math.min(AVATAR_MAX_BYTES, maxBytes) : pictureMax;
      return takeFiles({ userId: actor?.userId ?? null, upload, now }, async (intake) => {
        let key: string | undefined;
        for await (const file of upload.files()) key = await receivePicture(intake, file, types, max);
        const received = requireFile(key);
        const picture = await pictures.process(() => intake.takeBack(received), types);
        const { width, height, placeholder } = picture;
        const [originUrl = "", thumbUrl = ""] = await intake.add([
          { name: `image.${picture.extension}`, data: picture.data },
          { name: "thumb.webp", data: picture.thumb },
        ]);
        return { originUrl, thumbUrl, width, height, placeholder };
      });
    },

    async uploadFile({ actor, upload: given, now }) {
      const upload = requireUpload(given);
      await admit(actor);
      return takeFiles({ userId: actor.userId, upload, now }, async (intake) => {
        let key: string | undefined;
        for await (const file of upload.files()) {
          const { head, whole } = await peek(file.data);
          const extension = (await extensionOf(head)) ?? OTHER_EXTENSION;
          key = await intake.receive(file, whole, `file.${extension}`, maxBytes);
        }
        return fileUrlOf(requireFile(key));
      });
    },

    async uploadVideo({ actor, upload: given, now }) {
      const upload = requireUpload(given);
      await admit(actor);
      return takeFiles({ userId: actor.userId, upload, now }, async (intake) => {
        let videoKey: string | undefined;
        let coverKey: string | undefined;
        for await (const file of upload.files()) {
          if (file.field === "cover") {
            coverKey = await receivePicture(intake, file, AVATAR_TYPES, pictureMax);
            continue;
          }
          const { extension, whole } = await requireType(file, VIDEO_TYPES);
          videoKey = await intake.receive(file, whole, `video.${extension}`, maxBytes);
        }
        const videoUrl = fileUrlOf(requireFile(videoKey));
        const received = coverKey;
        const cover: Picture =
          received === undefined
            ? await pictures.makeCover()
            : await pictures.process(() => intake.takeBack(received), AVATAR_TYPES);
        const { width, height, placeholder } = cover;
        const [coverUrl = ""] = await intake.add([{ name: `cover.${cover.extension}`, data: cover.data }]);
        return { videoUrl, coverUrl, width, height, placeholder };
      });
    },
  };
}

/** Refuses a file whose content is of another type, before the rest of it is read. */
async function requireType<T extends string>({ data }: UploadedFile, types: readonly T[]) {
  const { head, whole } = await peek(data);
  const detected = await extensionOf(head);
  const extension = types.find((type) => type === detected);
  if (extension === undefined) throw new ApiError("upload.type", { types: types.join(", ") });
  return { extension, whole };
}

function requireUpload(upload: Upload | undefined): Upload {
  if (upload === undefined) throw malformedField("file", "is missing");
  return upload;
}

function requireFile(key: string | undefined): string {
  if (key === undefined) throw malformedField("file", "is missing");
  return key;
}
