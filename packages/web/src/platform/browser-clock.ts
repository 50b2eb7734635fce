import type { Clock } from "@parley/core/ports";

/** A frame may not come although the page counts as visible (covered window): then this is long enough to wait. */
const FRAME_LIMIT_MS = 50;

/** Time of the browser. `soon` waits for the next frame while the page is seen, so that a burst of frames paints once; hidden pages get no frames and take the next task. */
export function browserClock(): Clock {
  const channel = new MessageChannel();
  let waiting: (() => void)[] = [];
  const flush = () => {
    const now = waiting;
    waiting = [];
    for (const run of now) run();
  };
  channel.port1.addEventListener("message", flush);
  channel.port1.start();
  return {
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    soon(run) {
      waiting.push(run);
      if (waiting.length > 1) return;
      if (document.visibilityState === "hidden") {
        channel.port2.postMessage(null);
        return;
      }
      let isDone = false;
      const once = () => {
        if (isDone) return;
        isDone = true;
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        flush();
      };
      const frame = requestAnimationFrame(once);
      const timer = setTimeout(once, FRAME_LIMIT_MS);
    },
  };
}
