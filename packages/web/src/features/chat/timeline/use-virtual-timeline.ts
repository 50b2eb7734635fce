import { useLayoutEffect, useReducer } from "react";
import { mountedRows, type MountedRow } from "./mounted-rows.ts";
import type { TimelineContent } from "./scroll-position.ts";
import type { VirtualTimeline, TimelineView } from "./virtual-timeline.ts";

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
