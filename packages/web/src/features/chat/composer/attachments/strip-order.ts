/** The list with the item at `from` moved to `to`; positions outside the list count as its ends. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from];
  if (moved === undefined) return items;
  const others = items.filter((_, index) => index !== from);
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, moved);
}

/** The position at which a dragged tile is dropped: behind the tiles whose middle it has passed. `middles`: of the other tiles, in order. */
export function dropPosition(middles: readonly number[], x: number): number {
  return middles.filter((middle) => middle < x).length;
}
