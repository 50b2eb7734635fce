import { useLayoutEffect, useReducer } from "react";
import type { RowRange } from "../../../ui/row-range.ts";
import type { TimelineContent } from "./scroll-position.ts";
import type { VirtualTimeline, TimelineView } from "./virtual-timeline.ts";

/** Passes rows to a virtual timeline. Returns the range of rows to render. */
export function useVirtualTimeline(
  timeline: VirtualTimeline,
  content: TimelineContent,
  onViewChange: (view: TimelineView) => void,
): RowRange {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const range = timeline.update(content);
  useLayoutEffect(() => {
    timeline.rerender = rerender;
    timeline.onViewChange = onViewChange;
  }, [timeline, onViewChange]);
  useLayoutEffect(() => timeline.measure());
  return range;
}
