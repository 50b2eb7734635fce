import { MessageType } from "@parley/protocol/codes";
import { IMAGE_MAX_PIXELS } from "@parley/protocol/limits";

/** As what a file can be sent. */
export type FileKind = typeof MessageType.IMAGE | typeof MessageType.FILE | typeof MessageType.VIDEO;

/** What is read of a picked file. */
export interface PickedFile {
  readonly name: string;
  /** As the browser names it; empty if it does not know. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The picture types that every browser shows and the server takes. */
const IMAGE_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const VIDEO_TYPES: readonly string[] = ["video/mp4", "video/webm"];

/** For the `accept` of a file input that offers pictures and videos. With this list iPhones convert their own format to JPEG. */
export const PICTURE_ACCEPT = [...IMAGE_TYPES, ...VIDEO_TYPES].join(",");

/** The types that belong to file names; for files whose type the browser does not know. */
const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  webm: "video/webm",
};

/** The type of a file: the browser's, else the one that belongs to its name; empty if both are unknown. */
export function fileType({ name, type }: Pick<PickedFile, "name" | "type">): string {
  if (type !== "") return type.toLowerCase();
  return TYPE_BY_EXTENSION[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "";
}

/**
 * As what a file is sent by its name, type and size: picture, video, or file for everything else. `imageMax`: bytes that the server takes
 * for a picture.
 */
export function fileKind(file: PickedFile, imageMax: number): FileKind {
  const type = fileType(file);
  if (IMAGE_TYPES.includes(type)) return file.size > imageMax ? MessageType.FILE : MessageType.IMAGE;
  return VIDEO_TYPES.includes(type) ? MessageType.VIDEO : MessageType.FILE;
}

/** Whether the server takes a picture of this size in pixels; a larger one is sent as a file. */
export function isPictureSize(width: number, height: number): boolean {
  return width > 0 && height > 0 && width * height <= IMAGE_MAX_PIXELS;
}

/** Why a file cannot be sent at all, or null. `fileMax`: bytes that the server takes. */
export function fileProblem(
  { size }: Pick<PickedFile, "size">,
  fileMax: number,
): "empty" | "tooLarge" | null {
  if (size === 0) return "empty";
  return size > fileMax ? "tooLarge" : null;
}
