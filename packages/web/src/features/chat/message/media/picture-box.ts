import { useSyncExternalStore } from "react";
import { MessageType } from "@parley/protocol/codes";
import { useIsMobile } from "../../../../ui/use-media.ts";
import { type MediaMessage, pictureOf } from "./media-content.ts";

/** The largest side of a picture in a conversation, and the smallest (interface §6). */
const PICTURE_MAX_PX = 320;
const PICTURE_MIN_PX = 80;
/** The part of the window's width that a picture may take on a phone. */
const PHONE_PART = 0.6;
/** The box of a picture whose size nobody knows. */
const UNKNOWN_PX = 160;
const GRID_GAP_PX = 2;

/** The box in which a picture is drawn, in px. `isCut`: the picture fills it and loses its edges. Otherwise it is shown whole. */
interface PictureBox {
  readonly width: number;
  readonly height: number;
  readonly isCut: boolean;
}

/** The largest side of a picture in a window of this width. */
export function maxPicturePx(windowWidth: number, isPhone: boolean): number {
  return isPhone
    ? Math.max(PICTURE_MIN_PX, Math.min(PICTURE_MAX_PX, Math.floor(windowWidth * PHONE_PART)))
    : PICTURE_MAX_PX;
}

/**
 * The box of a picture of this size: as large as the picture, at most `max` and at least 80 on each side. It depends on nothing that is
 * loaded, so that nothing moves when the picture arrives.
 */
export function pictureBox(width: number, height: number, max = PICTURE_MAX_PX): PictureBox {
  if (!(width > 0) || !(height > 0)) return { width: UNKNOWN_PX, height: UNKNOWN_PX, isCut: true };
  const scale = Math.min(1, max / width, max / height);
  const fit = (side: number) => Math.max(PICTURE_MIN_PX, Math.round(side * scale));
  const isTiny = width < PICTURE_MIN_PX && height < PICTURE_MIN_PX;
  return { width: fit(width), height: fit(height), isCut: !isTiny };
}

/** A grid of pictures in px: two columns up to four pictures, else three (interface §6). */
export interface PictureGrid {
  readonly columns: 2 | 3;
  readonly cell: number;
  readonly gap: number;
  readonly width: number;
  readonly height: number;
}

/** The grid of this many pictures, at most `max` wide. */
export function pictureGrid(count: number, max = PICTURE_MAX_PX): PictureGrid {
  const columns = count <= 4 ? 2 : 3;
  const full = max + GRID_GAP_PX;
  const cell = Math.floor((full - GRID_GAP_PX * (columns - 1)) / columns);
  const rows = Math.ceil(count / columns);
  const side = (cells: number) => cells * cell + (cells - 1) * GRID_GAP_PX;
  return { columns, cell, gap: GRID_GAP_PX, width: side(columns), height: side(rows) };
}

/** The size of a file (interface §6). */
const FILE_PX = { width: 280, height: 64 } as const;
/** Play button, bars, time and their gaps. */
const VOICE_PX = { width: 216, height: 36 } as const;

/** The place that a message with a file takes, known before anything is loaded; in px. */
export interface MediaBox {
  readonly width: number;
  readonly height: number;
  readonly variant: "picture" | "file" | "voice";
}

/** The place of a message with a file; null for other messages, and for one whose content cannot be read. */
export function mediaBox(message: MediaMessage): MediaBox | null {
  if (message.type === MessageType.FILE) return { ...FILE_PX, variant: "file" };
  if (message.type === MessageType.AUDIO) return { ...VOICE_PX, variant: "voice" };
  const picture = pictureOf(message);
  return picture === null ? null : { ...pictureBox(picture.width, picture.height), variant: "picture" };
}

/** The largest side of a picture in this window, in px. Renders again when it changes. */
export function useMaxPicturePx(): number {
  const isPhone = useIsMobile();
  return useSyncExternalStore(subscribe, () => maxPicturePx(window.innerWidth, isPhone));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}
