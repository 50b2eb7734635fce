/** What a battery of faults tells: one row of the table that `npm run test:full` prints. */
export interface Report {
  name: string;
  /** Numbers: what was done. */
  done: string;
  /** A sentence each. */
  violations: readonly string[];
}

/** A run whose chance is made from a seed. */
export type Battery = (seed: number) => Promise<Report>;
