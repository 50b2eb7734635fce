/** The largest side of a picture in a conversation, and the smallest (interface §6). */
const PICTURE_MAX_PX = 320;
const PICTURE_MIN_PX = 80;
/** The part of the window's width that a picture may take on a phone. */
const PHONE_PART = 0.6;
/** The box of a picture whose size nobody knows. */
const UNKNOWN_PX = 160;
const GRID_GAP_PX = 2;

/** The box in which a picture is drawn, in px. `isCut`: the picture fills it and loses its edges. Otherwise it is shown whole. */
export interface PictureBox {
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
