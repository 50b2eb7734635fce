import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { GroupRole } from "@parley/protocol/codes";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { storeContract } from "../../testing/contracts/store-contract.ts";
import {
  addFile,
  newMessage,
  NOON,
  newUser,
  required,
  newGroup,
} from "../../testing/contracts/store-fixtures.ts";
import { startLossyProxy } from "../../testing/lossy-proxy.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../../testing/test-postgres.ts";
import { type OpenedStore, openStore } from "./open-store.ts";
import { checkPostgresIntegrity } from "./postgres-integrity.ts";
import { WRITE_LOCK } from "./postgres-engine.ts";
import { StoreUnusableError } from "./store-errors.ts";

/** The search index is not filled: its commits would be counted as those of the tests. */
const NEVER_MS = 3_600_000;

const noFatal = (error: Error): never => {
  throw error;
};

const open = (url: string) => openStore({ url, onFatal: noFatal, searchPollMs: NEVER_MS });

describe.skipIf(isPostgresMissing)(`${POSTGRES} store`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  storeContract(async () => {
    let store = await open(database.url);
    return {
      get store() {
        return store;
      },
      commits: () => store.stats().commits,
      async reopen() {
        await store.close();
        store = await open(database.url);
        return store;
      },
      async dispose() {
        await store.close();
        await database.empty();
      },
    };
  });
});

describe.skipIf(isPostgresMissing)(`${POSTGRES} database`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("M140 two nodes whose clocks differ give messages the time of the database, and agree on their age", async () => {
    const HOUR_MS = 3_600_000;
    const openAhead = (aheadMs: number) =>
      openStore({
        url: database.url,
        onFatal: noFatal,
        searchPollMs: NEVER_MS,
        machineClock: () => Date.now() + aheadMs,
      });
    await using both = new AsyncDisposableStack();
    const [right, ahead] = [await openAhead(0), await openAhead(HOUR_MS)];
    both.defer(() => right.close());
    both.defer(() => ahead.close());
    for (const name of ["clock1", "clock2"]) await right.write((tx) => tx.insertUser(newUser(name)));
    const [one, two] = [await right.findUserByName("clock1"), await right.findUserByName("clock2")];
    const began = Date.now();
    const append = async (store: OpenedStore, now: number) =>
      (await store.appendPrivate(newMessage(required(one).id, required(two).id, { sendTime: now }))).row;
    const first = await append(ahead, Date.now() + HOUR_MS);
    const second = await append(right, Date.now());
    const ended = Date.now();
    for (const { sendTime } of [first, second]) {
      // The way to the database takes a part of it.
      expect(sendTime).toBeGreaterThanOrEqual(began - 2_000);
      expect(sendTime).toBeLessThanOrEqual(ended + 2_000);
    }
    const age = (store: OpenedStore, row: typeof first, now: number) =>
      store.write((tx) => tx.messageAge(row, now));
    const fiveMinutes = 300_000;
    for (const row of [first, second]) {
      expect(await age(right, row, Date.now() + fiveMinutes)).toBeLessThan(fiveMinutes + 60_000);
      const onAhead = await age(ahead, row, Date.now() + HOUR_MS + fiveMinutes);
      expect(onAhead).toBeGreaterThan(fiveMinutes - 3_000);
      expect(onAhead).toBeLessThan(fiveMinutes + 60_000);
    }
    expect(right.clockAheadMs()).toBe(0);
    expect(Math.abs(ahead.clockAheadMs() - HOUR_MS)).toBeLessThan(2_000);
    expect(await ahead.messagesAheadMs(Date.now() + HOUR_MS)).toBeLessThan(3_000);
    await database.empty();
  });
  test.each([
    ["late", 1],
    ["early", -1],
  ])("a clock is not taken to differ when an answer of the database is heard %s", async (_, sign) => {
    let reads = 0;
    // Each answer seems to take five seconds.
    const machineClock = () => Date.now() + (reads++ % 2 === (sign > 0 ? 1 : 0) ? sign * 5_000 : 0);
    const store = await openStore({
      url: database.url,
      onFatal: noFatal,
      searchPollMs: NEVER_MS,
      machineClock,
    });
    onTestFinished(() => store.close());
    for (let n = 0; n < 2; n++) {
      await store.write(async () => {});
      expect(store.clockAheadMs()).toBe(0);
    }
  });

  const opened: OpenedStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await database.empty();
  });

  async function openHere(url = database.url): Promise<OpenedStore> {
    const store = await open(url);
    opened.push(store);
    return store;
  }
  /** Runs this PL/pgSQL code at the next insert of a private message, and at no later one. */
  async function atNextInsert(code: string): Promise<void> {
    // A sequence is not rolled back.
    await database.query(`create sequence attempt;
      create function fail() returns trigger language plpgsql as $$
        begin if nextval('attempt') = 1 then ${code}; end if; return new; end $$;
      create trigger fail before insert on "message" for each statement execute function fail()`);
    onTestFinished(async () => {
      await database.query('drop trigger fail on "message"; drop function fail; drop sequence attempt');
    });
  }
  const contents = async (store: OpenedStore) =>
    (await store.listHistory("PRIVATE", 1, 2, { from: "after", id: 0, size: 99 })).map(
      ({ content }) => content,
    );

  test("two nodes that open a new database at the same time agree about its tables and epoch", async () => {
    const fresh = await createTestDatabase();
    const nodes = await Promise.all([open(fresh.url), open(fresh.url)]);
    expect(nodes[0].epoch).toBe(nodes[1].epoch);
    await Promise.all(nodes.map((node) => node.close()));
    await fresh.drop();
  });

  test("K17 ids are in the order of the commits over all nodes: whoever sees an id sees all before it", async () => {
    const nodes = [await openHere(), await openHere()];
    let isDone = false;
    const sends = nodes.flatMap((node, at) =>
      Array.from({ length: 4 }, async (_, sender) => {
        for (let n = 0; n < 25; n++) {
          await node.appendPrivate(newMessage(1 + sender, 9, { tmpId: `${at}-${n}` }));
        }
      }),
    );
    const all = Promise.all(sends).finally(() => (isDone = true));
    const gaps: unknown[] = [];
    for (let isLast = false; !isLast;) {
      isLast = isDone;
      const [row] = await database.query(
        `select count(*)::int as count, coalesce(max(id), 0)::int as newest from "message"`,
      );
      if (row?.["count"] !== row?.["newest"]) gaps.push(row);
      await sleep(1);
    }
    await all;
    expect(gaps).toEqual([]);
    const [row] = await database.query(`select max(id)::int as newest from "message"`);
    expect(row).toEqual({ newest: 200 });
  });

  test("a message whose tmpId was sent through another node is the one that is stored", async () => {
    const [a, b] = [await openHere(), await openHere()];
    const first = await a.appendPrivate(newMessage(1, 2, { tmpId: "t", content: "first" }));
    expect(await b.appendPrivate(newMessage(1, 2, { tmpId: "t", content: "again" }))).toEqual({
      row: first.row,
      isNew: false,
    });
  });

  test("a sender whom another node has removed from the group cannot send", async () => {
    const [a, b] = [await openHere(), await openHere()];
    const message = { ...newMessage(1, 0), sendRole: GroupRole.MEMBER, groupId: 1 };
    await a.write(async (tx) => {
      for (const name of ["owner", "member"]) await tx.insertUser(newUser(name));
      await tx.insertGroup(newGroup(1));
      for (const id of [1, 2]) await tx.upsertGroupMember(1, id, GroupRole.MEMBER, NOON);
    });
    expect(await b.appendGroup({ ...message, sendId: 2 })).toMatchObject({ isNew: true });
    await a.write((tx) => tx.endGroupStay(1, 2));
    const results = await Promise.all([2, 1].map((sendId) => b.appendGroup({ ...message, sendId })));
    expect(results).toEqual(["senderLeft", expect.objectContaining({ isNew: true })]);
    await a.write((tx) => tx.upsertGroupMember(1, 2, GroupRole.MEMBER, NOON));
    expect(await b.appendGroup({ ...message, sendId: 2 })).toMatchObject({ isNew: true });
  });

  test("a very long word is found by its beginning", async () => {
    const store = await openHere();
    const word = "x".repeat(5_000);
    await store.appendPrivate(newMessage(1, 2, { content: `${word}y` }));
    const find = async (text: string) =>
      (await store.searchMessages("PRIVATE", 1, { text, size: 9, totalMax: 9 })).rows.length;
    expect([await find("xx"), await find(word), await find(`${word}z`)]).toEqual([1, 1, 0]);
  });

  test("K13 a conflict that the database ends repeats messages, and rejects a write without running it twice", async () => {
    const store = await openHere();
    await atNextInsert("raise exception 'conflict' using errcode = '40001'");
    let runs = 0;
    const before = store.appendPrivate(newMessage(1, 2, { content: "before" }));
    const after = store.appendPrivate(newMessage(1, 2, { content: "after" }));
    await expect(before).resolves.toMatchObject({ isNew: true });
    await expect(after).resolves.toMatchObject({ isNew: true });
    expect(await contents(store)).toEqual(["before", "after"]);

    await database.query("alter sequence attempt restart");
    const write = store.write((tx) => {
      runs += 1;
      return tx.appendPrivate(newMessage(1, 2, { content: "written" }));
    });
    const last = store.appendPrivate(newMessage(1, 2, { content: "last" }));
    await expect(write).rejects.toThrow(StoreUnavailableError);
    await expect(write).rejects.toMatchObject({ reason: "busy" });
    await last;
    expect([runs, await contents(store)]).toEqual([1, ["before", "after", "last"]]);
  });

  test("K11 a connection that ends before the commit repeats messages, and later writes work", async () => {
    const store = await openHere();
    await atNextInsert("perform pg_terminate_backend(pg_backend_pid())");
    await store.appendPrivate(newMessage(1, 2, { content: "first" }));
    await database.query("alter sequence attempt restart");
    const write = store.write((tx) => tx.appendPrivate(newMessage(1, 2, { content: "written" })));
    await expect(write).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "unreachable" });
    await store.write((tx) => tx.appendPrivate(newMessage(1, 2, { content: "again" })));
    expect(await contents(store)).toEqual(["first", "again"]);
  });

  test.each([
    ["was done", "afterCommit", ["message", "written"]],
    ["was not done", "beforeCommit", ["message"]],
  ] as const)(
    "K11 a commit whose answer is lost and that %s: every write gets the answer that is true",
    async (_what, moment, expected) => {
      const proxy = await startLossyProxy(database.url);
      onTestFinished(() => proxy.close());
      const store = await openHere(proxy.url);
      await store.appendPrivate(newMessage(1, 2, { content: "connected" }));
      proxy.loseNext(moment);
      const [message, written] = await Promise.allSettled([
        store.appendPrivate(newMessage(1, 2, { content: "message", tmpId: "t" })),
        store.write((tx) => tx.appendPrivate(newMessage(1, 2, { content: "written" }))),
      ]);
      expect(proxy.losses()).toBe(1);
      expect(message).toMatchObject({ status: "fulfilled", value: { isNew: true } });
      expect(written.status).toBe(expected.length === 2 ? "fulfilled" : "rejected");
      expect(await contents(store)).toEqual(["connected", ...expected]);
    },
  );

  test("K13 a statement that takes too long fails alone", async () => {
    const store = await openHere(`${database.url}?statement_timeout=2000`);
    await atNextInsert("perform pg_sleep(60)");
    const write = store.write((tx) => tx.appendPrivate(newMessage(1, 2, { content: "slow" })));
    const other = store.write((tx) => tx.insertUser(newUser("fast")));
    await expect(write).rejects.toMatchObject({ code: "57014" });
    expect(await other).toMatchObject({ userName: "fast" });
  });

  test("writes are refused while another program keeps the lock for long, and work afterwards", async () => {
    const store = await openHere(`${database.url}?lock_timeout=50`);
    const write = () => store.write((tx) => tx.insertUser(newUser("someone")));
    await database.query(`select pg_advisory_lock(${WRITE_LOCK})`);
    await expect(write()).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "busy" });
    await database.query("select pg_advisory_unlock_all()");
    expect(required(await write()).userName).toBe("someone");
  });

  test("K12 a commit waits for the disk even if the database would not", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`alter database ${name} set synchronous_commit = off`);
    onTestFinished(
      async () => void (await database.query(`alter database ${name} reset synchronous_commit`)),
    );
    const store = await openHere();
    await atNextInsert(`raise exception '%', current_setting('synchronous_commit') using errcode = 'P0001'`);
    await expect(store.appendPrivate(newMessage(1, 2))).rejects.toThrow("on");
  });

  test("K12 the doctor finds a server that does not wait for its disk, and lists the files", async () => {
    const store = await openHere();
    await store.write((tx) => addFile(tx, { url: "/files/a", userId: null, bytes: 7, createdAt: NOON }));
    const { problems, files } = await checkPostgresIntegrity(database.url);
    expect(problems).toEqual(
      ["fsync", "full_page_writes"].map((name) => expect.stringContaining(`${name} = off`)),
    );
    expect(files).toEqual([{ url: "/files/a", bytes: 7, sha256: "00".repeat(32), isNamed: false }]);
  });

  test("a database that cannot be opened is refused with a sentence that has no password", async () => {
    const url = Object.assign(new URL(database.url), { pathname: "/nowhere", password: "very-secret" }).href;
    const opened = open(url);
    await expect(opened).rejects.toThrow(StoreUnusableError);
    await expect(opened).rejects.toThrow(/nowhere cannot be opened: .*does not exist/);
    await expect(opened).rejects.not.toThrow("very-secret");
    const nobody = open("postgres://parley@127.0.0.1:1/parley");
    await expect(nobody).rejects.toThrow("ECONNREFUSED");
  });

  test("a column that a server of the next version adds fails no read whose statement was prepared before, and one write", async () => {
    const fresh = await createTestDatabase();
    const store = await open(fresh.url);
    const { id } = required(await store.write((tx) => tx.insertUser(newUser("someone"))));
    const read = () => Promise.all(Array.from({ length: 20 }, () => store.findUser(id)));
    const readInWrite = () => store.write((tx) => tx.findUser(id));
    await read();
    await readInWrite();
    await fresh.query(`alter table "user" add column "later" text`);
    expect((await read()).map((user) => user?.userName)).toEqual(Array.from({ length: 20 }, () => "someone"));
    await expect(readInWrite()).rejects.toThrow(StoreUnavailableError);
    expect((await readInWrite())?.userName).toBe("someone");
    await store.close();
    await fresh.drop();
  });

  test("a database of a newer server is refused", async () => {
    const fresh = await createTestDatabase();
    await (await open(fresh.url)).close();
    await fresh.query("insert into kysely_migration values ('9999-later', '2099-01-01')");
    await expect(open(fresh.url)).rejects.toThrow(StoreUnusableError);
    await fresh.drop();
  });
});
