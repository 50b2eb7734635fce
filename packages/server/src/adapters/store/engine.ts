/** A dialect may answer at once (SQLite) or later (PostgreSQL). */
export type MaybePromise<T> = T | Promise<T>;

/** The one connection that writes, below Kysely: what the writer needs of a dialect. */
export interface WriteEngine {
  begin(): MaybePromise<void>;
  commit(): MaybePromise<void>;
  /** Undoes the transaction; harmless without one. */
  rollback(): MaybePromise<void>;
  savepoint(): MaybePromise<void>;
  release(): MaybePromise<void>;
  /** Undoes what was done since the savepoint and drops it. */
  undo(): MaybePromise<void>;
  /**
   * Runs one statement once for each set of values; answers how many rows each changed, or the error of those
   * that failed alone. Throws when the whole transaction is lost.
   */
  runEach(sql: string, sets: readonly (readonly unknown[])[]): MaybePromise<(number | Error)[]>;
  /**
   * The same promise, rejected when it waits for anything but the database: everybody's writes wait behind
   * it, and one that waits for another write would wait for ever.
   */
  rejectIfWaiting<T>(work: Promise<T>): Promise<T>;
  /** What falls due after a commit that is told already. Throws when the disk failed. */
  checkpoint(): MaybePromise<void>;
  /** Whether the disk, and not the statement, is to blame, so that nothing it says can be relied on any more. */
  isDiskFailure(error: unknown): boolean;
  /** Whether there is no room, or another program keeps the database: it undoes cleanly and may end by itself. */
  unavailableReason(error: unknown): "full" | "busy" | undefined;
}
