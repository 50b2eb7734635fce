/** Copies a SQLite database into an empty PostgreSQL database and compares every row of the two. */
import { DatabaseError, escapeIdentifier } from "pg";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { type Kysely, sql } from "kysely";
import { epochWrites, MOVED_KEY } from "./epoch.ts";
import { migrate } from "./migrations/migrate.ts";
import { ConnectionLostError, kyselyOver, RunningQueries, WriteConnection } from "./postgres-connections.ts";
import { postgresReasonOf, requireServer } from "./postgres-database.ts";
import { arraysOf, columnTypesOf, insertOfArrays, postgresEngine } from "./postgres-engine.ts";
import { CREATE_POSTGRES_SEARCH, fillPostgresSearch } from "./postgres-search.ts";
import { INDEXED_POSITION_KEY } from "./search-backfill.ts";
import { SEARCH_TABLE } from "./search-index.ts";
import { openSnapshot, type SnapshotTable, type SqliteSnapshot } from "./sqlite-snapshot.ts";
import { StoreCopyError, StoreUnusableError, cannotOpen } from "./store-errors.ts";
import { shownUrl } from "./store-url.ts";
import { TableDigest } from "./table-digest.ts";
import type { Tables } from "./tables.ts";

/** Rows of the copy that are in memory while it is compared. */
const FETCHED_ROWS = 1_000;
/** An error of a value that a column or an index does not take, or of a rule between rows. */
const BAD_ROW = /^(2[23]|54)/;
const LOCKED = "55P03";

/** What to copy, and to where. */
export interface CopyOptions {
  /** The SQLite database. */
  path: string;
  /** The URL of the PostgreSQL database. */
  url: string;
  /** Called before anything is written. */
  onStart(source: { isServerRunning: boolean; tables: number }): void;
  /** Called for each table after it was compared. */
  onTable(table: ComparedTable): void;
}

/** What a table and its copy have. */
export interface ComparedTable {
  name: string;
  source: Pick<TableDigest, "count" | "checksum">;
  copy: Pick<TableDigest, "count" | "checksum">;
  isSame: boolean;
}

/**
 * Copies all tables in one transaction, which is committed only if every table of the copy has the rows of its source. So PostgreSQL has
 * everything or, however the copy ends, nothing. The search index is made anew. While a server runs on the source,
 * the copy lacks what is written meanwhile, so it gets an epoch of its own; otherwise no server starts on the source any more. Returns whether
 * all tables are the same.
 * Throws `StoreCopyError` or `StoreUnusableError`.
 */
export async function copyToPostgres({ path, url, onStart, onTable }: CopyOptions): Promise<boolean> {
  const snapshot = openSnapshot(path);
  const running = new RunningQueries();
  const connection = new WriteConnection(url, running);
  try {
    await open(connection, url);
    return await connection.withoutLimits(async () => {
      const engine = postgresEngine(connection, running);
      // Another program that writes is waited for only as long as by a server.
      await connection.script("reset lock_timeout");
      try {
        await engine.begin();
        await connection.script("set local idle_in_transaction_session_timeout = 0");
        const db = kyselyOver(connection);
        await createTables(connection, db, url);
        onStart({ isServerRunning: snapshot.isServerRunning, tables: snapshot.tables.length });
        const isSame = await copyTables(connection, snapshot, onTable);
        if (!isSame) {
          await engine.rollback();
          return false;
        }
        await fillPostgresSearch(connection);
        if (snapshot.isServerRunning) await epochWrites(db).renewEpoch();
      } catch (error) {
        await engine.rollback();
        throw error;
      }
      await commit(engine, url, () => {
        if (!snapshot.isServerRunning) snapshot.markMoved(shownUrl(url));
      });
      return true;
    });
  } catch (error) {
    throw withSentence(error, url);
  } finally {
    await connection.close();
    snapshot.close();
  }
}

async function open(connection: WriteConnection, url: string): Promise<void> {
  try {
    await connection.open();
    await requireServer(kyselyOver(connection));
  } catch (error) {
    throw cannotOpen(shownUrl(url), postgresReasonOf(error), error);
  }
}

/** A lost connection is not yet an answer; the engine asks for it on another. `markMoved` is called if the copy is there, or may be. */
async function commit(
  engine: ReturnType<typeof postgresEngine>,
  url: string,
  markMoved: () => void,
): Promise<void> {
  try {
    await engine.commit();
  } catch (error) {
    if (engine.isAborted(error)) throw nothingLeft(error, url);
    markMoved();
    throw new StoreCopyError(
      `The connection to ${shownUrl(url)} was lost during the last step; the copy is there as a whole or not at all, so copy again: it is complete if the database is then refused because it is not empty.`,
      { cause: error },
    );
  }
  markMoved();
}

/** Creates the tables as the server does. Throws if the database has any. */
async function createTables(connection: WriteConnection, db: Kysely<Tables>, url: string): Promise<void> {
  // What belongs to an extension, such as its views, does not count.
  const { rows } = await sql<{ name: string }>`select c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not exists
      (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by name limit 1`.execute(db);
  if (rows[0] !== undefined) {
    throw new StoreCopyError(
      `The database ${shownUrl(url)} is not empty, it has ${rows[0].name}; nothing was changed: copy into a new database.`,
    );
  }
  await migrate(db, "bigint", CREATE_POSTGRES_SEARCH, true);
}

/** Copies all tables, then compares them: what one insert does to another table would be found too. */
async function copyTables(
  connection: WriteConnection,
  snapshot: SqliteSnapshot,
  onTable: CopyOptions["onTable"],
): Promise<boolean> {
  await requireSameTables(connection, snapshot.tables);
  const sources = new Map<SnapshotTable, TableDigest>();
  for (const table of snapshot.tables) sources.set(table, await copyTable(connection, snapshot, table));
  let isSame = true;
  for (const [table, source] of sources) {
    // Otherwise the first queries of the server are planned for empty tables.
    await connection.script(`analyze ${escapeIdentifier(table.name)}`);
    const copy = await digestOfCopy(connection, table);
    const compared = {
      name: table.name,
      source,
      copy,
      isSame: copy.count === source.count && copy.checksum === source.checksum,
    };
    onTable(compared);
    isSame &&= compared.isSame;
  }
  return isSame;
}

/** Throws if a table exists on one side only, which is a mistake in a migration. */
async function requireSameTables(
  connection: WriteConnection,
  tables: readonly SnapshotTable[],
): Promise<void> {
  const { rows } = await connection.query(
    "select tablename as name from pg_tables where schemaname = current_schema()",
    [],
  );
  const own: readonly string[] = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE, SEARCH_TABLE];
  const copied = (rows as { name: string }[]).map(({ name }) => name).filter((name) => !own.includes(name));
  const names = tables.map(({ name }) => name);
  const differing = [
    ...copied.filter((name) => !names.includes(name)),
    ...names.filter((name) => !copied.includes(name)),
  ];
  if (differing.length > 0) throw new Error(`only one of the databases has ${differing.join(", ")}`);
}

/** Returns the digest of what the source gave. */
async function copyTable(
  connection: WriteConnection,
  snapshot: SqliteSnapshot,
  table: SnapshotTable,
): Promise<TableDigest> {
  const { name, columns } = table;
  const types = await columnTypesOf(connection, name);
  if ([...types.keys()].toSorted().join() !== columns.toSorted().join())
    throw new Error(`${name} has other columns in PostgreSQL than in SQLite`);
  const insert = insertOfArrays(name, columns, types);
  const digest = new TableDigest();
  let count = 0;
  for (const { rows, firstRowId, lastRowId } of snapshot.batches(table)) {
    count += rows.length;
    const copied = name === "meta" ? withoutOwnOfSource(columns, rows) : rows;
    for (const row of copied) digest.add(row);
    try {
      await connection.query(insert, arraysOf(columns, copied));
    } catch (error) {
      // The message of the database may contain values of the row.
      if (!(error instanceof DatabaseError) || !BAD_ROW.test(error.code ?? "")) throw error;
      throw new StoreCopyError(
        `PostgreSQL does not take a row of ${name} between the rowids ${firstRowId} and ${lastRowId} (error ${error.code}); correct that row first.`,
      );
    }
  }
  // What the batches left out would be missing on both sides of the comparison.
  if (count !== snapshot.count(table)) throw new Error(`not all rows of ${name} were read`);
  return digest;
}

/** The search index of the copy is made anew, after the rows were compared. The mark of a former copy is about the source. */
function withoutOwnOfSource(columns: readonly string[], rows: unknown[][]): unknown[][] {
  const key = columns.indexOf("key");
  return rows.filter((row) => ![INDEXED_POSITION_KEY, MOVED_KEY].includes(String(row[key])));
}

async function digestOfCopy(
  connection: WriteConnection,
  { name, columns }: SnapshotTable,
): Promise<TableDigest> {
  const digest = new TableDigest();
  const list = columns.map((column) => escapeIdentifier(column)).join(", ");
  await connection.script(
    `declare copied no scroll cursor for select ${list} from ${escapeIdentifier(name)}`,
  );
  for (;;) {
    const [result] = await connection.script(`fetch ${FETCHED_ROWS} from copied`);
    const rows = (result?.rows ?? []) as Record<string, unknown>[];
    for (const row of rows) digest.add(columns.map((column) => row[column]));
    if (rows.length < FETCHED_ROWS) break;
  }
  await connection.script("close copied");
  return digest;
}

/** An error whose message the operator understands, if there is one. */
function withSentence(error: unknown, url: string): unknown {
  if (error instanceof StoreCopyError || error instanceof StoreUnusableError) return error;
  if (error instanceof DatabaseError && error.code === LOCKED)
    return new StoreCopyError(`The database ${shownUrl(url)} is in use by a server or another copy.`, {
      cause: error,
    });
  const isOfDatabase = error instanceof DatabaseError || error instanceof ConnectionLostError;
  return isOfDatabase ? nothingLeft(error, url) : error;
}

function nothingLeft(error: unknown, url: string): StoreCopyError {
  return new StoreCopyError(
    `The copy to ${shownUrl(url)} failed and left nothing there: ${postgresReasonOf(error)}.`,
    { cause: error },
  );
}
