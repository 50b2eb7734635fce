import type { Clock } from "../ports.ts";

/** A clock that stands still until a test moves it. Several clients may share one; each can have its own timers by `branch`. */
export interface FakeClock extends Clock {
  /** Moves on and runs the timers that are due on the way, in order. */
  advance(ms: number): void;
  /** Runs what was scheduled with `soon`; false: there was nothing. */
  runSoon(): boolean;
  /** A clock with the same time whose timers can all be stopped at once. */
  branch(): Clock & { stop(): void };
  /** The time of the next timer; null for none. */
  nextAt(): number | null;
}

interface Timer {
  at: number;
  serial: number;
  run: () => void;
}

/** Creates a clock that stands at `start`. */
export function createFakeClock(start = 1_800_000_000_000): FakeClock {
  let time = start;
  let serial = 0;
  let timers: Timer[] = [];
  let soonTasks: (() => void)[] = [];

  function nextTimer(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.serial < first.serial))
        first = timer;
    }
    return first;
  }

  const clock: FakeClock = {
    now: () => time,
    after(ms, run) {
      const timer = { at: time + Math.max(0, ms), serial: serial++, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    soon(run) {
      soonTasks.push(run);
    },
    runSoon() {
      const due = soonTasks;
      soonTasks = [];
      for (const run of due) run();
      return due.length > 0;
    },
    advance(ms) {
      const end = time + ms;
      for (let timer = nextTimer(); timer !== undefined && timer.at <= end; timer = nextTimer()) {
        const due = timer;
        timers = timers.filter((other) => other !== due);
        time = due.at;
        due.run();
        while (clock.runSoon());
      }
      time = end;
    },
    branch() {
      let isStopped = false;
      const guarded = (run: () => void) => () => {
        if (!isStopped) run();
      };
      return {
        now: () => time,
        after: (ms, run) => clock.after(ms, guarded(run)),
        soon: (run) => clock.soon(guarded(run)),
        stop() {
          isStopped = true;
        },
      };
    },
    nextAt: () => nextTimer()?.at ?? null,
  };
  return clock;
}
