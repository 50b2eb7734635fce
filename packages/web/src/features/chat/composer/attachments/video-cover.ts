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
