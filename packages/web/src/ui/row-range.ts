/** Where rows stand that follow one another. */
export interface RowEdges {
  readonly count: number;
  /** Upper edge of a row below the first one; of `count`: the lower edge of all. */
  edge(index: number): number;
  /** The row at this height; the first or the last one beyond the ends. */
  indexAt(y: number): number;
}

/** Rows from `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Where rows of these heights stand. */
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

/** The rows of a view whose upper edge is at `top`, with what lies `buffer` pixels around it; never more than `max`. */
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
  // Too many: the ones furthest from the view's middle go.
  const middle = top + height / 2;
  while (end - first > max) {
    if (middle - rows.edge(first + 1) > rows.edge(end - 1) - middle) first++;
    else end--;
  }
  return { first, end };
}

/** Whether these rows fill a view and `reserve` pixels around it, as far as there are rows and may be. */
export function coversView(
  rows: RowEdges,
  { first, end }: RowRange,
  top: number,
  height: number,
  reserve: number,
  max: number,
): boolean {
  const need = end - first >= max ? 0 : reserve;
  return (
    (first === 0 || rows.edge(first) <= top - need) &&
    (end === rows.count || rows.edge(end) >= top + height + need)
  );
}

/** Where a view must begin for a row to be seen whole; what it is now if it is. */
export function scrollTopToReveal(rows: RowEdges, index: number, top: number, height: number): number {
  return Math.max(Math.min(top, rows.edge(index)), rows.edge(index + 1) - height);
}
