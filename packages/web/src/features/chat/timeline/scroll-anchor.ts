/** A row, and the distance of its message from the top of the view. */
export interface ScrollAnchor {
  readonly key: string;
  readonly y: number;
}

/** The message inside a row. The gap above it depends on the row before and may change, while the message must not move. */
function bodyOf(row: Element): Element {
  return row.querySelector("[data-key]") ?? row;
}

/** The distance of a mounted row's message from the top of the view. */
export function offsetInView(scroller: Element, row: Element): number {
  return bodyOf(row).getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

/**
 * The visible messages, which must not move when something above them changes: first those that begin in view, then one that begins
 * above it. There are several in case one is removed. Rows without a message (times, dividers) come last, because they are often removed.
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
