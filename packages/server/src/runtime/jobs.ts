/** Periodic jobs. The owner calls `sweep` regularly, which starts the jobs that are due. */
import type { JobLease } from "./job-lease.ts";

interface Job {
  everyMs: number;
  dueAt: number;
  isRunning: boolean;
  /** Whether only one of all nodes runs it. */
  isForOne: boolean;
  run(): Promise<void>;
}

/** Periodic jobs of a server. */
export interface Jobs {
  /** Adds a job that first runs after `everyMs`. It is not started again while it still runs. */
  every(everyMs: number, run: () => Promise<void>): void;
  /** Adds a job that runs on one of all nodes: the one that has the lease. A node that takes the lease over runs the job at once if it is due there. */
  everyForOne(everyMs: number, run: () => Promise<void>): void;
  /** Starts the jobs that are due. */
  sweep(): void;
}

/** `inBackground` receives the promise of each run. */
export function createJobs(
  now: () => number,
  inBackground: (work: Promise<void>) => void,
  lease: Pick<JobLease, "isHeld">,
): Jobs {
  const jobs: Job[] = [];
  const add = (everyMs: number, isForOne: boolean, run: () => Promise<void>) =>
    void jobs.push({ everyMs, dueAt: now() + everyMs, isRunning: false, isForOne, run });
  return {
    every: (everyMs, run) => add(everyMs, false, run),
    everyForOne: (everyMs, run) => add(everyMs, true, run),
    sweep() {
      const time = now();
      for (const job of jobs) {
        // If the clock was set back, the job must not wait until the old time is reached again.
        job.dueAt = Math.min(job.dueAt, time + job.everyMs);
        if (job.isRunning || time < job.dueAt || (job.isForOne && !lease.isHeld())) continue;
        job.dueAt = time + job.everyMs;
        job.isRunning = true;
        inBackground(job.run().finally(() => (job.isRunning = false)));
      }
    },
  };
}
