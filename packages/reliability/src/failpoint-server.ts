/** Runs the server and kills itself with SIGKILL at the failpoint that the parent process names. */
import { FAILPOINTS, type Failpoint, type PassFailpoint } from "@parley/server/ports/failpoints";
import { runUntilSignal } from "@parley/server/runtime/run-until-signal";

/** The n-th pass of a failpoint, counted from 1. */
export interface KillPoint {
  failpoint: Failpoint;
  pass: number;
}

/** How often each failpoint was passed. */
export type PassCounts = { [point in Failpoint]?: number };

/** A message of the parent process. `watch`: null counts from 0 and never kills; undefined only asks for the counts. */
export interface FailpointQuestion {
  watch?: KillPoint | null | undefined;
}

let killPoint: KillPoint | null = null;
let passCounts: PassCounts = {};

function killSelf(): never {
  // The IPC message is written synchronously, so the parent gets it although the process dies.
  process.send?.(passCounts);
  process.kill(process.pid, "SIGKILL");
  // Wait for the signal, so that no code after the failpoint runs.
  for (;;);
}

const countAndKill: PassFailpoint = (point, flush) => {
  const count = (passCounts[point] ?? 0) + 1;
  passCounts[point] = count;
  if (killPoint?.failpoint !== point || killPoint.pass !== count) return undefined;
  if (point === "beforeAnswer" || point === "afterAnswer") {
    // Sockets are flushed at the end of this turn: all pushes, and the answer if there is one.
    setImmediate(killSelf);
    return new Promise(() => {});
  }
  flush?.();
  return killSelf();
};

process.on("message", ({ watch }: FailpointQuestion) => {
  if (watch !== undefined) {
    // A misspelt name would never kill, and the battery would prove nothing.
    if (watch !== null && !FAILPOINTS.includes(watch.failpoint)) {
      throw new Error(`there is no failpoint ${watch.failpoint}`);
    }
    killPoint = watch;
    passCounts = {};
  }
  process.send?.(passCounts);
});

// Do not outlive a test that was aborted.
process.on("disconnect", killSelf);

runUntilSignal({ failpoint: countAndKill });
