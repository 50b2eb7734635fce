import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { newMessage, newUser } from "../../testing/contracts/store-fixtures.ts";
import { startLossyProxy } from "../../testing/lossy-proxy.ts";
import { plantTrigger } from "../../testing/planted-trigger.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../../testing/test-postgres.ts";
import { type ComparedTable, copyToPostgres } from "./copy-to-postgres.ts";
import { openStore } from "./open-store.ts";
import { StoreCopyError, StoreUnusableError } from "./store-errors.ts";

const failOnFatal = (error: Error): never => {
  throw error;
};
const open = (url: string) => openStore({ url, onFatal: failOnFatal });

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  /** Whether rules between rows depend on it. */
  isKey: boolean;
}

/** Texts that a step on the way may change: separators and null of PostgreSQL's arrays, escapes, empty, not in the basic plane. */
const TEXTS = [
  "",
  "null",
  "NULL",
  '{"a",b}',
  "\\",
  '\\"\\x41\\u0000',
  "'; --",
  "a\r\n\tb ",
  "é e\u0301 \u{20BB7}\u{1F469}\u200D\u{1F680}\uFFFD\uFEFF",
  "\u0001\u007F\u0085\u2028",
  "长".repeat(30_000),
];
const NUMBERS = [0, -1, 1, 2_147_483_647, -2_147_483_648];
const LARGE_NUMBERS = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1_700_000_000_000];

/** Fills every table with as many rows as there are unusual texts. Keys and references are 1, 2, ... or texts with these numbers. */
function fillAllTables(path: string): Map<string, Column[]> {
  const db = new Database(path);
  // The rows of a table may come before those that they refer to.
  db.pragma("foreign_keys = OFF");
  const tables = new Map<string, Column[]>();
  const names = db
    .prepare(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'",
    )
    .pluck()
    .all() as string[];
  for (const name of names) {
    if (name.startsWith("kysely_")) continue;
    const columns = columnsOf(db, name);
    tables.set(name, columns);
    const insert = db.prepare(
      `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join()}) values (${columns.map(() => "?").join()})`,
    );
    for (let n = 1; n <= TEXTS.length; n++) insert.run(columns.map((column) => valueOf(column, n)));
  }
  expect(db.pragma("foreign_key_check")).toEqual([]);
  db.close();
  return tables;
}

function columnsOf(db: Database.Database, table: string): Column[] {
  const keys = new Set(db.prepare('select "from" from pragma_foreign_key_list(?)').pluck().all(table));
  for (const index of db.prepare('select name from pragma_index_list(?) where "unique"').pluck().all(table))
    for (const column of db.prepare("select name from pragma_index_info(?)").pluck().all(index))
      keys.add(column);
  const rows = db.prepare("select * from pragma_table_info(?)").all(table) as {
    name: string;
    type: string;
    notnull: number;
    pk: number;
  }[];
  return rows.map(({ name, type, notnull, pk }) => ({
    name,
    type: type.toLowerCase(),
    isRequired: notnull === 1,
    isKey: pk > 0 || keys.has(name),
  }));
}

function valueOf({ name, type, isRequired, isKey }: Column, n: number): string | number | null {
  if (isKey) return type === "text" ? `key ${n}` : n;
  if (!isRequired && n % 3 === 0) return null;
  if (type === "text") return TEXTS[(n + name.length) % TEXTS.length] ?? "";
  // What the primary keys are is called integer in SQLite; other columns of this type have 32 bits in PostgreSQL.
  const numbers = type === "bigint" ? [...NUMBERS, ...LARGE_NUMBERS] : NUMBERS;
  return numbers[(n + name.length) % numbers.length] ?? 0;
}

describe.skipIf(isPostgresMissing)(`copying SQLite to ${POSTGRES}`, () => {
  let path: string;
  let target: TestDatabase;
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-copy-"));
    path = join(folder, "parley.sqlite");
    target = await createTestDatabase();
    onTestFinished(async () => {
      await target.drop();
      await rm(folder, { recursive: true, force: true });
    });
    await (await open(path)).close();
  });

  async function copy(url = target.url): Promise<{ isSame: boolean; tables: ComparedTable[] }> {
    const tables: ComparedTable[] = [];
    const isSame = await copyToPostgres({
      path,
      url,
      onStart: () => undefined,
      onTable: (table) => tables.push(table),
    });
    return { isSame, tables };
  }
  function change(sql: string, ...values: unknown[]): void {
    const db = new Database(path);
    db.prepare(sql).run(...values);
    db.close();
  }
  const relations = async () =>
    (await target.query("select relname from pg_class where relnamespace = 'public'::regnamespace")).length;

  test("every table of the schema arrives, with values that a way between two databases may change", async () => {
    const tables = fillAllTables(path);
    const result = await copy();
    expect(result.isSame).toBe(true);
    expect(result.tables.map(({ name }) => name).toSorted()).toEqual([...tables.keys()].toSorted());
    const db = new Database(path, { readonly: true });
    onTestFinished(() => void db.close());
    for (const [name, columns] of tables) {
      const sorted = (rows: Record<string, unknown>[]) =>
        rows
          .map((row) => JSON.stringify(columns.map((column) => row[column.name])))
          .filter((row) => !/earchIndexedUpTo|movedTo/.test(row))
          .toSorted();
      const list = columns.map(({ name: column, type }) =>
        type === "text" ? `"${column}"` : `"${column}"::float8`,
      );
      const copied = sorted(
        await target.query(
          `select ${list.map((item, at) => `${item} as "${columns[at]?.name}"`).join()} from "${name}"`,
        ),
      );
      expect(copied.length, name).toBeGreaterThanOrEqual(TEXTS.length);
      expect(copied, name).toEqual(
        sorted(db.prepare(`select * from "${name}"`).all() as Record<string, unknown>[]),
      );
    }
  });

  test("more rows than are in memory at once arrive, each once", async () => {
    const store = await open(path);
    await Promise.all(
      Array.from({ length: 2_500 }, (_, n) => store.appendPrivate(newMessage(1, 2, { content: `${n}` }))),
    );
    await store.close();
    const { isSame, tables } = await copy();
    expect(isSame).toBe(true);
    expect(tables.find(({ name }) => name === "message")?.copy.count).toBe(2_500);
    const [row] = await target.query(
      `select count(distinct content)::int as texts, max(id)::int as newest from "message"`,
    );
    expect(row).toEqual({ texts: 2_500, newest: 2_500 });
  });

  test("the search index is whole, and the same that a server would fill", async () => {
    const store = await open(path);
    const texts = ["今天下午三点", "one two", "x".repeat(5_000), "", "...", "it's a \\ 'quote'", "damaged"];
    for (let n = 0; n < 600; n++) {
      const content = `${texts[n % texts.length]} ${n % 5 === 0 ? n : ""}`.trim();
      await store.appendPrivate(
        newMessage(1, 2, { content, type: n % texts.length === 6 ? MessageType.FILE : 0 }),
      );
      const inGroup = { ...newMessage(1, 0, { content }), groupId: 1, sendRole: GroupRole.MEMBER };
      if (n % 3 === 0) await store.appendGroup(inGroup);
    }
    await store.close();
    expect((await copy()).isSame).toBe(true);
    const definitions = `select indexdef from pg_indexes where tablename = 'messageSearch' order by indexname`;
    const indexed = async () => ({
      terms: await target.query(`select id, terms::text from "messageSearch" order by id`),
      upTo: await target.query(`select value from meta where key = 'searchIndexedUpTo'`),
      indexes: await target.query(definitions),
    });
    const made = await indexed();
    // More than one batch.
    expect(made.terms.length).toBeGreaterThan(256);
    expect(made.upTo).toEqual([{ value: "800" }]);
    await target.query(`delete from "messageSearch"; delete from meta where key = 'searchIndexedUpTo'`);
    const fillingStore = await open(target.url);
    await fillingStore.indexMessages();
    await fillingStore.close();
    expect(made).toEqual(await indexed());
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    await (await open(fresh.url)).close();
    expect(made.indexes).toEqual(await fresh.query(definitions));
  });

  test("the copy is planned for its rows from the first query on", async () => {
    fillAllTables(path);
    await copy();
    const [row] = await target.query(`select reltuples::int as rows from pg_class where relname = 'user'`);
    expect(row).toEqual({ rows: TEXTS.length });
  });

  test.each([
    ["another value", "user", `new.signature := coalesce(new.signature, '') || ' '; return new`],
    ["an empty text in place of null", "user", `new.signature := coalesce(new.signature, ''); return new`],
    ["a missing row", "message", `if new.id = 3 then return null; end if; return new`],
    [
      "an additional row in another table",
      "userState",
      `if new."userId" = 1 then insert into "inviteCode" values ('planted', 1, null); end if; return new`,
    ],
  ])("%s is found, and nothing is kept", async (what, table, code) => {
    fillAllTables(path);
    const trigger = await plantTrigger(target, table, code);
    const { isSame, tables } = await copy();
    expect(isSame).toBe(false);
    const differing = tables.filter((compared) => !compared.isSame).map(({ name }) => name);
    expect(differing).toEqual([what.includes("another table") ? "inviteCode" : table]);
    expect(await relations()).toBe(0);
    await trigger.remove();
    expect((await copy()).isSame).toBe(true);
  });

  test("a database that is not empty is refused and stays as it is", async () => {
    await target.query("create table notes (id int); insert into notes values (7)");
    await expect(copy()).rejects.toThrow(/^The database postgres:\/\/[^@]+ is not empty, it has notes;/);
    expect(await target.query("select * from notes")).toEqual([{ id: 7 }]);
    await target.query("drop table notes");
    expect((await copy()).isSame).toBe(true);
    await expect(copy()).rejects.toThrow(StoreCopyError);
  });

  test("what an extension has put into the database does not count", async () => {
    // Of all extensions only this one is always there; the view belongs to it as those of others do.
    await target.query("create view counters as select 1 as one; alter extension plpgsql add view counters");
    expect((await copy()).isSame).toBe(true);
  });

  test("a copy waits for no other one: the second is refused", async () => {
    fillAllTables(path);
    const trigger = await plantTrigger(target, "user", "perform pg_advisory_xact_lock(1); return new");
    await target.query("select pg_advisory_lock(1)");
    const first = copy();
    await trigger.waitUntilBlocked();
    await expect(copy(`${target.url}?lock_timeout=50`)).rejects.toThrow(
      /is in use by a server or another copy\.$/,
    );
    await target.query("select pg_advisory_unlock(1)");
    expect((await first).isSame).toBe(true);
  });

  test("a connection that is lost in the middle leaves nothing", async () => {
    fillAllTables(path);
    const trigger = await plantTrigger(
      target,
      "user",
      "perform pg_terminate_backend(pg_backend_pid()); return new",
    );
    await expect(copy()).rejects.toThrow(
      /failed and left nothing there: the connection to the database is lost/,
    );
    expect(await relations()).toBe(0);
    await trigger.remove();
    expect((await copy()).isSame).toBe(true);
  });

  test("a commit whose answer is lost and that was done is a copy; one that was not done left nothing", async () => {
    fillAllTables(path);
    const proxy = await startLossyProxy(target.url);
    onTestFinished(() => proxy.close());
    proxy.loseNext("beforeCommit");
    await expect(copy(proxy.url)).rejects.toThrow(
      /failed and left nothing there: the transaction was not committed\.$/,
    );
    expect([proxy.losses(), await relations()]).toEqual([1, 0]);
    proxy.loseNext("afterCommit");
    expect((await copy(proxy.url)).isSame).toBe(true);
    expect(proxy.losses()).toBe(2);
    expect(await target.query(`select count(*)::int as count from "user"`)).toEqual([
      { count: TEXTS.length },
    ]);
  });

  test("a text with NUL is refused with its place and without its content", async () => {
    const store = await open(path);
    await store.write((tx) => tx.insertUser(newUser("ann")));
    await store.close();
    change(`update "user" set signature = ?`, "secret\0text");
    await expect(copy()).rejects.toThrow(
      /^user, rowid 1: signature has the character NUL, which PostgreSQL cannot store; correct that row first\.$/,
    );
    expect(await relations()).toBe(0);
  });

  test.each([
    ["a number that the server cannot read", "9007199254740993", /^user, rowid 1: sex is a number too large/],
    [
      "a number that the column does not take",
      "3000000000",
      /^PostgreSQL does not take a row of user between the rowids 1 and 1 \(error 22003\)/,
    ],
    [
      "a text in the place of a number",
      "'secret'",
      /^PostgreSQL does not take a row of user .* \(error 22P02\)/,
    ],
  ])("%s is refused without its value", async (_what, value, sentence) => {
    const store = await open(path);
    await store.write((tx) => tx.insertUser(newUser("ann")));
    await store.close();
    change(`update "user" set sex = ${value}`);
    await expect(copy()).rejects.toThrow(sentence);
    await expect(copy()).rejects.not.toThrow("secret");
    expect(await relations()).toBe(0);
  });

  test.each([
    [
      "an older",
      `delete from kysely_migration where name = '0001-first-release'`,
      /older version; start this version/,
    ],
    [
      "an unreleased",
      `update kysely_migration set name = '0001-start' where name = '0001-first-release'`,
      /from before 0\.1\.0, whose data no release reads/,
    ],
    [
      "a newer",
      `insert into kysely_migration values ('9999-later', '2099-01-01')`,
      /newer version; copy with that/,
    ],
  ])("a database of %s version is refused", async (_which, sql, sentence) => {
    change(sql);
    await expect(copy()).rejects.toThrow(StoreCopyError);
    await expect(copy()).rejects.toThrow(sentence);
  });

  test("what is no database of Parley is refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-copy-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    path = join(folder, "parley.sqlite");
    await expect(copy()).rejects.toThrow(/^There is no database /);
    expect(await readdir(folder)).toEqual([]);
    new Database(path).exec("create table line (id integer)").close();
    await expect(copy()).rejects.toThrow(/is no database of Parley\.$/);
  });

  test("a target that cannot be reached is named without its password", async () => {
    const url = Object.assign(new URL(target.url), { pathname: "/nowhere", password: "very-secret" }).href;
    await expect(copy(url)).rejects.toThrow(StoreUnusableError);
    await expect(copy(url)).rejects.toThrow(/nowhere cannot be opened: .*does not exist/);
    await expect(copy(url)).rejects.not.toThrow("very-secret");
  });

  test("a stopped server's epoch is kept; a running server's copy gets another", async () => {
    const store = await open(path);
    const epochOf = async () =>
      (await target.query(`select value from meta where key = 'epoch'`))[0]?.["value"];
    expect((await copy()).isSame).toBe(true);
    const copied = await epochOf();
    expect(copied).toMatch(/^[\w-]{16}$/);
    expect(copied).not.toBe(store.epoch);
    await store.close();
    await target.query("drop schema public cascade; create schema public");
    expect((await copy()).isSame).toBe(true);
    expect(await epochOf()).toBe(store.epoch);
  });

  test("no server can start on the source while it is copied", async () => {
    fillAllTables(path);
    const trigger = await plantTrigger(target, "user", "perform pg_advisory_xact_lock(1); return new");
    await target.query("select pg_advisory_lock(1)");
    const running = copy();
    await trigger.waitUntilBlocked();
    await expect(open(path)).rejects.toThrow("is in use by another Parley server");
    await target.query("select pg_advisory_unlock(1)");
    expect((await running).isSame).toBe(true);
    await expect(open(path)).rejects.toThrow("it was copied to");
  });
});
