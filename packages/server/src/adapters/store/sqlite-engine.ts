import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { WriteEngine } from "./engine.ts";
import { CHECKPOINT_PAGES } from "./sqlite-connection.ts";

/**
 * Errors that say that the file can no longer be trusted. A full disk is not among them: SQLite undoes it
 * cleanly.
 */
const DISK_FAILURE = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL)/;
/** The second: the index of the log, a file beside it, could not grow. */
const FULL = /^SQLITE_(FULL|IOERR_SHMSIZE)$/;
const BUSY = /^SQLITE_BUSY/;
/** How long a write waits for another program that keeps the database, and how often it looks. */
const BUSY_MAX_MS = 5_000;
const BUSY_POLL_MS = 20;
/** Asking how long the log is took 2 % of the CPU of 500 commits a second: it is done after so many. */
const CHECK_EVERY_COMMITS = 16;

const hasCode = (error: unknown, codes: RegExp) =>
  error instanceof Database.SqliteError && codes.test(error.code);

export const isDiskFull = (error: unknown): boolean => hasCode(error, FULL);

/** The writing side of a SQLite file; every method answers at once, but for a `begin` that waits for another program. */
export function sqliteEngine(db: Database.Database, busyMaxMs = BUSY_MAX_MS): WriteEngine {
  // SQLite's own waiting would hold everybody up who only reads.
  db.pragma("busy_timeout = 0");
  const statement = (sql: string) => db.prepare(sql);
  const begin = statement("begin immediate");
  const commit = statement("commit");
  const rollback = statement("rollback");
  const savepoint = statement("savepoint one_write");
  const release = statement("release one_write");
  const undo = statement("rollback to one_write");
  const walState = statement("pragma wal_checkpoint(noop)").raw();
  const checkpointWal = statement("pragma wal_checkpoint(passive)");
  const known = new Map<string, Database.Statement>();
  let commits = 0;

  function runOne(prepared: Database.Statement, values: readonly unknown[]): number | Error {
    try {
      return prepared.run(...values).changes;
    } catch (error) {
      // Some disk errors end the whole transaction; going on would commit each row by itself. And none is the row's own.
      if (!db.inTransaction || isDiskFailure(error) || unavailableReason(error) || !(error instanceof Error))
        throw error;
      return error;
    }
  }

  function isDiskFailure(error: unknown): boolean {
    return hasCode(error, DISK_FAILURE) && !isDiskFull(error);
  }

  function unavailableReason(error: unknown): "full" | "busy" | undefined {
    if (isDiskFull(error)) return "full";
    return hasCode(error, BUSY) ? "busy" : undefined;
  }

  async function beginLater(): Promise<void> {
    const end = performance.now() + busyMaxMs;
    for (;;) {
      await sleep(BUSY_POLL_MS);
      try {
        return void begin.run();
      } catch (error) {
        if (unavailableReason(error) !== "busy" || performance.now() > end) throw error;
      }
    }
  }

  return {
    begin() {
      try {
        begin.run();
        return undefined;
      } catch (error) {
        if (unavailableReason(error) !== "busy") throw error;
        return beginLater();
      }
    },
    commit: () => void commit.run(),
    rollback: () => {
      if (db.inTransaction) rollback.run();
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    undo: () => {
      undo.run();
      release.run();
    },
    runEach(sql, sets) {
      const prepared = known.get(sql) ?? statement(sql);
      known.set(sql, prepared);
      return sets.map((values) => runOne(prepared, values));
    },
    rejectIfWaiting: rejectIfUnfinished,
    checkpoint() {
      if (++commits % CHECK_EVERY_COMMITS !== 0) return;
      const [, log, checkpointed] = walState.get() as [busy: number, log: number, checkpointed: number];
      if (log < CHECKPOINT_PAGES || checkpointed === log) return;
      try {
        checkpointWal.run();
      } catch (error) {
        // Without room the log grows on for as long as it can.
        if (unavailableReason(error) === undefined) throw error;
      }
    },
    isDiskFailure,
    unavailableReason,
  };
}

/**
 * Every answer of SQLite is there at once, so work that is not done by the end of the turn waits for
 * something else.
 */
async function rejectIfUnfinished<T>(work: Promise<T>): Promise<T> {
  let turn: NodeJS.Immediate | undefined;
  const ended = new Promise<never>((_, reject) => {
    turn = setImmediate(() => reject(new Error("a write waited for something other than its transaction")));
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearImmediate(turn);
  }
}
