/** The server as main.ts starts it, but it ends itself where its parent says: as by kill -9, exactly there. */
import { type StopPoint, listenAtStops } from "../ports/stops.ts";

/** The n-th pass of a point, from 1. */
export interface Stop {
  point: StopPoint;
  pass: number;
}

export type Passes = { [point in StopPoint]?: number };

/** `watch`: null counts anew and stops nowhere, undefined asks for the counts. */
export interface StopQuestion {
  watch?: Stop | null | undefined;
}

let stop: Stop | null = null;
let passes: Passes = {};

function end(): never {
  // Is written at once: the parent has it although nothing else of this process comes out.
  process.send?.(passes);
  process.kill(process.pid, "SIGKILL");
  // The signal comes while this waits: nothing behind the point runs.
  for (;;);
}

listenAtStops((point, bringOut) => {
  const count = (passes[point] ?? 0) + 1;
  passes[point] = count;
  if (stop?.point !== point || stop.pass !== count) return undefined;
  if (point === "beforeAnswer" || point === "afterAnswer") {
    // What this turn has written leaves at its end: all pushes, and the answer if it was given.
    setImmediate(end);
    return new Promise(() => {});
  }
  bringOut?.();
  return end();
});

process.on("message", ({ watch }: StopQuestion) => {
  if (watch !== undefined) {
    stop = watch;
    passes = {};
  }
  process.send?.(passes);
});

// A test that broke off leaves nothing running.
process.on("disconnect", end);

await import("../main.ts");
