import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Servers } from "./engine.ts";
import { WRITE_LOCK } from "./postgres-engine.ts";
import { StoreLockedError } from "./store-errors.ts";

/** The lock that a server holds as long as it lives: shared with others if it knows how to, else alone. */
const SERVER_LOCK = WRITE_LOCK + 1;
const TRY_ALONE = `select pg_try_advisory_lock(${SERVER_LOCK}) as "isTaken"`;
const TRY = {
  none: TRY_ALONE,
  one: TRY_ALONE,
  several: `select pg_try_advisory_lock_shared(${SERVER_LOCK}) as "isTaken"`,
} as const;
/** So that the database notices within half a minute that the machine of a server is gone. */
const KEEPALIVES =
  "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";
/** Identifies a session: process ids are used again. */
const SESSION = "select pid, backend_start::text as start from pg_stat_activity where pid = pg_backend_pid()";
const END_SESSION =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2";

const CONNECT_MAX_MS = 5_000;
const ANSWER_MAX_MS = 10_000;
/** How long the lock may be taken by a server that is just ending. */
const WAIT_MS = 3_000;
const POLL_MS = 250;
/** How often it is tried to reach a database that is away. */
const RECONNECT_MS = 1_000;

/** What says that a server uses the database. */
export interface ServerLock {
  release(): Promise<void>;
}

interface LockOptions {
  url: string;
  /** The database as it may be shown. */
  name: string;
  servers: Servers;
  /** Called once: the connection was lost, and another server has taken the database before it could be made again. */
  onLockLost(error: Error): void;
}

interface Session {
  client: Client;
  pid: number;
  start: string;
}

/** Takes the lock. Throws `StoreLockedError` if another server excludes this one, or the error of the connection. */
export async function takeServerLock(options: LockOptions): Promise<ServerLock> {
  const { name, servers, onLockLost } = options;
  let isReleased = false;
  let session = await lockWithin(options, undefined);

  /** An outage of the database ends the session and its lock. */
  const keep = (current: Session): void => {
    current.client.once("end", () => {
      if (!isReleased) void takeAgain(current);
    });
  };

  const takeAgain = async (former: Session): Promise<void> => {
    while (!isReleased) {
      try {
        session = await lockWithin(options, former);
        if (isReleased) await session.client.end();
        else keep(session);
        return;
      } catch (error) {
        if (error instanceof StoreLockedError) return onLockLost(error);
        // The database is away. Writes and reads say so to whom it concerns.
        await sleep(RECONNECT_MS, undefined, { ref: false });
      }
    }
  };

  keep(session);
  return {
    async release() {
      isReleased = true;
      await session.client.end().catch(() => undefined);
    },
  };

  async function lockWithin({ url }: LockOptions, former: Session | undefined): Promise<Session> {
    const client = new Client({
      connectionString: url,
      application_name: "parley server lock",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MAX_MS,
      query_timeout: ANSWER_MAX_MS,
    });
    // Reported by the end of the connection as well.
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(KEEPALIVES);
      // The database may not have noticed yet that the connection of this server was lost.
      if (former !== undefined) await client.query(END_SESSION, [former.pid, former.start]);
      const until = performance.now() + WAIT_MS;
      while (!(await tryLock(client))) {
        if (performance.now() >= until) throw lockedError();
        await sleep(POLL_MS);
      }
      const [own] = (await client.query(SESSION)).rows as [{ pid: number; start: string }];
      return { client, ...own };
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  async function tryLock(client: Client): Promise<boolean> {
    const [row] = (await client.query(TRY[servers])).rows as [{ isTaken: boolean }];
    return row.isTaken;
  }

  function lockedError(): StoreLockedError {
    return new StoreLockedError(
      `The database ${name}`,
      servers === "none" ? undefined : "set REDIS_URL for every server, so that they can work together",
    );
  }
}
