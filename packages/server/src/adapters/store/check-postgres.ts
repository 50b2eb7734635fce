/** What is wrong with a PostgreSQL server, for the doctor. What the database contains is checked by `postgres-integrity.ts`. */
import { Client } from "pg";
import type { ClockReading } from "../../ports/clock-reading.ts";
import { CONNECTIONS_MAX } from "./postgres-connections.ts";
import { VERSION_MIN, postgresReasonOf } from "./postgres-database.ts";
import { shownUrl } from "./store-url.ts";

const CONNECT_MS = 10_000;

/** What the server says of itself. */
export interface PostgresState {
  version: number;
  isReplica: boolean;
  synchronousCommit: string;
  /** How many connections this account may have at this database. */
  connections: number;
}

/** The result of a check. */
export interface PostgresCheck {
  problems: string[];
  /** Undefined if it cannot be reached. */
  clock: ClockReading | undefined;
}

/** -1 is no limit of an account or a database. */
const STATE = `select current_setting('server_version_num')::int / 10000 as "version",
  pg_is_in_recovery() as "isReplica", current_setting('synchronous_commit') as "synchronousCommit",
  least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) as "connections"`;

/** Asks the server of this URL. `now` is the clock of this machine. */
export async function checkPostgres(url: string, now: () => number = Date.now): Promise<PostgresCheck> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // Queries report it too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<PostgresState>(STATE);
    const asked = now();
    const time = await client.query<{ told: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as told",
    );
    const heard = now();
    const [state] = rows;
    const told = time.rows[0]?.told;
    return {
      problems: state === undefined ? [] : postgresProblems(state),
      clock: told === undefined ? undefined : { asked, told, heard },
    };
  } catch (error) {
    return {
      problems: [
        `PostgreSQL of DATABASE_URL ${shownUrl(url)} cannot be used (${postgresReasonOf(error)}): check that it runs, that this machine may connect, and the account.`,
      ],
      clock: undefined,
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * What is wrong with a server that says this of itself.
 * @internal
 */
export function postgresProblems(state: PostgresState): string[] {
  const { version, isReplica, synchronousCommit, connections } = state;
  return [
    ...(version < VERSION_MIN
      ? [`PostgreSQL has the version ${version}: update it to ${VERSION_MIN} or later.`]
      : []),
    ...(isReplica
      ? ["PostgreSQL of DATABASE_URL is a replica, which takes no writes: name the primary."]
      : []),
    ...(synchronousCommit === "off"
      ? [
          "PostgreSQL runs with synchronous_commit = off, which Parley has to turn on for itself each time: set it to on.",
        ]
      : []),
    ...(connections < CONNECTIONS_MAX
      ? [
          `PostgreSQL lets Parley have ${connections} connections, and each server may need ${CONNECTIONS_MAX}: raise max_connections, or the limit of the account or database.`,
        ]
      : []),
  ];
}
