import { closeSync, existsSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import type { SqliteDatabase, SqliteStatement } from "kysely";

/**
 * Pages of the log after which it is folded back into the database. A longer log is folded in fewer, larger steps: 4,000 pages (16 MB)
 * cost 15 % less CPU a message than the usual 1,000.
 */
export const CHECKPOINT_PAGES = 4_000;

/** Opens a database file the way Parley needs it: the only place that knows pragmas. */
export function openConnection(path: string): Database.Database {
  // Messages are nobody else's to read, whatever the folder allows; the files beside it take its mode.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { timeout: 5_000 });
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  // What is deleted is overwritten where that costs no page more; what must be gone, by `erasing`.
  db.pragma("secure_delete = FAST");
  // By itself SQLite folds the log back without a word when the disk fails; the writer does it and listens.
  db.pragma("wal_autocheckpoint = 0");
  return db;
}

/** Runs a part of a transaction after which nothing of what it replaces or deletes may be left in the file. */
export type SecureDelete = <T>(work: () => Promise<T>) => Promise<T>;

/** Texts longer than a page lie in pages of their own, which are only overwritten when told to: a recall pays for it, a message does not. */
export function createSecureDelete(db: Database.Database): SecureDelete {
  return async (work) => {
    db.pragma("secure_delete = ON");
    try {
      return await work();
    } finally {
      db.pragma("secure_delete = FAST");
    }
  };
}

/**
 * Of two that take the lock at the same moment each may find the other in its way, and both would give up: one must wait for the other to
 * have done so.
 */
const LOCK_WAIT_MS = 250;

/** Takes the lock file for as long as the process lives; undefined when another process holds it. Throws when nobody could take it. */
export function acquireLock(path: string): Database.Database | undefined {
  const lock = new Database(path, { timeout: LOCK_WAIT_MS });
  try {
    return lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}

const STATEMENTS_MAX = 500;

/** Hands Kysely statements that are prepared once: its dialect prepares on every execution. */
export function withPreparedStatements(db: Database.Database): SqliteDatabase {
  const known = new Map<string, SqliteStatement>();
  return {
    close: () => db.close(),
    prepare(sql) {
      const found = known.get(sql) ?? db.prepare(sql);
      if (known.size >= STATEMENTS_MAX) known.clear();
      known.set(sql, found);
      return found;
    },
  };
}
