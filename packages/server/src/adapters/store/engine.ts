import type { Kysely } from "kysely";
import type { SearchIndex } from "./search-index.ts";
import type { Tables } from "./tables.ts";

/** A result that is there at once (SQLite) or later (PostgreSQL). */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a server is the only one on its database, or shares it with others that do; `none`: what is no server wants no server there. */
export type Servers = "one" | "several" | "none";

/** An open database. Everything that differs between SQLite and PostgreSQL is behind this interface. */
export interface Database {
  /** The one connection that writes, below Kysely. */
  engine: WriteEngine;
  /** Queries inside the transactions of the engine. */
  writing: Kysely<Tables>;
  /** Queries that see committed data only. */
  reading: Kysely<Tables>;
  searchIndex: SearchIndex;
  /** Random, created with the database. */
  epoch: string;
  /** The id of its installation. */
  installation: string;
  /** The size of the database. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

/** Why nothing can be stored now: no free space, a lock of another program, or no connection to the database. */
export type UnavailableReason = "full" | "busy" | "unreachable";

/** What the writer needs of a database. */
export interface WriteEngine {
  /**
   * Whether other processes may write between two transactions, so that nothing that was read in one of them
   * is certain in the next.
   */
  readonly hasOtherWriters: boolean;
  /**
   * How far the clock of this machine is ahead of that of the database, measured when the transaction began. Times of messages are by the
   * clock of the database, because nodes whose clocks differ write to it. 0 if there is but one clock, or both agree.
   */
  clockAheadMs(): number;
  begin(): MaybePromise<void>;
  /**
   * Resolves if the transaction is committed. Throws if it is rolled back, or if nobody can tell, which is
   * `unavailableReason` "unreachable" and not `isAborted`.
   */
  commit(): MaybePromise<void>;
  /** Rolls the transaction back; does nothing without one. */
  rollback(): MaybePromise<void>;
  savepoint(): MaybePromise<void>;
  release(): MaybePromise<void>;
  /** Rolls back to the savepoint and releases it. */
  undo(): MaybePromise<void>;
  /**
   * Inserts each row, or nothing if a unique key has it already. The first column is `id`. Returns for each row whether it was inserted, or
   * its error if only that row failed. Throws when the whole transaction is lost.
   */
  insertEach(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): MaybePromise<(boolean | Error)[]>;
  /**
   * Returns the same promise, rejected if it waits for anything but the database. All other writes wait for
   * it, so one that waits for another write would wait for ever.
   */
  rejectIfWaiting<T>(work: Promise<T>): Promise<T>;
  /** Maintains the write-ahead log after a commit that is already answered. Throws when the disk failed. */
  checkpoint(): MaybePromise<void>;
  /** Whether the disk failed rather than the statement, so that the database can no longer be trusted. */
  isDiskFailure(error: unknown): boolean;
  /** The temporary reason of an error. The whole transaction is lost, and its writes may be repeated. */
  unavailableReason(error: unknown): UnavailableReason | undefined;
  /** Whether the database has certainly rolled the transaction back for a reason that another attempt may not meet. */
  isAborted(error: unknown): boolean;
}
