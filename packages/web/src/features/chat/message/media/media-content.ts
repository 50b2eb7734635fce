import { MessageType } from "@parley/protocol/codes";
import { audioContent, fileContent, imageContent, videoContent } from "@parley/protocol/message";
import { visibleFileName } from "@parley/protocol/text";
import { parseObject } from "@parley/core/model/parse-object";
import type { ChatMessage } from "@parley/core/model/state";

type Parser<Content> = { safeParse(value: unknown): { success: true; data: Content } | { success: false } };
/** The fields of a message, or of a quote of it, that are read. */
export type MediaMessage = Pick<ChatMessage, "type" | "content"> & Partial<Pick<ChatMessage, "upload">>;

/** Reads contents; the same message is read once. null: the content does not match the schema. */
function reader<Content>(
  type: number,
  schema: Parser<Content>,
  toShown = (content: Content) => content,
): (message: MediaMessage) => Content | null {
  const known = new WeakMap<MediaMessage, { content: Content | null }>();
  return (message) => {
    if (message.type !== type) return null;
    let entry = known.get(message);
    if (entry === undefined) {
      const parsed = schema.safeParse(parseObject(message.content));
      entry = { content: parsed.success ? toShown(parsed.data) : null };
      known.set(message, entry);
    }
    return entry.content;
  };
}

/** The content of a picture. */
export const imageOf = reader(MessageType.IMAGE, imageContent);
const videoOf = reader(MessageType.VIDEO, videoContent);
const storedFileOf = reader(MessageType.FILE, fileContent, (file) => ({
  ...file,
  name: visibleFileName(file.name),
}));
const storedVoiceOf = reader(MessageType.AUDIO, audioContent);

/** A picture, or the cover of a video, as it is drawn. URLs are null until the file is uploaded. */
export interface Picture {
  /** Pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** Base64 of a tiny WebP. */
  readonly placeholder: string | null;
  readonly thumbUrl: string | null;
  readonly originUrl: string | null;
}

/** The picture of a message, or the cover of its video; null if it has none, or none that can be read. */
export function pictureOf(message: MediaMessage): Picture | null {
  const { type, upload = null } = message;
  if (type !== MessageType.IMAGE && type !== MessageType.VIDEO) return null;
  if (upload !== null) {
    const { width, height } = upload;
    return { width: width ?? 0, height: height ?? 0, placeholder: null, thumbUrl: null, originUrl: null };
  }
  const image = imageOf(message);
  if (image !== null) return { ...image, placeholder: image.placeholder ?? null };
  const video = videoOf(message);
  if (video === null) return null;
  const { width, height, placeholder = null, coverUrl } = video;
  return { width, height, placeholder, thumbUrl: coverUrl, originUrl: coverUrl };
}

/** The length of a video in seconds; null if it is unknown. */
export function videoSeconds(message: MediaMessage): number | null {
  return message.upload?.duration ?? videoOf(message)?.duration ?? null;
}

/** A file of a message; `url` is null until it is uploaded. */
export interface SharedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly url: string | null;
}

/** The file of a message, under a name that shows its real extension; null if it has none that can be read. */
export function fileOf(message: MediaMessage): SharedFile | null {
  if (message.type !== MessageType.FILE) return null;
  const { upload = null } = message;
  if (upload !== null) return { name: visibleFileName(upload.name), size: upload.size, url: null };
  return storedFileOf(message);
}

/** A voice message; `url` is null until it is uploaded. */
export interface Voice {
  /** Seconds. */
  readonly duration: number;
  readonly wave: string | null;
  readonly url: string | null;
}

/** The voice of a message; null if it has none that can be read. */
export function voiceOf(message: MediaMessage): Voice | null {
  if (message.type !== MessageType.AUDIO) return null;
  const { upload = null } = message;
  if (upload !== null) return { duration: upload.duration ?? 0, wave: upload.wave, url: null };
  const voice = storedVoiceOf(message);
  return voice === null ? null : { ...voice, wave: voice.wave ?? null };
}

/** The URL of the file that a message is about, and the name under which it is saved; null if there is none. */
export function downloadOf(message: MediaMessage): { readonly url: string; readonly name: string } | null {
  const file = fileOf(message);
  const url = file?.url ?? imageOf(message)?.originUrl ?? videoOf(message)?.videoUrl ?? voiceOf(message)?.url;
  return url == null ? null : { url, name: file?.name ?? url.slice(url.lastIndexOf("/") + 1) };
}
