/** Reads a whole SQLite database as it is at one moment, also while a server writes. Changes nothing but the mark that it was moved. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { SEARCH_TABLE } from "./search-index.ts";
import { MOVED_KEY } from "./epoch.ts";
import { migrationsOf, UNRELEASED_MIGRATION } from "./migrations/migrate.ts";
import { openConnection } from "./sqlite-connection.ts";
import { acquireFolderLock, requireUndamagedWal, sqliteReasonOf } from "./sqlite-database.ts";
import { CREATE_SQLITE_SEARCH } from "./sqlite-search.ts";
import { StoreCopyError, StoreLockedError, cannotOpen } from "./store-errors.ts";

/** How many rows, and about how many characters, are in memory at most. */
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 1_000_000;

/** A table and its columns, in alphabetical order. */
export interface SnapshotTable {
  name: string;
  columns: readonly string[];
}

/** Some rows of a table. */
export interface SnapshotBatch {
  /** The values of the columns, in their order. */
  rows: unknown[][];
  /** SQLite's addresses of the first and last row. An operator finds a row by it, and it says nothing of the content. */
  firstRowId: number;
  lastRowId: number;
}

/** A database as it was when it was opened. */
export interface SqliteSnapshot {
  /** Whether a server may go on writing, so that what it writes is not in the snapshot. Otherwise none can start before `close`. */
  isServerRunning: boolean;
  /** All tables but search indexes and those of the migrations. A table comes after those that it refers to. */
  tables: readonly SnapshotTable[];
  /** The rows of a table. Throws `StoreCopyError` at a value that PostgreSQL, or the server on it, cannot read. */
  batches(table: SnapshotTable): Generator<SnapshotBatch>;
  /** How many rows SQLite counts in a table. */
  count(table: SnapshotTable): number;
  /** Marks the database as moved to this one, so that no server starts on it. Nothing can be read any more. Throws `StoreCopyError`. */
  markMoved(target: string): void;
  close(): void;
}

/** Opens the database at this path. Throws `StoreCopyError` or `StoreUnusableError`. */
export function openSnapshot(path: string): SqliteSnapshot {
  if (!existsSync(path)) throw new StoreCopyError(`There is no database ${path}; set DATA_DIR.`);
  const lock = lockUnlessRunning(dirname(path));
  let db: Database.Database | undefined;
  const close = () => {
    db?.close();
    lock?.close();
  };
  try {
    requireUndamagedWal(path);
    const opened = (db = new Database(path, { readonly: true, fileMustExist: true }));
    // The first read begins the snapshot.
    opened.exec("begin");
    requireSameVersion(opened, path);
    return {
      isServerRunning: lock === undefined,
      tables: inOrderOfReferences(opened),
      *batches(table) {
        try {
          yield* batchesOf(opened, table);
        } catch (error) {
          if (error instanceof Database.SqliteError) throw cannotOpen(path, sqliteReasonOf(error), error);
          throw error;
        }
      },
      count: ({ name }) => Number(opened.prepare(`select count(*) from "${name}"`).pluck().get()),
      markMoved(target) {
        opened.close();
        markMoved(path, target);
      },
      close,
    };
  } catch (error) {
    close();
    if (error instanceof StoreCopyError) throw error;
    throw cannotOpen(path, sqliteReasonOf(error), error);
  }
}

function markMoved(path: string, target: string): void {
  let db: Database.Database | undefined;
  try {
    db = openConnection(path);
    db.prepare("insert or replace into meta (key, value) values (?, ?)").run(MOVED_KEY, target);
  } catch (error) {
    throw new StoreCopyError(
      `The copy is complete, but ${path} cannot be marked as moved (${sqliteReasonOf(error)}); start no server on it without DATABASE_URL.`,
      { cause: error },
    );
  } finally {
    db?.close();
  }
}

/** Undefined while a server has the lock. */
function lockUnlessRunning(folder: string): Database.Database | undefined {
  try {
    return acquireFolderLock(folder);
  } catch (error) {
    if (error instanceof StoreLockedError) return undefined;
    throw error;
  }
}

/** Throws unless this version of the server made the tables, because the tables of the copy are those of this version. */
function requireSameVersion(db: Database.Database, path: string): void {
  const isParley = db
    .prepare("select 1 from sqlite_master where type = 'table' and name = ?")
    .get(DEFAULT_MIGRATION_TABLE);
  if (isParley === undefined) throw new StoreCopyError(`${path} is no database of Parley.`);
  const done = new Set(db.prepare(`select name from ${DEFAULT_MIGRATION_TABLE}`).pluck().all());
  const known = Object.keys(migrationsOf("integer", CREATE_SQLITE_SEARCH));
  if (done.has(UNRELEASED_MIGRATION)) {
    throw new StoreCopyError(`${path} was made by a version from before 0.1.0, whose data no release reads.`);
  }
  if (known.some((name) => !done.has(name))) {
    throw new StoreCopyError(
      `${path} was last used by an older version; start this version of the server on it once, stop it, and copy then.`,
    );
  }
  if (done.size > known.length)
    throw new StoreCopyError(`${path} was last used by a newer version; copy with that version.`);
}

/** All tables to copy. What refers to a table comes after it, because PostgreSQL checks each row at once. */
function inOrderOfReferences(db: Database.Database): SnapshotTable[] {
  const listed = db
    .prepare(
      "select name, type from pragma_table_list where schema = 'main' and name not like 'sqlite#_%' escape '#'",
    )
    .all() as { name: string; type: string }[];
  const indexes = listed.filter(({ type }) => type === "virtual").map(({ name }) => name);
  if (indexes.join() !== SEARCH_TABLE)
    throw new Error(`the search indexes of SQLite are ${indexes.join(", ")}`);
  const own: readonly string[] = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];
  // "shadow": the tables in which SQLite keeps the search indexes.
  const waiting = new Set(
    listed.filter(({ name, type }) => type === "table" && !own.includes(name)).map(({ name }) => name),
  );
  const parents = db.prepare(`select distinct "table" from pragma_foreign_key_list(?)`).pluck();
  const columns = db.prepare("select name from pragma_table_info(?) order by name").pluck();
  const ordered: SnapshotTable[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      (name) => !parents.all(name).some((parent) => waiting.has(String(parent))),
    );
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${[...waiting].join(", ")}`);
    for (const name of ready.toSorted()) {
      waiting.delete(name);
      ordered.push({ name, columns: columns.all(name) as string[] });
    }
  }
  return ordered;
}

function* batchesOf(db: Database.Database, { name, columns }: SnapshotTable): Generator<SnapshotBatch> {
  const list = columns.map((column) => `"${column}"`).join(", ");
  const all = db.prepare(`select rowid, ${list} from "${name}"`).raw().safeIntegers();
  let rows: unknown[][] = [];
  let characters = 0;
  let firstRowId = 0;
  let lastRowId = 0;
  for (const [rowId, ...values] of all.iterate() as IterableIterator<unknown[]>) {
    lastRowId = Number(rowId);
    if (rows.length === 0) firstRowId = lastRowId;
    for (const [at, value] of values.entries()) {
      const reason = problemOf(value);
      if (reason !== undefined)
        throw new StoreCopyError(
          `${name}, rowid ${lastRowId}: ${columns[at]} ${reason}; correct that row first.`,
        );
      if (typeof value === "string") characters += value.length;
    }
    rows.push(values);
    if (rows.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) {
      yield { rows, firstRowId, lastRowId };
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield { rows, firstRowId, lastRowId };
}

/** Why a value cannot be copied. The server stores no such value. */
function problemOf(value: unknown): string | undefined {
  if (typeof value === "string" && value.includes("\0"))
    return "has the character NUL, which PostgreSQL cannot store";
  if (typeof value === "bigint" && !Number.isSafeInteger(Number(value)))
    return "is a number too large for the server";
  return undefined;
}
