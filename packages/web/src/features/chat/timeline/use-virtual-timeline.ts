import { useLayoutEffect, useReducer } from "react";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { RowEdges, RowRange } from "../../../ui/row-range.ts";
import type { TimelineContent } from "./scroll-position.ts";
import type { VirtualTimeline, TimelineView } from "./virtual-timeline.ts";

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

/** Passes rows to a virtual timeline. Returns the rows to render. */
export function useVirtualTimeline(
  timeline: VirtualTimeline,
  content: TimelineContent,
  onViewChange: (view: TimelineView) => void,
): readonly MountedRow[] {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const range = timeline.update(content);
  useLayoutEffect(() => {
    timeline.rerender = rerender;
    timeline.onViewChange = onViewChange;
  }, [timeline, onViewChange]);
  useLayoutEffect(() => timeline.measure());
  const { focusKey, heights } = timeline;
  return mountedRows(content.rows, range, focusKey === null ? -1 : heights.indexOf(focusKey), heights);
}
