/** Work that comes due by the clock, looked at by whoever sweeps. */

interface Job {
  everyMs: number;
  dueAt: number;
  isRunning: boolean;
  run(): Promise<void>;
}

export interface Jobs {
  /** Runs first when `everyMs` have passed; one that still runs is not started again. */
  every(everyMs: number, run: () => Promise<void>): void;
  sweep(): void;
}

export function createJobs(now: () => number, inBackground: (work: Promise<void>) => void): Jobs {
  const jobs: Job[] = [];
  return {
    every: (everyMs, run) => void jobs.push({ everyMs, dueAt: now() + everyMs, isRunning: false, run }),
    sweep() {
      const time = now();
      for (const job of jobs) {
        // A clock that was set back must not put it off until that time comes again.
        job.dueAt = Math.min(job.dueAt, time + job.everyMs);
        if (job.isRunning || time < job.dueAt) continue;
        job.dueAt = time + job.everyMs;
        job.isRunning = true;
        inBackground(job.run().finally(() => (job.isRunning = false)));
      }
    },
  };
}
