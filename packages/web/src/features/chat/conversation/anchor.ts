/** A row and where it stands below the upper edge of its scroller. */
export interface Anchor {
  readonly key: string;
  readonly y: number;
}

/** The top visible row: what must not move while something changes above it. */
export function findAnchor(scroller: HTMLElement): Anchor | null {
  const edge = scroller.getBoundingClientRect().top;
  let best: Anchor | null = null;
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-key]")) {
    const box = row.getBoundingClientRect();
    const key = row.dataset["key"];
    if (box.bottom <= edge || key === undefined) continue;
    if (best === null || box.top - edge < best.y) best = { key, y: box.top - edge };
  }
  return best;
}

/** How far the anchor has moved since it was found; 0 when it is gone, and for less than a pixel. */
export function movedBy(scroller: HTMLElement, anchor: Anchor | null): number {
  if (anchor === null) return 0;
  const row = scroller.querySelector(`[data-key="${CSS.escape(anchor.key)}"]`);
  if (row === null) return 0;
  const moved = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.y;
  return Math.abs(moved) < 1 ? 0 : moved;
}
