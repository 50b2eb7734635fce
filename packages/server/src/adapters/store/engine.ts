/** A result that is there at once (SQLite) or later (PostgreSQL). */
export type MaybePromise<T> = T | Promise<T>;

/** What the writer needs of a database dialect: the one connection that writes, below Kysely. */
export interface WriteEngine {
  begin(): MaybePromise<void>;
  commit(): MaybePromise<void>;
  /** Rolls the transaction back; does nothing without one. */
  rollback(): MaybePromise<void>;
  savepoint(): MaybePromise<void>;
  release(): MaybePromise<void>;
  /** Rolls back to the savepoint and releases it. */
  undo(): MaybePromise<void>;
  /**
   * Runs one statement once for each set of values. Returns for each the number of changed rows, or its error
   * if only that run failed. Throws when the whole transaction is lost.
   */
  runEach(sql: string, argumentSets: readonly (readonly unknown[])[]): MaybePromise<(number | Error)[]>;
  /**
   * Returns the same promise, rejected if it waits for anything but the database. All other writes wait for
   * it, so one that waits for another write would wait for ever.
   */
  rejectIfWaiting<T>(work: Promise<T>): Promise<T>;
  /** Maintains the write-ahead log after a commit that is already answered. Throws when the disk failed. */
  checkpoint(): MaybePromise<void>;
  /** Whether the disk failed rather than the statement, so that the database can no longer be trusted. */
  isDiskFailure(error: unknown): boolean;
  /** The temporary reason of an error: no free space, or a lock of another program. The write was rolled back cleanly and may be repeated. */
  unavailableReason(error: unknown): "full" | "busy" | undefined;
}
