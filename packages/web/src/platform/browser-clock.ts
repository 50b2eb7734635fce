import type { Clock } from "@parley/core/ports";

/** How long to wait for a frame. A covered window may get none although it counts as visible. */
const FRAME_LIMIT_MS = 50;

/** The browser's clock. `soon` runs in the next animation frame, so that many socket frames cause one paint; in hidden pages, in the next task. */
export function browserClock(): Clock {
  const channel = new MessageChannel();
  let queue: (() => void)[] = [];
  const flush = () => {
    const due = queue;
    queue = [];
    for (const run of due) run();
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
      queue.push(run);
      if (queue.length > 1) return;
      if (document.visibilityState === "hidden") {
        channel.port2.postMessage(null);
        return;
      }
      let isFlushed = false;
      const flushOnce = () => {
        if (isFlushed) return;
        isFlushed = true;
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        flush();
      };
      const frame = requestAnimationFrame(flushOnce);
      const timer = setTimeout(flushOnce, FRAME_LIMIT_MS);
    },
  };
}
