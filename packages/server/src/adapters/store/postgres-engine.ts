import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError, escapeIdentifier } from "pg";
import { otherClockAheadMs } from "../../ports/clock-reading.ts";
import type { WriteEngine } from "./engine.ts";
import { ConnectionLostError, type RunningQueries, type WriteConnection } from "./postgres-connections.ts";

const msOf = (time: string) => `(extract(epoch from ${time}) * 1000)::bigint`;

/**
 * The lock that every transaction of every node holds until it ends ("parley" in ASCII). So at most one transaction writes at a time, as in
 * SQLite: ids are in the order of the commits, and what a transaction has read stays true until its commit.
 */
export const WRITE_LOCK = 0x7061_726c_6579;
const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITE_LOCK}); select pg_current_xact_id()::text as xid, ${msOf("statement_timestamp()")} as received, ${msOf("clock_timestamp()")} as locked`;

/** What `BEGIN` answers: the times, epoch ms, when the database received it and when it had the lock. */
interface Begun {
  xid: string;
  received: number | string;
  locked: number | string;
}

/** How long a write waits for a database that restarts, and a commit for the answer whether it took place. */
const RECONNECT_MAX_MS = 5_000;
const OUTCOME_MAX_MS = 15_000;
const RECONNECT_POLL_MS = 100;

/** How long the work of one write may take at most, however busy reads keep the store. */
const WORK_MAX_MS = 15_000;

/** The database rolled the transaction back to end a conflict with another. */
const ABORTED = /^40(001|P01)$/;
/** Another transaction keeps the lock. */
const LOCKED = "55P03";
const DISK_FULL = "53100";
/** Values that a column does not take. They concern one row. */
const BAD_ROW = /^2[23]/;

const codeOf = (error: unknown) => (error instanceof DatabaseError ? (error.code ?? "") : "");

/** The connection was lost before the commit, or during a commit that did not take place. */
class RolledBackError extends Error {
  override name = "RolledBackError";
}

/** The types of the columns of a table, by name. */
export async function columnTypesOf(
  connection: Pick<WriteConnection, "query">,
  table: string,
): Promise<Map<string, string>> {
  const { rows } = await connection.query(
    "select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped",
    [escapeIdentifier(table)],
  );
  return new Map((rows as { name: string; type: string }[]).map(({ name, type }) => [name, type]));
}

/** An insert whose parameters are `arraysOf` the rows. */
export function insertOfArrays(
  table: string,
  columns: readonly string[],
  types: ReadonlyMap<string, string>,
): string {
  const names = columns.map((column) => escapeIdentifier(column));
  const arrays = columns.map((column, at) => `$${at + 1}::${types.get(column)}[]`);
  return `insert into ${escapeIdentifier(table)} (${names.join(", ")}) select * from unnest(${arrays.join(", ")})`;
}

/** An array of values for each column. */
export function arraysOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): unknown[][] {
  return columns.map((_, at) => rows.map((row) => row[at]));
}

/** The write engine of a PostgreSQL database. */
export function postgresEngine(
  connection: WriteConnection,
  running: RunningQueries,
  machineClock: () => number = () => Date.now(),
): WriteEngine {
  let clockAheadMs = 0;
  const columnTypes = new Map<string, Promise<Map<string, string>>>();
  let isInTransaction = false;
  /** The id that the database gave to the transaction. */
  let transactionId = "";
  /** Whether the last attempt to connect failed: then a write is refused at once and does not wait again. */
  let isUnreachable = false;

  async function beginOnce(): Promise<void> {
    await connection.open();
    isInTransaction = true;
    const asked = machineClock();
    const [, , result] = await connection.script(BEGIN);
    const heard = machineClock();
    const begun = result?.rows[0] as Begun | undefined;
    if (begun === undefined) throw new Error("the begin of a transaction answered no row");
    transactionId = begun.xid;
    // It waited for the lock between the two times, so the first is near `asked`, and the second near `heard`.
    const [received, locked] = [Number(begun.received), Number(begun.locked)];
    const databaseAheadMs =
      otherClockAheadMs({ asked, told: received, heard }) ||
      otherClockAheadMs({ asked, told: locked, heard });
    clockAheadMs = 0 - databaseAheadMs;
  }

  /** Nothing was written yet, so a lost connection only means to connect again. */
  async function begin(maxMs: number): Promise<void> {
    const end = performance.now() + maxMs;
    for (;;) {
      try {
        await beginOnce();
        isUnreachable = false;
        return;
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        isInTransaction = false;
        if (performance.now() >= end) {
          isUnreachable = true;
          throw error;
        }
      }
      await sleep(RECONNECT_POLL_MS);
    }
  }

  /** The database may take a while to notice that the connection of a transaction is gone, and keeps its lock until then. */
  async function beginAfterLoss(): Promise<void> {
    const end = performance.now() + OUTCOME_MAX_MS;
    for (;;) {
      try {
        return await begin(end - performance.now());
      } catch (error) {
        if (codeOf(error) !== LOCKED || performance.now() >= end) throw error;
        await rollback();
      }
    }
  }

  /**
   * Whether a transaction whose commit got no answer was committed. Another transaction can only begin after it has ended, so from then on
   * the answer is final.
   */
  async function wasCommitted(id: string): Promise<boolean> {
    await beginAfterLoss();
    const { rows } = await connection.query("select pg_xact_status($1::text::xid8) as status", [id]);
    await rollback();
    const [{ status }] = rows as [{ status: string | null }];
    if (status !== "committed" && status !== "aborted")
      throw new ConnectionLostError(`a transaction is ${status ?? "unknown"}`);
    return status === "committed";
  }

  async function rollback(): Promise<void> {
    if (!isInTransaction) return;
    isInTransaction = false;
    if (!connection.isOpen) return;
    try {
      await connection.script("rollback");
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  /** The types of the columns, which an array of values must name. */
  function typesOf(table: string): Promise<Map<string, string>> {
    const known = columnTypes.get(table) ?? columnTypesOf(connection, table);
    columnTypes.set(table, known);
    known.catch(() => columnTypes.delete(table));
    return known;
  }

  /** One statement for all rows, with an array for each column: it costs about a tenth of a statement for each row. */
  async function insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): Promise<boolean[]> {
    const types = await typesOf(table);
    const sql = `${insertOfArrays(table, columns, types)} on conflict do nothing returning id`;
    const inserted = new Set(
      (await connection.query(sql, arraysOf(columns, rows))).rows.map(({ id }) => id as unknown),
    );
    return rows.map(([id]) => inserted.has(id));
  }

  /** After an error the database accepts nothing more up to a savepoint. */
  async function withSavepoint<T>(work: () => Promise<T>): Promise<T | Error> {
    await connection.script("savepoint rows");
    try {
      const result = await work();
      await connection.script("release rows");
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseError) || !BAD_ROW.test(codeOf(error))) throw error;
      await connection.script("rollback to rows; release rows");
      return error;
    }
  }

  return {
    hasOtherWriters: true,
    clockAheadMs: () => clockAheadMs,
    begin: () => begin(isUnreachable ? 0 : RECONNECT_MAX_MS),
    async commit() {
      const id = transactionId;
      try {
        const [result] = await connection.script("commit");
        isInTransaction = false;
        if (result?.command !== "COMMIT") throw new Error("the database rolled the transaction back");
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        isInTransaction = false;
        if (!(await wasCommitted(id)))
          throw new RolledBackError("the transaction was not committed", { cause: error });
      }
    },
    rollback,
    savepoint: async () => void (await connection.script("savepoint one_write")),
    release: async () => void (await connection.script("release one_write")),
    undo: async () => void (await connection.script("rollback to one_write; release one_write")),
    async insertEach(table, columns, rows) {
      const together = await withSavepoint(() => insert(table, columns, rows));
      if (!(together instanceof Error)) return together;
      const results: (boolean | Error)[] = [];
      for (const row of rows) {
        const alone = await withSavepoint(() => insert(table, columns, [row]));
        results.push(alone instanceof Error ? alone : alone[0] === true);
      }
      return results;
    },
    rejectIfWaiting: (work) => rejectIfIdle(work, running),
    checkpoint: () => undefined,
    // The server ends when its disk fails, and tells after its recovery what was committed.
    isDiskFailure: () => false,
    unavailableReason(error) {
      if (error instanceof ConnectionLostError || error instanceof RolledBackError) return "unreachable";
      const code = codeOf(error);
      if (code === DISK_FULL) return "full";
      return code === LOCKED || ABORTED.test(code) ? "busy" : undefined;
    },
    isAborted(error) {
      if (error instanceof RolledBackError) return true;
      // Without an open transaction the connection was lost before it began, or its commit is uncertain.
      if (error instanceof ConnectionLostError) return isInTransaction;
      return ABORTED.test(codeOf(error));
    },
  };
}

/** Work that goes on waits for a query. One that waits while there is none, waits for something else. */
async function rejectIfIdle<T>(work: Promise<T>, running: RunningQueries): Promise<T> {
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const idle = new Promise<never>((_, reject) => {
    const rejectWork = () => reject(new Error("a write waited for something other than its transaction"));
    timer = setTimeout(rejectWork, WORK_MAX_MS);
    const check = () => {
      clearImmediate(turn);
      // By the end of the turn, work that has got an answer has asked its next question or is done.
      turn = setImmediate(() => {
        if (running.isIdle) rejectWork();
      });
    };
    stop = running.onIdle(check);
    check();
  });
  try {
    return await Promise.race([work, idle]);
  } finally {
    stop();
    clearImmediate(turn);
    clearTimeout(timer);
  }
}
