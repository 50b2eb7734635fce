/** Copies a SQLite database as it is at one moment, also while a server writes, and prepares such a copy for a server. */
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { epochWrites } from "./epoch.ts";
import { FileUse } from "./file-repository.ts";
import { migrationsOf, UNRELEASED_MIGRATION } from "./migrations/migrate.ts";
import { acquireLock, openConnection } from "./sqlite-connection.ts";
import { requireUndamagedWal, sqliteReasonOf } from "./sqlite-database.ts";
import { CREATE_SQLITE_SEARCH } from "./sqlite-search.ts";
import { cannotOpen } from "./store-errors.ts";
import type { Tables } from "./tables.ts";

/** How many pages are copied before they are brought to the disk. Its commits wait for what was written before them. */
const PAGES_AT_ONCE = 250;
const PAUSE_MAX_MS = 500;
/** The uses of files whose bytes are stored and wanted. */
const STORED_USES = [FileUse.UNCLAIMED, FileUse.CLAIMED, FileUse.IN_MESSAGES].join(", ");

/** A file that the database knows. */
export interface BackedUpFile {
  url: string;
  /** SHA-256 in hexadecimal; null if nobody knows it. */
  sha256: string | null;
}

/** A copy of a database, which nobody else uses. */
export interface DatabaseCopy {
  epoch: string | null;
  counts: { people: number; messages: number; files: number };
  /** Every file that a row names or that was uploaded completely. */
  files(): Generator<BackedUpFile>;
  close(): void;
}

/**
 * Copies the database at `path` to the new file `target`: everything that was committed before the call. The database may be written
 * meanwhile; its log is not shortened until the copy ends. Throws `StoreUnusableError`.
 */
export async function copyDatabase(path: string, target: string): Promise<DatabaseCopy> {
  let source: BetterSqlite3.Database | undefined;
  try {
    requireUndamagedWal(path);
    source = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    // The read transaction is the moment of the copy. Without it, each commit of a server would let the copy begin again.
    source.exec("begin");
    source.prepare("select 1 from meta").get();
    await source.backup(target, { progress: () => yieldDisk(target) });
  } catch (error) {
    throw cannotOpen(path, sqliteReasonOf(error), error);
  } finally {
    source?.close();
  }
  return openCopy(target);
}

/** Brings what was copied to the disk and leaves it to others for as long. Returns how many pages come next. Blocks this process. */
function yieldDisk(path: string): number {
  const began = performance.now();
  const file = openSync(path, "r+");
  fdatasyncSync(file);
  closeSync(file);
  const pause = Math.min(PAUSE_MAX_MS, performance.now() - began);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  return PAGES_AT_ONCE;
}

function openCopy(path: string): DatabaseCopy {
  const db = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  const countOf = (sql: string) => Number(db.prepare(sql).pluck().get());
  const files = `from file where use in (${STORED_USES})`;
  return {
    epoch:
      (db.prepare("select value from meta where key = 'epoch'").pluck().get() as string | undefined) ?? null,
    counts: {
      people: countOf("select count(*) from user"),
      messages: countOf("select count(*) from message"),
      files: countOf(`select count(*) ${files}`),
    },
    *files() {
      for (const row of db.prepare(`select url, sha256 ${files}`).iterate()) yield row as BackedUpFile;
    },
    close: () => void db.close(),
  };
}

/** Whether the database at this path still wants a file. */
export function wantsFile(path: string, url: string): boolean {
  const db = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    const find = db.prepare(`select 1 from file where url = ? and use in (${STORED_USES})`);
    return find.get(url) !== undefined;
  } finally {
    db.close();
  }
}

/**
 * Makes a restored database fit for a server: it gets a new epoch, so that clients load everything again. Everything is in the one file
 * afterwards. Throws `StoreUnusableError` if it is damaged or was made by a newer version.
 */
export async function prepareRestored(path: string): Promise<void> {
  const db = openConnection(path);
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: db }) });
  try {
    const known = Object.keys(migrationsOf("integer", CREATE_SQLITE_SEARCH));
    const done = db.prepare(`select name from ${DEFAULT_MIGRATION_TABLE}`).pluck().all();
    const unknown = done.map(String).find((name) => !known.includes(name));
    if (unknown === UNRELEASED_MIGRATION)
      throw new Error("it was made by a version from before 0.1.0, whose data no release reads");
    if (unknown !== undefined) throw new Error("it was made by a newer version; restore it with that one");
    const result: unknown = db.pragma("quick_check(1)", { simple: true });
    if (result !== "ok") throw new Error("the backup was made of a damaged database");
    await epochWrites(kysely).renewEpoch();
    db.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    throw cannotOpen(path, sqliteReasonOf(error), error);
  } finally {
    await kysely.destroy();
  }
}

/** Takes a lock that a killed process leaves by itself. Undefined if another process has it. Throws `StoreUnusableError`. */
export function lockFile(path: string): { close(): void } | undefined {
  try {
    const lock = acquireLock(path);
    return lock && { close: () => void lock.close() };
  } catch (error) {
    throw cannotOpen(path, sqliteReasonOf(error), error);
  }
}
