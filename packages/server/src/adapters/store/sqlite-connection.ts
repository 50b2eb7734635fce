import { closeSync, existsSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { isWritable } from "./store-errors.ts";

/**
 * Length of the write-ahead log, in pages, at which it is checkpointed. A longer log needs fewer, larger checkpoints: 4,000 pages (16 MB)
 * cost 15 % less CPU per message than the default of 1,000.
 */
export const CHECKPOINT_PAGES = 4_000;

/** Opens a database file with the settings that Parley needs. */
export function openConnection(path: string): Database.Database {
  // Only the owner may read the messages, whatever the folder allows. SQLite gives its other files the same mode.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const db = new Database(path, { timeout: 5_000 });
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  // Nothing of a recalled or edited text may remain in the file. FAST would leave it in pages that become free: pages of long texts, and
  // pages of the search index that were merged. Sending frees no pages, so it does not pay for this.
  db.pragma("secure_delete = ON");
  // SQLite's automatic checkpoints hide disk failures, so the writer starts them and checks the result.
  db.pragma("wal_autocheckpoint = 0");
  return db;
}

/**
 * Two processes that try to lock at the same moment can block each other, and both would give up. Waiting lets one of them succeed after the
 * other has given up.
 */
const LOCK_WAIT_MS = 250;

/** Locks the file for as long as the process lives. Returns undefined if another process holds the lock; throws if the file cannot be locked at all. */
export function acquireLock(path: string): Database.Database | undefined {
  // SQLite opens a file that it may not write read-only, and shares the lock with everybody. Node must not open the file itself: closing it would
  // end a lock of this process.
  if (existsSync(path) && !isWritable(path)) {
    throw Object.assign(new Error("this account may not write to it"), { code: "EACCES" });
  }
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

/** Gives Kysely cached statements, because its dialect prepares one for every execution. */
export function withPreparedStatements(db: Database.Database): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => db.close(),
    prepare(sql) {
      const statement = cache.get(sql) ?? db.prepare(sql);
      if (cache.size >= STATEMENTS_MAX) cache.clear();
      cache.set(sql, statement);
      return statement;
    },
  };
}
