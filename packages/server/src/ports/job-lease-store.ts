/** Which node runs the jobs that all nodes need once: the part of `store.ts` for it. */

/** The lease of these jobs. */
export interface JobLeaseRow {
  /** The node that has it. */
  holder: string;
  /** Changes whenever the holder renews the lease. */
  beat: number;
}

/** What is read about the lease. */
export interface JobLeaseReads {
  /** Undefined if nobody has it. */
  findJobLease(): Promise<JobLeaseRow | undefined>;
}

/** What a transaction writes about the lease. */
export interface JobLeaseWrites {
  /** Null: nobody has it any more. */
  setJobLease(lease: JobLeaseRow | null): Promise<void>;
}
