import type { Rectangle } from "electron";

/** Below this size the client has no room for its panes. */
export const MIN_SIZE = { width: 400, height: 500 } as const;
const FIRST_SIZE = { width: 1_100, height: 760 } as const;

/**
 * Where a window appears. `workAreas` are those of the displays, the main one first. A window of a display that is no longer there moves to
 * the main one; what is larger than its display or partly outside is moved inside.
 */
export function visibleBounds(
  saved: Rectangle | null,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): Rectangle {
  const [main] = workAreas;
  const [best] = [...workAreas].sort((a, b) => overlap(saved, b) - overlap(saved, a));
  if (saved === null || best === undefined || overlap(saved, best) === 0) {
    const { width, height } = sizeWithin(saved ?? FIRST_SIZE, main);
    return {
      x: main.x + Math.round((main.width - width) / 2),
      y: main.y + Math.round((main.height - height) / 2),
      width,
      height,
    };
  }
  const { width, height } = sizeWithin(saved, best);
  return {
    x: Math.min(Math.max(saved.x, best.x), best.x + best.width - width),
    y: Math.min(Math.max(saved.y, best.y), best.y + best.height - height),
    width,
    height,
  };
}

function sizeWithin(
  size: { width: number; height: number },
  area: Rectangle,
): { width: number; height: number } {
  return {
    width: Math.min(Math.max(size.width, MIN_SIZE.width), area.width),
    height: Math.min(Math.max(size.height, MIN_SIZE.height), area.height),
  };
}

/** The area that two rectangles share. */
function overlap(a: Rectangle | null, b: Rectangle): number {
  if (a === null) return 0;
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(width, 0) * Math.max(height, 0);
}
