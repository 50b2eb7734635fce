import { useLayoutEffect, useReducer } from "react";
import type { RowRange } from "../../../ui/row-range.ts";
import type { Stage, StageRows, View } from "./stage.ts";

/** Puts rows on a stage; answers which of them it wants drawn. */
export function useStage(stage: Stage, rows: StageRows, onMove: (view: View) => void): RowRange {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const range = stage.show(rows);
  useLayoutEffect(() => {
    stage.redraw = redraw;
    stage.onMove = onMove;
  }, [stage, onMove]);
  useLayoutEffect(() => stage.settle());
  return range;
}
