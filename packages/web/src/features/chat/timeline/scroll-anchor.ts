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

/** The visible messages of the mounted rows, the best anchor first. */
export function findAnchors(scroller: Element, rows: Iterable<readonly [string, Element]>): ScrollAnchor[] {
  const view = scroller.getBoundingClientRect();
  const bodies = Array.from(rows, ([key, row]) => {
    const body = bodyOf(row);
    const { top, bottom } = body.getBoundingClientRect();
    return { key, top: top - view.top, bottom: bottom - view.top, isMessage: body !== row };
  });
  return orderAnchors(bodies, view.height);
}

/** The distances of a row's message, or of a row without a message, from the top of the view. */
interface RowBody {
  readonly key: string;
  readonly top: number;
  readonly bottom: number;
  readonly isMessage: boolean;
}

/**
 * The visible messages, which must not move when something above them changes: first those that begin in view, then one that begins
 * above it. There are several in case one is removed. Rows without a message (times, dividers) come last, because they are often removed.
 */
export function orderAnchors(bodies: readonly RowBody[], viewHeight: number): ScrollAnchor[] {
  const [fullyVisible, cutAtTop, rowsWithoutMessage]: [ScrollAnchor[], ScrollAnchor[], ScrollAnchor[]] = [
    [],
    [],
    [],
  ];
  for (const { key, top, bottom, isMessage } of bodies) {
    if (bottom <= 0 || top >= viewHeight) continue;
    (!isMessage ? rowsWithoutMessage : top >= 0 ? fullyVisible : cutAtTop).push({ key, y: top });
  }
  return [...fullyVisible.toSorted((a, b) => a.y - b.y), ...cutAtTop, ...rowsWithoutMessage];
}
