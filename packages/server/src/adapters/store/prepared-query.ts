import type { Compilable, Kysely, QueryResult } from "kysely";
import type { Tables } from "./tables.ts";

/** A placeholder for an argument while a query is compiled. */
interface Slot {
  slot: number;
}

function isSlot(value: unknown): value is Slot {
  return typeof value === "object" && value !== null && "slot" in value;
}

/**
 * Compiles `build` at the first call; later calls only fill in their arguments. `build` is called with placeholders, so it must pass its
 * arguments on as values and not inspect them.
 */
export function preparedQuery<Args extends readonly unknown[], Row>(
  db: Kysely<Tables>,
  build: (...args: Args) => Compilable<Row>,
): (...args: Args) => Promise<QueryResult<Row>> {
  let run: ((args: Args) => Promise<QueryResult<Row>>) | undefined;
  return (...args) => {
    run ??= runner(db, build, build.length);
    return run(args);
  };
}

/**
 * The same for a query about a list of values, such as `in (...)`. `build` is compiled once for each length of a batch; the lists may have
 * any length. A value that is twice in the list may have its rows twice.
 */
export function preparedListQuery<Value, Row>(
  db: Kysely<Tables>,
  build: (values: readonly Value[]) => Compilable<Row>,
): (values: readonly Value[]) => Promise<Row[]> {
  const runs = new Map<number, (values: readonly Value[]) => Promise<QueryResult<Row>>>();
  return async (values) => {
    const rows: Row[] = [];
    for (const batch of inBatches(values)) {
      const run =
        runs.get(batch.length) ?? runner(db, (...slots: readonly Value[]) => build(slots), batch.length);
      runs.set(batch.length, run);
      rows.push(...(await run(batch)).rows);
    }
    return rows;
  };
}

function runner<Args extends readonly unknown[], Row>(
  db: Kysely<Tables>,
  build: (...args: Args) => Compilable<Row>,
  arity: number,
): (args: Args) => Promise<QueryResult<Row>> {
  const slots = Array.from({ length: arity }, (_, slot): Slot => ({ slot }));
  // Kysely only copies the placeholders into `parameters`.
  const { sql, query, queryId, parameters } = build(...(slots as readonly unknown[] as Args)).compile();
  const bind = binder<Args>(parameters);
  return (args) => db.executeQuery<Row>({ sql, query, queryId, parameters: bind(args) });
}

/** Replaces the placeholders by the arguments; constants of the query stay. */
function binder<Args extends readonly unknown[]>(
  parameters: readonly unknown[],
): (args: Args) => readonly unknown[] {
  const slots = parameters.map((value) => (isSlot(value) ? value.slot : -1));
  const isInOrder = slots.every((slot, index) => slot === index);
  return (args) =>
    // If the parameters are just the arguments in order, no copy is needed.
    isInOrder && args.length === slots.length
      ? args
      : slots.map((slot, index) => (slot === -1 ? parameters[index] : args[slot]));
}

/** Maximum number of values in one list: SQLite allows 32,766 parameters, and few list lengths mean few statements. */
const BATCH_MAX = 512;

/**
 * Splits a list into batches for `in (...)`. Each batch is filled up to a power of two with its last value, so
 * that lists of all lengths share ten statements. No batch is empty.
 */
export function inBatches<T>(values: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < values.length; start += BATCH_MAX) {
    const batch = values.slice(start, start + BATCH_MAX);
    const size = 2 ** Math.ceil(Math.log2(batch.length));
    const last = batch.at(-1);
    while (last !== undefined && batch.length < size) batch.push(last);
    result.push(batch);
  }
  return result;
}
