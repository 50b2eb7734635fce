/** The result of a battery: one row of the table that `npm run test:full` prints. */
export interface Report {
  name: string;
  /** What was done, with numbers. */
  done: string;
  /** One sentence for each. */
  violations: readonly string[];
  /** Why the battery could not run here, in one sentence. Then nothing was done. */
  skipped?: string;
}

/** A battery: a run whose random numbers come from a seed. */
export type Battery = (seed: number) => Promise<Report>;
