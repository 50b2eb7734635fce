import { type Kysely, sql } from "kysely";
import type { Database, Servers } from "./engine.ts";
import { findEpoch } from "./epoch.ts";
import {
  type ExpectedInstallation,
  findDatabase,
  hasPostgresTable,
  findOrMakeInstallation,
} from "./installation.ts";
import { migrate } from "./migrations/migrate.ts";
import { postgresEngine, WRITE_LOCK } from "./postgres-engine.ts";
import { kyselyOver, ReadConnections, RunningQueries, WriteConnection } from "./postgres-connections.ts";
import { CREATE_POSTGRES_SEARCH, postgresSearchIndex } from "./postgres-search.ts";
import { type ServerLock, takeServerLock } from "./postgres-server-lock.ts";
import { StoreLockedError, cannotOpen } from "./store-errors.ts";
import { shownUrl } from "./store-url.ts";
import type { Tables } from "./tables.ts";

/** The first version that says whether a transaction was committed (`pg_xact_status` of a 64-bit id). */
export const VERSION_MIN = 13;

/**
 * Opens a PostgreSQL database, and creates or migrates its tables. Throws `StoreLockedError` or `StoreUnusableError`. `onLockLost` is called if
 * another server has taken the database during an outage.
 */
export async function openPostgres(
  url: string,
  servers: Servers | undefined,
  onLockLost: (error: Error) => void,
  {
    machineClock,
    expected,
  }: { machineClock?: (() => number) | undefined; expected?: ExpectedInstallation | undefined } = {},
): Promise<Database> {
  let lock: ServerLock | undefined;
  const running = new RunningQueries();
  const writeConnection = new WriteConnection(url, running);
  const readConnections = new ReadConnections(url, running);
  try {
    await writeConnection.open();
    if (servers !== undefined) lock = await takeServerLock({ url, name: shownUrl(url), servers, onLockLost });
    const writing = kyselyOver(writeConnection);
    const { epoch, installation } = await prepareTables(writeConnection, writing, expected);
    return {
      engine: postgresEngine(writeConnection, running, machineClock),
      writing,
      reading: kyselyOver(readConnections),
      searchIndex: postgresSearchIndex(writeConnection, readConnections),
      epoch,
      installation,
      async bytes() {
        const { rows } = await readConnections.query(
          "select pg_database_size(current_database()) as bytes",
          [],
        );
        return (rows as [{ bytes: number }])[0].bytes;
      },
      async close() {
        await Promise.all([writeConnection.close(), readConnections.close()]);
        await lock?.release();
      },
    };
  } catch (error) {
    await Promise.all([writeConnection.close(), readConnections.close(), lock?.release()]);
    if (error instanceof StoreLockedError) throw error;
    throw cannotOpen(shownUrl(url), postgresReasonOf(error), error);
  }
}

/** Brings the tables up to date and returns the epoch and the id of the installation. Several nodes may do so at the same time. */
function prepareTables(
  connection: WriteConnection,
  db: Kysely<Tables>,
  expected: ExpectedInstallation | undefined,
): Promise<{ epoch: string; installation: string }> {
  return connection.withoutLimits(async () => {
    await requireServer(db);
    expected?.require(await findDatabase(db, (name) => hasPostgresTable(db, name)));
    await migrate(db, "bigint", CREATE_POSTGRES_SEARCH);
    return db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(WRITE_LOCK)})`.execute(tx);
      return { epoch: await findEpoch(tx), installation: await findOrMakeInstallation(tx, expected) };
    });
  });
}

/** Throws if the server is too old, or the database has another encoding. */
export async function requireServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`select
    current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding`.execute(db);
  const [server] = rows;
  if (server === undefined || server.version < VERSION_MIN)
    throw new Error(`PostgreSQL ${VERSION_MIN} or newer is needed`);
  if (server.encoding !== "UTF8") throw new Error(`its encoding is ${server.encoding} and must be UTF8`);
}

/** Why a PostgreSQL database cannot be used, for a sentence. */
export function postgresReasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(postgresReasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
