/** Uploads of pictures, files and videos. */
import { AVATAR_MAX_BYTES, IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { ApiError, malformedField, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers, Upload, UploadedFile } from "../../api/api-call.ts";
import { networkOf } from "../../api/network-of.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { extensionOf, peek } from "./detect-type.ts";
import { type FileIntakeDeps, type Intake, type Uploader, createFileIntake } from "./file-intake.ts";
import { fileUrlOf } from "./file-urls.ts";
import {
  type ArrivedPicture,
  PICTURE_TYPES,
  PLAIN_COVER,
  type PictureSender,
  type PictureType,
  type Pictures,
} from "./pictures.ts";

export interface UploadsDeps extends FileIntakeDeps {
  rateLimiter: RateLimiter;
  pictures: Pictures;
  /** The limit for every file, also where its kind would allow more. */
  maxBytes(): number;
  /** Whether people may register by themselves now. */
  isRegistrationOpen(): boolean;
}

const AVATAR_TYPES: readonly PictureType[] = ["jpg", "png", "webp"];
const VIDEO_TYPES = ["mp4", "webm", "mov"] as const;
/** How soon somebody with too many uploads at the same time may try again. */
const RETRY_SECONDS = 30;
/** The extension of files that are never shown in a page. */
const OTHER_EXTENSION = "bin";

export function createUploads(
  deps: UploadsDeps,
): Pick<Handlers, "uploadImage" | "uploadFile" | "uploadVideo"> {
  const { rateLimiter, pictures, maxBytes, isRegistrationOpen } = deps;
  const pictureMax = () => Math.min(IMAGE_MAX_BYTES, maxBytes());
  const takeFiles = createFileIntake(deps);

  /** Runs an upload unless there are too many, also at the same time: a slow one may hold its connection for a day. */
  const take = async <T>(
    uploader: Uploader & { ip: string },
    work: (intake: Intake) => Promise<T>,
  ): Promise<T> => {
    const { userId, ip } = uploader;
    const [limit, key] =
      userId === null ? (["anonymousUploads", networkOf(ip)] as const) : (["uploads", userId] as const);
    refuseIfLimited(await rateLimiter.consume(limit, key));
    const end = rateLimiter.begin(limit, key);
    if (end === null) throw new ApiError("request.tooMany", { seconds: RETRY_SECONDS });
    try {
      return await takeFiles(uploader, work);
    } finally {
      end();
    }
  };

  const acceptPicture = async (
    intake: Intake,
    file: UploadedFile,
    types: readonly PictureType[],
    max: number,
  ): Promise<ArrivedPicture> => {
    const { type, whole } = await requireType(file, types);
    return { ...(await intake.accept(file, whole, max)), type };
  };

  return {
    async uploadImage({ actor, ip, upload: given, now }) {
      // Without an account, only the avatar for a registration can be uploaded.
      if (actor === null && !isRegistrationOpen()) throw new ApiError("register.closed");
      const upload = requireUpload(given);
      const types = actor === null ? AVATAR_TYPES : PICTURE_TYPES;
      const max = actor === null ? Math.min(AVATAR_MAX_BYTES, maxBytes()) : pictureMax();
      return take({ userId: actor?.userId ?? null, ip, upload, now }, async (intake) => {
        let accepted: ArrivedPicture | undefined;
        for await (const file of upload.files()) accepted = await acceptPicture(intake, file, types, max);
        const sender = senderOf(actor, ip, upload);
        const picture = await pictures.process(requireFile(accepted), sender);
        const { width, height, placeholder } = picture;
        const [originUrl = "", thumbUrl = ""] = await intake.add([
          { name: `image.${picture.extension}`, data: picture.data },
          { name: "thumb.webp", data: picture.thumb },
        ]);
        return { originUrl, thumbUrl, width, height, placeholder };
      });
    },

    async uploadFile({ actor, ip, upload: given, now }) {
      const upload = requireUpload(given);
      return take({ userId: actor.userId, ip, upload, now }, async (intake) => {
        let key: string | undefined;
        for await (const file of upload.files()) {
          const { head, whole } = await peek(file.data);
          const extension = (await extensionOf(head)) ?? OTHER_EXTENSION;
          key = await intake.receive(file, whole, `file.${extension}`, maxBytes());
        }
        return fileUrlOf(requireFile(key));
      });
    },

    async uploadVideo({ actor, ip, upload: given, now }) {
      const upload = requireUpload(given);
      return take({ userId: actor.userId, ip, upload, now }, async (intake) => {
        let videoKey: string | undefined;
        let accepted: ArrivedPicture | undefined;
        for await (const file of upload.files()) {
          if (file.field === "cover") {
            accepted = await acceptPicture(intake, file, AVATAR_TYPES, pictureMax());
            continue;
          }
          const { type, whole } = await requireType(file, VIDEO_TYPES);
          videoKey = await intake.receive(file, whole, `video.${type}`, maxBytes());
        }
        const videoUrl = fileUrlOf(requireFile(videoKey));
        const cover =
          accepted === undefined
            ? PLAIN_COVER
            : await pictures.process(accepted, senderOf(actor, ip, upload));
        const { width, height, placeholder } = cover;
        const [coverUrl = ""] = await intake.add([{ name: `cover.${cover.extension}`, data: cover.data }]);
        return { videoUrl, coverUrl, width, height, placeholder };
      });
    },
  };
}

function senderOf(actor: Actor | null, ip: string, { signal }: Upload): PictureSender {
  return { userId: actor?.userId ?? null, network: networkOf(ip), signal };
}

/** Refuses a file whose content is of another type, before the rest of it is read. */
async function requireType<T extends string>({ data }: UploadedFile, types: readonly T[]) {
  const { head, whole } = await peek(data);
  const detected = await extensionOf(head);
  const type = types.find((each) => each === detected);
  if (type === undefined) throw new ApiError("upload.type", { types: types.join(", ") });
  return { type, whole };
}

function requireUpload(upload: Upload | undefined): Upload {
  if (upload === undefined) throw malformedField("file", "is missing");
  return upload;
}

function requireFile<T>(file: T | undefined): T {
  if (file === undefined) throw malformedField("file", "is missing");
  return file;
}
