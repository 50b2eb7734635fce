import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import type { NewPrivateMessage } from "../../ports/private-message-store.ts";
import type { Tx } from "../../ports/store.ts";
import { newMessage } from "../../testing/contracts/store-fixtures.ts";
import { noFailpoints } from "../../ports/failpoints.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { MessageAppender, NewChatMessage } from "./appender.ts";
import type { WriteEngine } from "./engine.ts";
import { Writer } from "./writer.ts";

const isPrivate = (message: NewChatMessage): message is NewPrivateMessage => "recvId" in message;

/** A writer over an engine that logs its steps and fails where a test wants it to. */
function createHarness({ hasOtherWriters = false } = {}) {
  const log: string[] = [];
  const failures = new Map<string, Error>();
  const step = (name: string) => () => {
    log.push(name);
    const error = failures.get(name);
    if (error !== undefined) throw error;
  };
  const engine: WriteEngine = {
    hasOtherWriters,
    clockAheadMs: () => 0,
    begin: step("begin"),
    commit: step("commit"),
    rollback: step("rollback"),
    savepoint: step("savepoint"),
    release: step("release"),
    undo: step("undo"),
    insertEach: () => [],
    rejectIfWaiting: (work) => work,
    checkpoint: () => {
      const error = failures.get("checkpoint");
      if (error !== undefined) throw error;
    },
    isDiskFailure: (error) => error instanceof Database.SqliteError && error.code === "SQLITE_IOERR_FSYNC",
    unavailableReason: (error) =>
      error instanceof Database.SqliteError && error.code === "SQLITE_FULL" ? "full" : undefined,
    isAborted: (error) => error === conflict,
  };
  let id = 0;
  const appender: MessageAppender = {
    append: async (messages) => {
      step(`append ${messages.length}`)();
      return messages.filter(isPrivate).map((message) => ({
        row: {
          ...message,
          id: ++id,
          receivedAt: null,
          tip: null,
          act: null,
          onlyFor: null,
          quote: null,
          editedAt: null,
          noticeId: null,
        },
        isNew: true,
      }));
    },
    discard: step("discard"),
    expectOtherWrites: step("expect other writes"),
    mark: () => undefined,
    confirm: () => undefined,
  };
  const fatal: Error[] = [];
  const tx = {} as Tx;
  const writer = new Writer(engine, appender, tx, (error) => fatal.push(error), noFailpoints);
  const append = (message: NewPrivateMessage) => writer.append(message);
  return { log, failures, fatal, tx, writer, append };
}

const disk = new Database.SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");
const full = new Database.SqliteError("database or disk is full", "SQLITE_FULL");

const conflict = new Error("aborted by the database");

describe("Writer", () => {
  let it: ReturnType<typeof createHarness>;
  beforeEach(() => {
    it = createHarness();
  });
  const append = () => it.append(newMessage(1, 2));

  test("consecutive appends run as one batch without savepoints; each write has its own savepoint", async () => {
    await Promise.all([append(), append(), it.writer.write(async () => 1), append()]);
    expect(it.log).toEqual(["begin", "append 2", "savepoint", "release", "append 1", "commit"]);
    expect(it.writer.stats).toEqual({ commits: 1, rows: 3 });
  });

  test("nothing resolves before the commit", async () => {
    const seen: string[] = [];
    const done = append().then(() => seen.push(...it.log));
    await done;
    expect(seen).toEqual(["begin", "append 1", "commit"]);
  });

  test("a write requested while a batch runs waits for the next commit", async () => {
    let next: Promise<unknown> = Promise.resolve();
    await it.writer.write(async () => {
      next = append();
    });
    expect(it.writer.stats.commits).toBe(1);
    await next;
    expect(it.writer.stats.commits).toBe(2);
  });

  test("a burst of writes is split into batches", async () => {
    await Promise.all(Array.from({ length: 2_500 }, append));
    expect(it.writer.stats).toEqual({ commits: 3, rows: 2_500 });
  });

  test("a write receives the transaction, and its error rejects only this write", async () => {
    const [good, bad] = await Promise.allSettled([
      it.writer.write(async (tx) => tx),
      it.writer.write(async () => Promise.reject(new Error("mine"))),
    ]);
    expect(good).toEqual({ status: "fulfilled", value: it.tx });
    expect(bad).toMatchObject({ status: "rejected", reason: new Error("mine") });
    expect(it.log).toEqual(["begin", "savepoint", "release", "savepoint", "undo", "discard", "commit"]);
    expect(it.fatal).toEqual([]);
  });

  test("what the database aborts is repeated if it is only messages; a write that had begun is rejected and not run again", async () => {
    it.failures.set("release", conflict);
    let runs = 0;
    const results = Promise.allSettled([
      append(),
      it.writer.write(async () => void (runs += 1)).finally(() => it.failures.clear()),
      it.writer.write(async () => "not begun"),
      append(),
    ]);
    expect((await results).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect([runs, it.writer.stats, it.fatal]).toEqual([1, { commits: 1, rows: 2 }, []]);
  });

  test("what the database aborts again and again is rejected after three attempts", async () => {
    it.failures.set("commit", conflict);
    await expect(append()).rejects.toThrow(conflict);
    expect(it.log.filter((step) => step === "begin")).toHaveLength(3);
  });

  test("if other processes write too, appenders are told so at the begin of each transaction", async () => {
    it = createHarness({ hasOtherWriters: true });
    await append();
    await append();
    const each = ["begin", "expect other writes", "append 1", "commit"];
    expect(it.log).toEqual([...each, ...each]);
  });

  test("when the disk fails a commit, its writes and all queued writes reject, onFatal is called once, and nothing is retried", async () => {
    it.failures.set("commit", disk);
    const batch = [append(), it.writer.write(async () => 1)];
    const results = await Promise.allSettled(batch);
    expect(results).toEqual(batch.map(() => ({ status: "rejected", reason: disk })));
    expect(it.fatal).toEqual([disk]);
    expect(it.log.filter((name) => name === "commit")).toHaveLength(1);
    expect(it.writer.isOpen).toBe(false);
    await expect(append()).rejects.toBe(disk);
    expect(it.fatal).toEqual([disk]);
  });

  test("writes that waited behind a failed disk reject too", async () => {
    it.failures.set("commit", disk);
    let waiting: Promise<unknown> = Promise.resolve();
    const first = it.writer.write(async () => {
      waiting = append();
      waiting.catch(() => undefined);
    });
    await expect(first).rejects.toBe(disk);
    await expect(waiting).rejects.toBe(disk);
    expect(it.log.filter((name) => name === "begin")).toHaveLength(1);
  });

  test("a full disk rejects the writes of its commit, and later writes are tried again", async () => {
    it.failures.set("append 1", full);
    await expect(append()).rejects.toEqual(new StoreUnavailableError("full", full));
    expect(it.log).toEqual(["begin", "append 1", "discard", "rollback"]);
    expect(it.writer.isFull).toBe(true);
    it.failures.clear();
    await append();
    expect(it.fatal).toEqual([]);
  });

  // SQLite ends the whole transaction then: rolling back a part of it would fail and hide the first error.
  test.each([
    ["a failing disk", disk, [disk]],
    ["a full disk", full, []],
  ])(
    "%s in the middle of a write rejects all writes of its commit with the original error",
    async (_what, error, reported) => {
      it.failures.set("undo", new Database.SqliteError("no such savepoint", "SQLITE_ERROR"));
      const results = await Promise.allSettled([append(), it.writer.write(() => Promise.reject(error))]);
      const reason = error === full ? new StoreUnavailableError("full", full) : disk;
      expect(results).toEqual(results.map(() => ({ status: "rejected", reason })));
      expect(it.fatal).toEqual(reported);
      expect(it.log).not.toContain("undo");
    },
  );

  test("a disk failure after a commit rejects all later writes but not the committed one", async () => {
    it.failures.set("checkpoint", disk);
    await append();
    await expect(append()).rejects.toBe(disk);
    expect(it.fatal).toEqual([disk]);
  });

  test("a failed undo rejects the whole batch", async () => {
    it.failures.set("undo", full);
    const results = await Promise.allSettled([
      append(),
      it.writer.write(() => Promise.reject(new Error("mine"))),
    ]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(it.writer.stats).toEqual({ commits: 0, rows: 0 });
  });

  test("closing waits for running writes and rejects later ones", async () => {
    const order: string[] = [];
    const write = append().then(() => order.push("write"));
    const closing = it.writer.close().then(() => order.push("closed"));
    await expect(append()).rejects.toThrow("the store is closed");
    await Promise.all([write, closing, it.writer.close()]);
    expect(order).toEqual(["write", "closed"]);
  });
});
