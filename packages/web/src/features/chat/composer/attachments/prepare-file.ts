import type { OutgoingFile } from "@parley/core/chats/outgoing-file";
import { MessageType } from "@parley/protocol/codes";
import { fileKind, fileType, isPictureSize, type FileKind } from "./file-kind.ts";

/**
 * Makes a picked file ready to be sent: decides what it is, reads its size, and makes the cover of a video. Never rejects: what cannot be read
 * goes as a file.
 */
export async function prepareFile(file: File, options: PrepareOptions): Promise<OutgoingFile> {
  try {
    return await readFile(file, options.isFile ? MessageType.FILE : fileKind(file, options.imageMax));
  } catch (error) {
    reportError(error);
    return plain(file, MessageType.FILE);
  }
}

async function readFile(file: File, kind: FileKind): Promise<OutgoingFile> {
  if (kind === MessageType.VIDEO) {
    const details = await readVideo(file);
    // What cannot be played here can still be downloaded. The name and type of a sound may be those of a video.
    if (details === null || details.width === 0) return plain(file, MessageType.FILE);
    return { ...plain(file, kind), ...details };
  }
  if (kind === MessageType.FILE) return plain(file, kind);
  const size = await readPicture(file);
  // A file that is no picture in spite of its type, or a picture that is too large to be shown, can still be downloaded.
  if (size === null || !isPictureSize(size.width, size.height)) return plain(file, MessageType.FILE);
  return { ...plain(file, kind), ...size };
}

interface PrepareOptions {
  /** The person asks for a file, whatever it is. */
  readonly isFile: boolean;
  /** Bytes that the server takes for a picture. */
  readonly imageMax: number;
}

function plain(file: File, type: FileKind): OutgoingFile {
  return {
    type,
    file,
    cover: null,
    name: file.name,
    size: file.size,
    mimeType: fileType(file),
    width: null,
    height: null,
    duration: null,
    wave: null,
  };
}

/** A picture or video that cannot be read in this time is sent without what was not read, ms. */
const READ_MS = 10_000;
/** Where to look for a frame that is not black, seconds. */
const COVER_TIMES = [0, 0.5, 1.5, 3];
const COVER_QUALITY = 0.82;
/** The side of the small copy on which a frame is judged, px. */
const JUDGED_PX = 16;

/** Pixels of a picture as it is shown, upright. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What a browser reads of a video. Each part may be missing. The size is 0 if the video has no picture. */
interface VideoDetails {
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly cover: Blob | null;
}

/** The size of a picture; null if this browser cannot read it. */
async function readPicture(file: Blob): Promise<PictureSize | null> {
  return Promise.race([readSize(file), after(READ_MS).then(() => null)]);
}

async function readSize(file: Blob): Promise<PictureSize | null> {
  const named = await namedSize(file);
  // To decode one that is too large could need more memory than a phone has.
  if (named === null || !isPictureSize(named.width, named.height)) return named;
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return null;
  }
}

/** The size that a picture names at its beginning; null if the browser does not know it as a picture. */
async function namedSize(file: Blob): Promise<PictureSize | null> {
  const url = URL.createObjectURL(file);
  const picture = new Image();
  try {
    await new Promise((resolve, reject) => {
      picture.addEventListener("load", resolve);
      picture.addEventListener("error", reject);
      picture.src = url;
    });
    return { width: picture.naturalWidth, height: picture.naturalHeight };
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Size, duration and cover of a video, as far as this browser can read them in time; null if it cannot play the video. */
async function readVideo(file: Blob): Promise<VideoDetails | null> {
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  video.muted = true;
  video.playsInline = true;
  video.preload = "auto";
  let isPlayable = true;
  let details: VideoDetails = { width: null, height: null, duration: null, cover: null };
  const read = async () => {
    const isLoaded = happens(video, "loadeddata");
    video.src = url;
    try {
      await isLoaded;
    } catch {
      isPlayable = false;
      return;
    }
    details = { ...details, width: video.videoWidth, height: video.videoHeight };
    if (video.videoWidth === 0) return;
    const duration = await durationOf(video);
    details = { ...details, duration };
    for (const time of COVER_TIMES) {
      if (time > 0 && duration !== null && time >= duration) break;
      await seek(video, time);
      details = { ...details, cover: (await frameOf(video)) ?? details.cover };
      if (!isFrameDark(video)) break;
    }
  };
  try {
    // The rest of a damaged video may not be readable.
    await Promise.race([read().catch(() => undefined), after(READ_MS)]);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
  return isPlayable ? details : null;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function happens(video: HTMLVideoElement, event: "loadeddata" | "seeked" | "durationchange"): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(new Error("the video cannot be decoded")), { once: true });
  });
}

async function seek(video: HTMLVideoElement, seconds: number): Promise<void> {
  // The end of an earlier search would be taken for that of this one.
  if (video.seeking) await happens(video, "seeked");
  if (video.currentTime === seconds) return;
  const hasSought = happens(video, "seeked");
  video.currentTime = seconds;
  await hasSought;
}

/** The duration in seconds. A recording of a browser does not name its own: the browser finds it when it looks for the end. */
async function durationOf(video: HTMLVideoElement): Promise<number | null> {
  if (!Number.isFinite(video.duration)) {
    const isKnown = happens(video, "durationchange");
    video.currentTime = Number.MAX_SAFE_INTEGER;
    await isKnown;
  }
  return Number.isFinite(video.duration) ? video.duration : null;
}

/** The current frame as a JPEG of at most 1280 px. */
function frameOf(video: HTMLVideoElement): Promise<Blob | null> {
  const { width, height } = coverSize(video.videoWidth, video.videoHeight);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(video, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", COVER_QUALITY));
}

function isFrameDark(video: HTMLVideoElement): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = JUDGED_PX;
  canvas.height = JUDGED_PX;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return false;
  context.drawImage(video, 0, 0, JUDGED_PX, JUDGED_PX);
  return isDark(context.getImageData(0, 0, JUDGED_PX, JUDGED_PX).data);
}

/** The longer side of a cover is at most this, px. */
const COVER_MAX_PX = 1_280;
/** A frame is black if no pixel is brighter than this, of 255. */
const DARK_MAX = 24;

/** The size of the cover of a video of this size, px: the same proportions, at most 1280, at least 1. */
export function coverSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, COVER_MAX_PX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Whether a frame is black. `pixels`: four bytes each, red, green, blue and alpha. */
export function isDark(pixels: Uint8ClampedArray): boolean {
  for (let at = 0; at < pixels.length; at += 4) {
    if (Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) > DARK_MAX) return false;
  }
  return true;
}
