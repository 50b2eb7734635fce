import Database from "better-sqlite3";
import type { Engine } from "./engine.ts";

/**
 * Errors that say that the file can no longer be trusted. A full disk is not among them: SQLite undoes it
 * cleanly.
 */
const DISK_FAILURE = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL)/;

/** The writing side of a SQLite file; every method answers at once. */
export function sqliteEngine(db: Database.Database): Engine {
  const statement = (sql: string) => db.prepare(sql);
  const begin = statement("begin immediate");
  const commit = statement("commit");
  const rollback = statement("rollback");
  const savepoint = statement("savepoint one_write");
  const release = statement("release one_write");
  const undo = statement("rollback to one_write");
  const known = new Map<string, Database.Statement>();

  function runOne(prepared: Database.Statement, values: readonly unknown[]): number | Error {
    try {
      return prepared.run(...values).changes;
    } catch (error) {
      // Some disk errors end the whole transaction; going on would commit each row by itself.
      if (!db.inTransaction || !(error instanceof Error)) throw error;
      return error;
    }
  }

  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback: () => {
      if (db.inTransaction) rollback.run();
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    undo: () => {
      undo.run();
      release.run();
    },
    runEach(sql, sets) {
      const prepared = known.get(sql) ?? statement(sql);
      known.set(sql, prepared);
      return sets.map((values) => runOne(prepared, values));
    },
    limit: finishedThisTurn,
    isDiskFailure: (error) => error instanceof Database.SqliteError && DISK_FAILURE.test(error.code),
  };
}

/**
 * Every answer of SQLite is there at once, so work that is not done by the end of the turn waits for
 * something else.
 */
async function finishedThisTurn<T>(work: Promise<T>): Promise<T> {
  let turn: NodeJS.Immediate | undefined;
  const ended = new Promise<never>((_, reject) => {
    turn = setImmediate(() => reject(new Error("a write waited for something other than its transaction")));
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearImmediate(turn);
  }
}
