/** Periodic jobs. The owner calls `sweep` regularly, which starts the jobs that are due. */

interface Job {
  everyMs: number;
  dueAt: number;
  isRunning: boolean;
  run(): Promise<void>;
}

/** Periodic jobs of a server. */
export interface Jobs {
  /** Adds a job that first runs after `everyMs`. It is not started again while it still runs. */
  every(everyMs: number, run: () => Promise<void>): void;
  /** Starts the jobs that are due. */
  sweep(): void;
}

/** `inBackground` receives the promise of each run. */
export function createJobs(now: () => number, inBackground: (work: Promise<void>) => void): Jobs {
  const jobs: Job[] = [];
  return {
    every: (everyMs, run) => void jobs.push({ everyMs, dueAt: now() + everyMs, isRunning: false, run }),
    sweep() {
      const time = now();
      for (const job of jobs) {
        // If the clock was set back, the job must not wait until the old time is reached again.
        job.dueAt = Math.min(job.dueAt, time + job.everyMs);
        if (job.isRunning || time < job.dueAt) continue;
        job.dueAt = time + job.everyMs;
        job.isRunning = true;
        inBackground(job.run().finally(() => (job.isRunning = false)));
      }
    },
  };
}
