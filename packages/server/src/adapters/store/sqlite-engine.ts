import Database from "better-sqlite3";
import type { Engine } from "./engine.ts";

/** Errors after which the connection works on: nothing was written, and a later try may pass. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED|NOMEM|INTERRUPT)/;

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
    isDiskFailure: (error) => error instanceof Database.SqliteError && !PASSING.test(error.code),
  };
}
