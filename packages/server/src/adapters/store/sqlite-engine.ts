import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { WriteEngine } from "./engine.ts";
import { CHECKPOINT_PAGES } from "./sqlite-connection.ts";

/**
 * Errors after which the file can no longer be trusted. A full disk is not among them, because SQLite rolls
 * back cleanly.
 */
const DISK_FAILURE = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL)/;
/** The second means that the index file of the write-ahead log could not grow. */
const FULL = /^SQLITE_(FULL|IOERR_SHMSIZE)$/;
const BUSY = /^SQLITE_BUSY/;
/** How long a write waits for another program that locks the database, and how often it tries. */
const BUSY_MAX_MS = 5_000;
const BUSY_POLL_MS = 20;
/** The length of the log is read only after so many commits: reading it each time took 2 % CPU at 500 commits a second. */
const CHECK_EVERY_COMMITS = 16;

const hasCode = (error: unknown, codes: RegExp) =>
  error instanceof Database.SqliteError && codes.test(error.code);

/** Whether the error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, FULL);

/** The write engine of a SQLite file. All methods are synchronous, except a `begin` that waits for another program. */
export function sqliteEngine(db: Database.Database, busyMaxMs = BUSY_MAX_MS): WriteEngine {
  // SQLite's own waiting would block the event loop, and with it all reads.
  db.pragma("busy_timeout = 0");
  const prepare = (sql: string) => db.prepare(sql);
  const begin = prepare("begin immediate");
  const commit = prepare("commit");
  const rollback = prepare("rollback");
  const savepoint = prepare("savepoint one_write");
  const release = prepare("release one_write");
  const undo = prepare("rollback to one_write");
  const walState = prepare("pragma wal_checkpoint(noop)").raw();
  const checkpointWal = prepare("pragma wal_checkpoint(passive)");
  /** The last insert of each table. Its columns are the same list each time, so its text need not be written again. */
  const inserts = new Map<string, { columns: readonly string[]; statement: Database.Statement }>();
  let commits = 0;

  function insertOne(prepared: Database.Statement, values: readonly unknown[]): boolean | Error {
    try {
      return prepared.run(...values).changes === 1;
    } catch (error) {
      // Some disk errors end the whole transaction, and further rows would each commit alone. Such an error is not about one row.
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

  async function beginWhenFree(): Promise<void> {
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
    // The lock of the folder keeps other servers out.
    hasOtherWriters: false,
    clockAheadMs: () => 0,
    begin() {
      try {
        begin.run();
        return undefined;
      } catch (error) {
        if (unavailableReason(error) !== "busy") throw error;
        return beginWhenFree();
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
    insertEach(table, columns, rows) {
      let insert = inserts.get(table);
      if (insert?.columns !== columns) {
        insert = { columns, statement: prepare(insertSql(table, columns)) };
        inserts.set(table, insert);
      }
      const { statement } = insert;
      return rows.map((values) => insertOne(statement, values));
    },
    rejectIfWaiting: rejectIfUnfinished,
    checkpoint() {
      if (++commits % CHECK_EVERY_COMMITS !== 0) return;
      const [, log, checkpointed] = walState.get() as [busy: number, log: number, checkpointed: number];
      if (log < CHECKPOINT_PAGES || checkpointed === log) return;
      try {
        checkpointWal.run();
      } catch (error) {
        // On a full disk the log stays and keeps growing while it can.
        if (unavailableReason(error) === undefined) throw error;
      }
    },
    isDiskFailure,
    unavailableReason,
    // A transaction waits for its lock before it begins, so it has no conflicts.
    isAborted: () => false,
  };
}

function insertSql(table: string, columns: readonly string[]): string {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  return `insert into "${table}" (${names}) values (${places}) on conflict do nothing`;
}

/**
 * SQLite answers synchronously, so work that is not done by the end of the turn waits for something else.
 */
async function rejectIfUnfinished<T>(work: Promise<T>): Promise<T> {
  let turn: NodeJS.Immediate | undefined;
  const endOfTurn = new Promise<never>((_, reject) => {
    turn = setImmediate(() => reject(new Error("a write waited for something other than its transaction")));
  });
  try {
    return await Promise.race([work, endOfTurn]);
  } finally {
    clearImmediate(turn);
  }
}
