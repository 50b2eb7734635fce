/** A row and where its message stands below the upper edge of the view. */
export interface ScrollAnchor {
  readonly key: string;
  readonly y: number;
}

/** The message in a row: the gap above it belongs to its neighbour, and may change while the message must stand still. */
function bodyOf(row: Element): Element {
  return row.querySelector("[data-key]") ?? row;
}

/** Where a mounted row's message stands in the view. */
export function offsetInView(scroller: Element, row: Element): number {
  return bodyOf(row).getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

/**
 * The messages in view, what must not move while something changes above them: first those that begin in view, then one that began
 * above it. There are several, so that one may go. Times and dividers, which come and go with their neighbours, are held only alone.
 */
export function findAnchors(scroller: Element, rows: Iterable<readonly [string, Element]>): ScrollAnchor[] {
  const view = scroller.getBoundingClientRect();
  const [fullyVisible, cutAtTop, rowsWithoutMessage]: [ScrollAnchor[], ScrollAnchor[], ScrollAnchor[]] = [
    [],
    [],
    [],
  ];
  for (const [key, row] of rows) {
    const body = bodyOf(row);
    const box = body.getBoundingClientRect();
    if (box.bottom <= view.top || box.top >= view.bottom) continue;
    const y = box.top - view.top;
    (body === row ? rowsWithoutMessage : y >= 0 ? fullyVisible : cutAtTop).push({ key, y });
  }
  return [...fullyVisible.toSorted((a, b) => a.y - b.y), ...cutAtTop, ...rowsWithoutMessage];
}
