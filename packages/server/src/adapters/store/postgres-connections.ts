import {
  Client,
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  Pool,
  type QueryResult,
  types,
} from "pg";
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { Tables } from "./tables.ts";

/** How long connecting may take, and waiting for a connection that is in use. */
const CONNECT_MAX_MS = 5_000;
/** How long the database works on a statement at most. All writes wait for each other, so they get less time. */
const READ_MAX_MS = 20_000;
const WRITE_MAX_MS = 10_000;
/** How long a transaction waits for that of another node. */
const LOCK_MAX_MS = 5_000;
/** A transaction that asks nothing for so long belongs to a node that hangs. The database ends it, so that the others can write. */
const IDLE_IN_TRANSACTION_MAX_MS = 10_000;
/** The database says after its own limits that they have passed. Without an answer so much later, the network is gone. */
const ANSWER_MAX_MS = 3_000;
/** Connections for reads. */
const READERS_MAX = 10;
/** What one server may have open: these, one that writes, and one that holds the lock of the server. */
export const CONNECTIONS_MAX = READERS_MAX + 2;
/** Texts of statements that the database keeps prepared in each connection. */
const PREPARED_MAX = 500;

const INT8 = 20;

/** Reads 64-bit numbers as numbers: every id, time and count is below 2^53. */
const numberTypes: CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === INT8 && format !== "binary" ? parseInt8 : types.getTypeParser(id, format),
};

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} of the database is no safe integer`);
  return value;
}

/** The connection ended, or could not be made. What it was doing is unknown. */
export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
  constructor(cause: unknown) {
    super(
      `the connection to the database is lost: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** A server of the next version has added a column to a table after this connection prepared a statement that reads all of its columns. */
function isPreparedForOtherColumns(error: unknown): boolean {
  return error instanceof DatabaseError && error.routine === "RevalidateCachedQuery";
}

/** Whether an error of a query means that its connection is of no use any more. */
function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError)
    return (
      error.severity === "FATAL" ||
      error.severity === "PANIC" ||
      // A server that has become a replica refuses writes; another connection may lead to the new primary.
      error.code === "25006" ||
      isPreparedForOtherColumns(error)
    );
  // Errors of our own values, such as a number that is too large.
  return !(error instanceof TypeError || error instanceof RangeError);
}

function configOf(url: string, statementMaxMs: number): ClientConfig {
  return {
    connectionString: url,
    application_name: "parley",
    types: numberTypes,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    client_encoding: "UTF8",
    statement_timeout: statementMaxMs,
    lock_timeout: LOCK_MAX_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MAX_MS,
  };
}

const statementNames = new Map<string, string>();

/** The name under which the database keeps a statement. Parsing and planning would cost more than most of them. */
function preparedNameOf(sql: string): string | undefined {
  const known = statementNames.get(sql);
  if (known !== undefined || statementNames.size >= PREPARED_MAX) return known;
  const name = `parley_${statementNames.size + 1}`;
  statementNames.set(sql, name);
  return name;
}

const prepared = (text: string, values: readonly unknown[]) => {
  const name = preparedNameOf(text);
  return { text, values: [...values], ...(name !== undefined && { name }) };
};

/** Counts the queries that are under way. */
export class RunningQueries {
  #count = 0;
  readonly #idleListeners = new Set<() => void>();

  get isIdle(): boolean {
    return this.#count === 0;
  }

  async track<T>(query: Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await query;
    } finally {
      this.#count -= 1;
      if (this.isIdle) for (const listener of this.#idleListeners) listener();
    }
  }

  /** Calls the listener whenever the last query has ended. Returns a function that stops it. */
  onIdle(listener: () => void): () => void {
    this.#idleListeners.add(listener);
    return () => void this.#idleListeners.delete(listener);
  }
}

/** The connection of all writes of this process. After a loss it is opened again by the next `open`. */
export class WriteConnection {
  readonly #url: string;
  readonly #running: RunningQueries;
  #client: Client | undefined;
  #hasLimits = true;
  /** Resolves after the last query: a connection runs one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(url: string, running: RunningQueries) {
    this.#url = url;
    this.#running = running;
  }

  /** Connects if there is no connection. Throws `ConnectionLostError`. */
  async open(): Promise<void> {
    if (this.#client !== undefined) return;
    const client = new Client(configOf(this.#url, WRITE_MAX_MS));
    // Queries report it too; an idle connection is lost without a query.
    client.on("error", () => this.#drop(client));
    client.on("end", () => this.#drop(client));
    try {
      await client.connect();
    } catch (error) {
      this.#drop(client);
      throw new ConnectionLostError(error);
    }
    this.#client = client;
    // What is acknowledged must be on the disk, whatever the database does for its other clients.
    await this.script(
      "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
    );
  }

  /** Whether it is open. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Runs a statement after those before. Throws `ConnectionLostError` if the connection is lost, before or during it. */
  query(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    return this.#inOrder((client) => client.query(prepared(sql, values)));
  }

  /** Runs several statements without values. Returns a result for each. */
  async script(sql: string): Promise<QueryResult[]> {
    // Several statements have several results, whatever the types say.
    return [await this.#inOrder((client) => client.query(sql))].flat();
  }

  /** Runs work on the whole database, such as a migration, which may take longer than a write. */
  async withoutLimits<T>(work: () => Promise<T>): Promise<T> {
    await this.script("set statement_timeout = 0; set lock_timeout = 0");
    this.#hasLimits = false;
    try {
      return await work();
    } finally {
      this.#hasLimits = true;
      // Another connection begins with the limits.
      if (this.isOpen) await this.script("reset statement_timeout; reset lock_timeout");
    }
  }

  #inOrder(run: (client: Client) => Promise<QueryResult>): Promise<QueryResult> {
    const result = this.#last.then(async () => {
      const client = this.#client;
      if (client === undefined) throw new ConnectionLostError("it has ended");
      // Ends the query as well.
      const timer = this.#hasLimits && setTimeout(() => this.#drop(client), WRITE_MAX_MS + ANSWER_MAX_MS);
      try {
        return await run(client);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        this.#drop(client);
        throw new ConnectionLostError(error);
      } finally {
        if (timer !== false) clearTimeout(timer);
      }
    });
    this.#last = result.catch(() => undefined);
    return this.#running.track(result);
  }

  /** Gives the connection up, so that the next `open` makes another. The database rolls its transaction back. */
  drop(): void {
    if (this.#client !== undefined) this.#drop(this.#client);
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    // Errors of a connection that was given up do not matter.
    client.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#last;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }
}

/** Connections for reads. Each query takes one that is free; lost ones are replaced. */
export class ReadConnections {
  readonly #pool: Pool;
  readonly #running: RunningQueries;

  constructor(url: string, running: RunningQueries) {
    this.#pool = new Pool({
      ...configOf(url, READ_MAX_MS),
      query_timeout: READ_MAX_MS + ANSWER_MAX_MS,
      max: READERS_MAX,
    });
    // An idle connection was lost, and the pool has dropped it already.
    this.#pool.on("error", () => undefined);
    this.#running = running;
  }

  /** Runs a query that the database keeps prepared. Throws `StoreUnavailableError` if the database cannot be reached. */
  query(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    return this.#run(prepared(sql, values));
  }

  /** The same for a query whose plan has to depend on its values. */
  queryPlanned(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    return this.#run({ text: sql, values: [...values] });
  }

  #run(query: { text: string; values: unknown[]; name?: string }): Promise<QueryResult> {
    return this.#running.track(this.#runAgainIfLost(query));
  }

  /** A connection that was lost says nothing about the database: a read may be repeated on another. */
  async #runAgainIfLost(query: { text: string; values: unknown[] }): Promise<QueryResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#pool.query(query);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        // All connections may have prepared the same statement.
        const attempts = isPreparedForOtherColumns(error) ? READERS_MAX + 1 : 2;
        if (attempt >= attempts)
          throw new StoreUnavailableError("unreachable", new ConnectionLostError(error));
      }
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** Kysely over connections that are not Kysely's: it neither opens nor closes them. */
export function kyselyOver(connections: Pick<ReadConnections, "query">): Kysely<Tables> {
  const client: PostgresPoolClient = {
    // Kysely decides what it asks for, and the types of the driver say nothing of it.
    query: ((sql: string, values: readonly unknown[]) =>
      connections.query(sql, values)) as unknown as PostgresPoolClient["query"],
    release: () => undefined,
  };
  const pool = { connect: async () => client, end: async () => undefined, options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
