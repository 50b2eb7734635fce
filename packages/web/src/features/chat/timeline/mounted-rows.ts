import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { RowEdges, RowRange } from "../../../ui/row-range.ts";

/** A row to render. */
export interface MountedRow {
  readonly row: TimelineRow;
  /** Its distance from the first row if it is apart from the others, which follow each other; else null. */
  readonly top: number | null;
}

/** The rows in a range, and the focused row also outside of it: otherwise the keyboard focus would leave the conversation. */
export function mountedRows(
  rows: readonly TimelineRow[],
  { first, end }: RowRange,
  focusedIndex: number,
  edges: Pick<RowEdges, "edge">,
): readonly MountedRow[] {
  const inRange = rows.slice(first, end).map((row) => ({ row, top: null }));
  const focused = rows[focusedIndex];
  if (focused === undefined || (focusedIndex >= first && focusedIndex < end)) return inRange;
  const apart = { row: focused, top: edges.edge(focusedIndex) };
  return focusedIndex < first ? [apart, ...inRange] : [...inRange, apart];
}
