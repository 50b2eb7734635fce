import { useLayoutEffect, useReducer } from "react";
import type { RowRange } from "../../../ui/row-range.ts";
import type { VirtualTimeline, TimelineContent, TimelineView } from "./virtual-timeline.ts";

/** Puts rows on a stage; answers which of them it wants drawn. */
export function useVirtualTimeline(
  timeline: VirtualTimeline,
  rows: TimelineContent,
  onViewChange: (view: TimelineView) => void,
): RowRange {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const range = timeline.update(rows);
  useLayoutEffect(() => {
    timeline.rerender = rerender;
    timeline.onViewChange = onViewChange;
  }, [timeline, onViewChange]);
  useLayoutEffect(() => timeline.measure());
  return range;
}
