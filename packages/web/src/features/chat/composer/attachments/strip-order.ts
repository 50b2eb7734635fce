/** The list with the item at `from` moved to `to`; positions outside the list count as its ends. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from];
  if (moved === undefined) return items;
  const others = items.filter((_, index) => index !== from);
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, moved);
}

/** How near to its edge the strip scrolls, px. */
const EDGE_PX = 48;
/** Speeds at the border of that zone and at the edge, px a second. The lower one is still a whole pixel in each frame. */
const SPEEDS = { slow: 120, fast: 900 } as const;

/** How fast the strip scrolls while a tile is dragged at `x`, px a second: the faster, the nearer to the edge; negative to the left. */
export function edgeSpeed(x: number, { left, right }: { left: number; right: number }): number {
  const depth = EDGE_PX - Math.min(x - left, right - x);
  if (depth <= 0) return 0;
  const speed = SPEEDS.slow + (SPEEDS.fast - SPEEDS.slow) * Math.min(1, depth / EDGE_PX);
  return x - left < right - x ? -speed : speed;
}

/** The position at which a dragged tile is dropped: behind the tiles whose middle it has passed. `middles`: of the other tiles, in order. */
export function dropPosition(middles: readonly number[], x: number): number {
  return middles.filter((middle) => middle < x).length;
}
