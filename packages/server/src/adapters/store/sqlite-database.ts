import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import type { Database } from "./engine.ts";
import { findEpoch, requireNotMoved } from "./epoch.ts";
import { type ExpectedInstallation, findDatabase, findOrMakeInstallation } from "./installation.ts";
import { migrate } from "./migrations/migrate.ts";
import { acquireLock, openConnection, withPreparedStatements } from "./sqlite-connection.ts";
import { isDiskFull, sqliteEngine } from "./sqlite-engine.ts";
import { CREATE_SQLITE_SEARCH, sqliteSearchIndex } from "./sqlite-search.ts";
import {
  StoreLockedError,
  type StoreUnusableError,
  cannotOpen,
  cannotUseFolder,
  isAccessRefused,
} from "./store-errors.ts";
import type { Tables } from "./tables.ts";
import { isWalDamaged } from "./wal-check.ts";

/** A larger database would take seconds to check; only `npm run admin -- doctor` checks it. */
const CHECKED_BYTES_MAX = 64 * 1_048_576;
const DAMAGED =
  "the file is damaged or not a Parley database; restore a backup or move it away (`npm run admin -- doctor` says what is wrong)";
const WAL_DAMAGED =
  "its log (the file that ends in -wal) is damaged, and what was sent behind the damage would be lost; restore a backup";

/** Opens a SQLite file, and creates or migrates its tables. Throws `StoreLockedError` or `StoreUnusableError`, also if it was moved and may not be. */
export async function openSqlite(
  path: string,
  mayBeMoved: boolean,
  expected: ExpectedInstallation | undefined,
): Promise<Database> {
  const lock = acquireFolderLock(dirname(path));
  const opened: BetterSqlite3.Database[] = [];
  try {
    // Checked before anything is opened, so that a refused start changes nothing.
    requireUndamagedWal(path);
    // A file that is not there would be made.
    if (sizeOf(path) === 0) expected?.require({ isEmpty: true, installation: undefined });
    const writing = openConnection(path);
    opened.push(writing);
    checkpointWal(writing);
    requireUndamaged(writing, path);
    const writerDb = kysely(writing);
    // One transaction around all migrations: a process killed half-way leaves the database as it was.
    writing.exec("begin immediate");
    expected?.require(
      await findDatabase(
        writerDb,
        (name) =>
          writing.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(name) !==
          undefined,
      ),
    );
    await migrate(writerDb, "integer", CREATE_SQLITE_SEARCH);
    if (!mayBeMoved) await requireNotMoved(writerDb);
    const epoch = await findEpoch(writerDb);
    const installation = await findOrMakeInstallation(writerDb, expected);
    writing.exec("commit");
    // Reads use their own connection, which sees only committed data.
    const reading = openConnection(path);
    opened.push(reading);
    return {
      engine: sqliteEngine(writing),
      writing: writerDb,
      reading: kysely(reading),
      searchIndex: sqliteSearchIndex(writing, reading),
      epoch,
      installation,
      bytes: async () => sizeOf(path) + sizeOf(`${path}-wal`),
      async close() {
        reading.close();
        writing.close();
        lock.close();
      },
    };
  } catch (error) {
    for (const db of opened) db.close();
    lock.close();
    throw openErrorOf(error, path);
  }
}

/**
 * Writes what an earlier process left in the write-ahead log into the database. If that process ended because the disk failed, the operating
 * system may report pages as written that never reached the disk; here they are written again.
 */
function checkpointWal(db: BetterSqlite3.Database): void {
  try {
    db.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    // A store on a full disk can still be read.
    if (!isDiskFull(error)) throw error;
  }
}

/** Checks the pages at the start: a damaged page would otherwise be noticed only when it is read, after more was written. */
function requireUndamaged(db: BetterSqlite3.Database, url: string): void {
  if (statSync(url).size > CHECKED_BYTES_MAX) return;
  const result: unknown = db.pragma("quick_check(1)", { simple: true });
  if (result !== "ok") throw new Error(DAMAGED);
}

/** Locks the folder of a database until the lock is closed. Throws `StoreLockedError` if another process has locked it. */
export function acquireFolderLock(folder: string): BetterSqlite3.Database {
  const path = join(folder, "parley.lock");
  try {
    const lock = acquireLock(path);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw openErrorOf(error, path);
  }
  throw new StoreLockedError(`The data folder ${folder}`, "give this one its own DATA_DIR");
}

/** Throws if the write-ahead log of the database at this path is damaged. */
export function requireUndamagedWal(path: string): void {
  if (isWalDamaged(`${path}-wal`)) throw new Error(WAL_DAMAGED);
}

function openErrorOf(error: unknown, path: string): StoreUnusableError {
  return isAccessRefused(error, path)
    ? cannotUseFolder(path, error)
    : cannotOpen(path, sqliteReasonOf(error), error);
}

/** Why a SQLite database cannot be used, for a sentence. */
export function sqliteReasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
    return DAMAGED;
  }
  if (isDiskFull(error)) return "the disk is full; make room and start again";
  return error instanceof Error ? error.message : String(error);
}

function kysely(db: BetterSqlite3.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withPreparedStatements(db) }) });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
