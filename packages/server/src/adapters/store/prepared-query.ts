import type { Compilable, Kysely, QueryResult } from "kysely";
import type { Tables } from "./tables.ts";

/** Stands for an argument while a query is compiled. */
interface Slot {
  slot: number;
}

function isSlot(value: unknown): value is Slot {
  return typeof value === "object" && value !== null && "slot" in value;
}

/** A query whose text is known: what a driver needs beside the values. */
export interface QueryTemplate<Args extends readonly unknown[]> {
  sql: string;
  bind(args: Args): readonly unknown[];
}

/**
 * Compiles `build` once; later calls only fill in their arguments. `build` must hand its arguments on as
 * values and not look at them: it is called with placeholders.
 */
export function queryTemplate<Args extends readonly unknown[]>(
  build: (...args: Args) => Compilable,
): QueryTemplate<Args> {
  const { sql, parameters } = compile(build);
  const bind = binder<Args>(parameters);
  return { sql, bind };
}

/** The same as a function that runs the query on `db`. */
export function preparedQuery<Args extends readonly unknown[], Row>(
  db: Kysely<Tables>,
  build: (...args: Args) => Compilable<Row>,
): (...args: Args) => Promise<QueryResult<Row>> {
  let run: ((args: Args) => Promise<QueryResult<Row>>) | undefined;
  return (...args) => {
    run ??= runner(db, build);
    return run(args);
  };
}

function compile<Args extends readonly unknown[], Row>(build: (...args: Args) => Compilable<Row>) {
  const slots = Array.from({ length: build.length }, (_, slot): Slot => ({ slot }));
  // A placeholder takes each argument's place; Kysely only carries it into `parameters`.
  return build(...(slots as readonly unknown[] as Args)).compile();
}

function runner<Args extends readonly unknown[], Row>(
  db: Kysely<Tables>,
  build: (...args: Args) => Compilable<Row>,
): (args: Args) => Promise<QueryResult<Row>> {
  const { sql, query, queryId, parameters } = compile(build);
  const bind = binder<Args>(parameters);
  return (args) => db.executeQuery<Row>({ sql, query, queryId, parameters: bind(args) });
}

/** Puts arguments where the placeholders stand, and leaves the query's own constants. */
function binder<Args extends readonly unknown[]>(
  parameters: readonly unknown[],
): (args: Args) => readonly unknown[] {
  const slots = parameters.map((value) => (isSlot(value) ? value.slot : -1));
  const isInOrder = slots.every((slot, index) => slot === index);
  return (args) =>
    // Arguments in order and nothing else, as with the row of a message, need no copy.
    isInOrder && args.length === slots.length
      ? args
      : slots.map((slot, index) => (slot === -1 ? parameters[index] : args[slot]));
}

/** Most values in one list: SQLite takes 32,766 parameters, and few list lengths mean few statements. */
const BATCH_MAX = 512;

/**
 * Cuts a list into pieces for `in (...)`, each filled up to a power of two with its last value, so that lists
 * of all lengths share ten statements. No piece is empty.
 */
export function inBatches<T>(values: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < values.length; start += BATCH_MAX) {
    const piece = values.slice(start, start + BATCH_MAX);
    const size = 2 ** Math.ceil(Math.log2(piece.length));
    const last = piece.at(-1);
    while (last !== undefined && piece.length < size) piece.push(last);
    result.push(piece);
  }
  return result;
}
