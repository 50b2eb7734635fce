import type { RowHeights } from "./row-heights.ts";

/** Rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** More are never mounted, however low they are (interface §19 row 5). */
export const ROWS_MAX = 100;

/** The rows of a view whose upper edge is at `top`, with what lies `buffer` pixels around it. */
export function rowsAround(heights: RowHeights, top: number, height: number, buffer: number): RowRange {
  const { count } = heights;
  if (count === 0) return { first: 0, end: 0 };
  let first = heights.indexAt(top - buffer);
  let end = heights.indexAt(top + height + buffer) + 1;
  // Too many: the ones furthest from the view's middle go.
  const middle = top + height / 2;
  while (end - first > ROWS_MAX) {
    if (middle - heights.edge(first + 1) > heights.edge(end - 1) - middle) first++;
    else end--;
  }
  return { first, end };
}

/** Whether these rows fill a view and `reserve` pixels around it, as far as there are rows. */
export function covers(
  heights: RowHeights,
  { first, end }: RowRange,
  top: number,
  height: number,
  reserve: number,
): boolean {
  const isFull = end - first >= ROWS_MAX;
  const need = isFull ? 0 : reserve;
  return (
    (first === 0 || heights.edge(first) <= top - need) &&
    (end === heights.count || heights.edge(end) >= top + height + need)
  );
}
