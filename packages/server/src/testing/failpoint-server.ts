/** The server as main.ts starts it, but it ends itself where its parent says: as by kill -9, exactly there. */
import { type Failpoint, onFailpoint } from "../ports/failpoints.ts";

/** The n-th pass of a point, from 1. */
export interface KillPoint {
  failpoint: Failpoint;
  pass: number;
}

export type PassCounts = { [point in Failpoint]?: number };

/** `watch`: null counts anew and stops nowhere, undefined asks for the counts. */
export interface FailpointQuestion {
  watch?: KillPoint | null | undefined;
}

let killPoint: KillPoint | null = null;
let passCounts: PassCounts = {};

function killSelf(): never {
  // Is written at once: the parent has it although nothing else of this process comes out.
  process.send?.(passCounts);
  process.kill(process.pid, "SIGKILL");
  // The signal comes while this waits: nothing behind the point runs.
  for (;;);
}

onFailpoint((point, bringOut) => {
  const count = (passCounts[point] ?? 0) + 1;
  passCounts[point] = count;
  if (killPoint?.failpoint !== point || killPoint.pass !== count) return undefined;
  if (point === "beforeAnswer" || point === "afterAnswer") {
    // What this turn has written leaves at its end: all pushes, and the answer if it was given.
    setImmediate(killSelf);
    return new Promise(() => {});
  }
  bringOut?.();
  return killSelf();
});

process.on("message", ({ watch }: FailpointQuestion) => {
  if (watch !== undefined) {
    killPoint = watch;
    passCounts = {};
  }
  process.send?.(passCounts);
});

// A test that broke off leaves nothing running.
process.on("disconnect", killSelf);

await import("../main.ts");
