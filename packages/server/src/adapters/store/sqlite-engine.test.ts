import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { sqliteEngine } from "./sqlite-engine.ts";
import { openConnection } from "./sqlite-connection.ts";

describe("SQLite engine", () => {
  let db: Database.Database;
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-engine-"));
    db = openConnection(join(folder, "lines.sqlite"));
    db.exec("create table line (id integer primary key, text text not null)");
    onTestFinished(async () => {
      db.close();
      await rm(folder, { recursive: true, force: true });
    });
  });
  const ids = () => db.prepare("select id from line order by id").pluck().all();

  test("a commit is synced to disk in a write-ahead log", () => {
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    // 2 is FULL.
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  test("undo rolls back to the savepoint, rollback undoes the whole transaction, and rollback without a transaction does nothing", () => {
    const engine = sqliteEngine(db);
    void engine.begin();
    void engine.insertEach("line", ["id", "text"], [[1, "kept"]]);
    void engine.savepoint();
    void engine.insertEach("line", ["id", "text"], [[2, "undone"]]);
    void engine.undo();
    void engine.savepoint();
    void engine.insertEach("line", ["id", "text"], [[3, "kept"]]);
    void engine.release();
    void engine.commit();
    expect(ids()).toEqual([1, 3]);
    void engine.begin();
    void engine.insertEach("line", ["id", "text"], [[4, "rolled back"]]);
    void engine.rollback();
    void engine.rollback();
    expect(ids()).toEqual([1, 3]);
  });

  test("a row that is there already or that the table refuses does not affect the others", async () => {
    const engine = sqliteEngine(db);
    void engine.begin();
    const outcomes = await engine.insertEach(
      "line",
      ["id", "text"],
      [
        [1, "a"],
        [1, "twice"],
        [2, null],
        [3, "b"],
      ],
    );
    void engine.commit();
    expect(outcomes).toEqual([
      true,
      false,
      expect.objectContaining({ code: "SQLITE_CONSTRAINT_NOTNULL" }),
      true,
    ]);
    expect(engine.isDiskFailure(outcomes[2])).toBe(false);
    expect(ids()).toEqual([1, 3]);
  });

  test("on a full disk only writes that need space fail, which is no disk failure and ends when space is free again", async () => {
    const engine = sqliteEngine(db);
    const pages = db.pragma("page_count", { simple: true });
    db.pragma(`max_page_count = ${Number(pages) + 2}`);
    void engine.begin();
    const long = "x".repeat(100_000);
    let error: unknown;
    try {
      const [first] = await engine.insertEach("line", ["id", "text"], [[1, long]]);
      error = first;
    } catch (thrown) {
      error = thrown;
    }
    void engine.rollback();
    expect(error).toMatchObject({ code: "SQLITE_FULL" });
    expect(engine.isDiskFailure(error)).toBe(false);
    db.pragma("max_page_count = 100000");
    void engine.begin();
    expect(await engine.insertEach("line", ["id", "text"], [[1, long]])).toEqual([true]);
    void engine.commit();
    expect(ids()).toEqual([1]);
  });

  test("errors of the disk and of a damaged file are disk failures, others are not", () => {
    const engine = sqliteEngine(db);
    const isFailure = (code: string) => engine.isDiskFailure(new Database.SqliteError("message", code));
    for (const code of [
      "SQLITE_IOERR_FSYNC",
      "SQLITE_IOERR_WRITE",
      "SQLITE_CORRUPT",
      "SQLITE_NOTADB",
      "SQLITE_READONLY",
    ]) {
      expect(isFailure(code), code).toBe(true);
    }
    for (const code of [
      "SQLITE_FULL",
      "SQLITE_IOERR_SHMSIZE",
      "SQLITE_BUSY",
      "SQLITE_CONSTRAINT_NOTNULL",
      "SQLITE_ERROR",
    ]) {
      expect(isFailure(code), code).toBe(false);
    }
    expect(engine.isDiskFailure(new Error("anything"))).toBe(false);
  });

  test("the write-ahead log is checkpointed when it is long, and only by checkpoint()", async () => {
    const engine = sqliteEngine(db);
    const state = () =>
      db.prepare("pragma wal_checkpoint(noop)").get() as { log: number; checkpointed: number };
    const write = async (count: number) => {
      // The length of the log is checked after some commits only.
      for (let n = 1; n < 16; n++) await engine.checkpoint();
      void engine.begin();
      const lines = Array.from({ length: count }, (): [null, string] => [null, "x".repeat(3_000)]);
      await engine.insertEach("line", ["id", "text"], lines);
      void engine.commit();
      await engine.checkpoint();
    };
    await write(100);
    expect(state().checkpointed).toBe(0);
    await write(4_000);
    expect(state().checkpointed).toBe(state().log);
  });

  test("a write waits while another program locks the file, and reads are not blocked", async () => {
    const engine = sqliteEngine(db, 60_000);
    const other = new Database(db.name);
    other.exec("begin immediate");
    let isBegun = false;
    const begun = Promise.resolve(engine.begin()).then(() => (isBegun = true));
    expect(ids()).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isBegun).toBe(false);
    other.close();
    await begun;
    await engine.insertEach("line", ["id", "text"], [[1, "after"]]);
    void engine.commit();
    expect(ids()).toEqual([1]);
  });

  test("a write that waited too long for the lock is rejected and is not a disk failure", async () => {
    const engine = sqliteEngine(db, 0);
    const other = new Database(db.name);
    other.exec("begin immediate");
    const error: unknown = await Promise.resolve(engine.begin()).catch((thrown: unknown) => thrown);
    other.close();
    expect([engine.unavailableReason(error), engine.isDiskFailure(error)]).toEqual(["busy", false]);
  });
});
