import { MessageType } from "@parley/protocol/codes";
import { IMAGE_MAX_PIXELS } from "@parley/protocol/limits";

/** As what a file can be sent. */
export type FileKind = typeof MessageType.IMAGE | typeof MessageType.FILE | typeof MessageType.VIDEO;

/** The parts of a picked file that are read. */
export interface PickedFile {
  readonly name: string;
  /** As the browser names it; empty if it does not know. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The picture types that the server takes; it makes of them what every browser shows. */
const IMAGE_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];
/** The video types that the server takes. Whether this browser can play one is tried. */
const VIDEO_TYPES: readonly string[] = [
  "video/mp4",
  "video/webm",
  "video/quicktime",
  "video/x-m4v",
  "video/3gpp",
  "video/3gpp2",
];

/** For the `accept` of a file input that offers pictures and videos. With this list iPhones convert their own format to JPEG. */
export const PICTURE_ACCEPT = [...IMAGE_TYPES, ...VIDEO_TYPES].join(",");

/** The types that belong to file names; for files whose type the browser does not know. */
const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  heic: "image/heic",
  heif: "image/heif",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  m4v: "video/x-m4v",
  "3gp": "video/3gpp",
  "3g2": "video/3gpp2",
  mkv: "video/x-matroska",
  avi: "video/x-msvideo",
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

/** Whether people expect to see a file in the chat, because it is a picture or video by its name and type. */
export function isSeen(file: Pick<PickedFile, "name" | "type">): boolean {
  return /^(image|video)\//.test(fileType(file));
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
