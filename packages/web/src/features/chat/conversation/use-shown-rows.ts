import { useLayoutEffect, useReducer, useRef } from "react";
import type { TimelineRow } from "@parley/core/model/timeline";
import { NO_ROWS, showRows } from "./shown-rows.ts";
import type { ShownRows } from "./shown-rows.ts";

/** The rows as the virtual list may have them: one step of a change each commit. */
export function useShownRows(rows: readonly TimelineRow[]): ShownRows {
  const [shown, step] = useReducer(showRows, NO_ROWS);
  const committed = useRef(NO_ROWS);
  // The first step needs no commit of its own; a second one waits until the list has seen the first.
  if (committed.current === shown && showRows(shown, rows) !== shown) step(rows);
  useLayoutEffect(() => {
    committed.current = shown;
    if (showRows(shown, rows) !== shown) step(rows);
  }, [shown, rows]);
  return shown;
}
