import type { Clock } from "../ports.ts";

/** A clock that stands still until it is moved. Several programs may run on one; each has its own timers, and dies with them. */
export interface FakeClock extends Clock {
  /** Moves on, running what falls due on the way, in order. */
  advance(ms: number): void;
  /** Runs what was put off to after the present turn; false: there was nothing. */
  runSoon(): boolean;
  /** A clock of the same time whose timers can be silenced at once. */
  branch(): Clock & { stop(): void };
  /** Time of the next timer, null for none. */
  nextAt(): number | null;
}

interface Timer {
  at: number;
  serial: number;
  run: () => void;
}

export function createFakeClock(start = 1_800_000_000_000): FakeClock {
  let time = start;
  let serial = 0;
  let timers: Timer[] = [];
  let soon: (() => void)[] = [];

  function next(): Timer | undefined {
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
      soon.push(run);
    },
    runSoon() {
      const due = soon;
      soon = [];
      for (const run of due) run();
      return due.length > 0;
    },
    advance(ms) {
      const end = time + ms;
      for (let timer = next(); timer !== undefined && timer.at <= end; timer = next()) {
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
    nextAt: () => next()?.at ?? null,
  };
  return clock;
}
