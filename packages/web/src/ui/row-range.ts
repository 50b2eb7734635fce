/** Positions of rows below each other. */
export interface RowEdges {
  readonly count: number;
  /** Distance of a row's upper edge from the first row's; for `count` the lower edge of the last row. */
  edge(index: number): number;
  /** The row at this distance; beyond the ends the first or the last one. */
  indexAt(y: number): number;
}

/** Rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Computes the positions of rows with these heights. */
export function edgesOf(count: number, heightOf: (index: number) => number): RowEdges {
  const edges = new Float64Array(count + 1);
  for (let index = 0; index < count; index++) edges[index + 1] = (edges[index] ?? 0) + heightOf(index);
  return {
    count,
    edge: (index) => edges[Math.max(0, Math.min(index, count))] ?? 0,
    indexAt(y) {
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((edges[middle] ?? 0) <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

/** The rows of a view with the upper edge `top` and of `buffer` pixels around it; at most `max` rows. */
export function rowsAround(
  rows: RowEdges,
  top: number,
  height: number,
  buffer: number,
  max: number,
): RowRange {
  const { count } = rows;
  if (count === 0) return { first: 0, end: 0 };
  let first = rows.indexAt(top - buffer);
  let end = rows.indexAt(top + height + buffer) + 1;
  // If there are too many, leave out those furthest from the middle of the view.
  const middle = top + height / 2;
  while (end - first > max) {
    if (middle - rows.edge(first + 1) > rows.edge(end - 1) - middle) first++;
    else end--;
  }
  return { first, end };
}

/** Whether these rows fill a view and `reserve` pixels around it, as far as the number of rows and `max` allow. */
export function coversView(
  rows: RowEdges,
  { first, end }: RowRange,
  top: number,
  height: number,
  reserve: number,
  max: number,
): boolean {
  const margin = end - first >= max ? 0 : reserve;
  return (
    (first === 0 || rows.edge(first) <= top - margin) &&
    (end === rows.count || rows.edge(end) >= top + height + margin)
  );
}

/** The scroll position, nearest to `top`, at which a row is completely visible. */
export function scrollTopToReveal(rows: RowEdges, index: number, top: number, height: number): number {
  return Math.max(Math.min(top, rows.edge(index)), rows.edge(index + 1) - height);
}
