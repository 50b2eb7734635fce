import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PEOPLE_STATES } from "@parley/protocol/admin-entities";
import { runSql } from "../../testing/run-sql.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../../testing/test-postgres.ts";
import { filteredPageQueries, idRangeQuery, matchingIdsQuery, statePageQueries } from "./admin-repository.ts";
import { openStore } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** The last page of 100,000 rows. */
const LAST_PAGE = { offset: 99_980, limit: 20 };
const PEOPLE = 100_000;
const NEW_USER = {
  passwordHash: "x",
  headImage: null,
  headImageThumb: null,
  registeredAt: 1,
  registerDevice: null,
};

/** All queries of the lists of people and groups that find few rows, with names. */
function queriesOf(db: Kysely<Tables>): [name: string, query: CompiledQuery][] {
  const tables = ["user", "chatGroup"] as const;
  const queries = tables.flatMap((table): [string, CompiledQuery][] => [
    [`a page of every ${table}`, idRangeQuery(db, table, PEOPLE, LAST_PAGE).compile()],
    [`${table} "ann"`, matchingIdsQuery(db, table, "ann").compile()],
    [`${table} "17"`, matchingIdsQuery(db, table, "17").compile()],
  ]);
  for (const state of PEOPLE_STATES) {
    if (state === "all") continue;
    for (const query of ["", "ann", "17"]) {
      const { ids, total } = statePageQueries(db, query, state, LAST_PAGE);
      queries.push([`${state} people "${query}"`, ids.compile()]);
      queries.push([`the number of ${state} people "${query}"`, total.compile()]);
    }
  }
  return queries;
}

describe("pages of people and groups, in SQLite", () => {
  let folder: string;
  let raw: Database.Database;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-pages-"));
    const url = join(folder, "parley.sqlite");
    await (await openStore({ url, onFatal: () => undefined })).close();
    raw = new Database(url);
    db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) });
  });
  afterAll(async () => {
    raw.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("read no table from its beginning", () => {
    for (const [name, { sql, parameters }] of queriesOf(db)) {
      const rows = raw.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      const plan = rows.map(({ detail }) => detail);
      const scans = plan.filter((step) =>
        /^SCAN (user|chatGroup)\b(?! USING (COVERING )?INDEX user[A-Z])/.test(step),
      );
      expect([name, scans]).toEqual([name, []]);
      expect([name, plan.some((step) => step.includes(" USING "))]).toEqual([name, true]);
    }
  });

  test("that match most rows are read in the order in which they are shown, without sorting", () => {
    for (const table of ["user", "chatGroup"] as const) {
      const { sql, parameters } = filteredPageQueries(db, table, "a", LAST_PAGE).ids.compile();
      const rows = raw.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      expect(rows.map(({ detail }) => detail)).toEqual([`SCAN ${table}`]);
    }
  });

  test("have the same rows whether few or most of them match", async () => {
    const url = join(folder, "many.sqlite");
    const store = await openStore({ url, onFatal: () => undefined });
    await store.write(async (tx) => {
      for (let number = 0; number < 2_100; number++) {
        await tx.insertUser({
          ...NEW_USER,
          userName: `user${number}`,
          nickName: number % 2 === 0 ? `Even ${number}` : `odd ${number}`,
        });
      }
    });
    const page = async (query: string, offset: number) => {
      const { total, rows } = await store.listPeoplePage(query, "all", { offset, limit: 2 });
      return [total, ...rows.map(({ nickName }) => nickName)];
    };
    // All of them, by the user name.
    expect(await page("USER", 0)).toEqual([2_100, "odd 2099", "Even 2098"]);
    expect(await page("user", 2_098)).toEqual([2_100, "odd 1", "Even 0"]);
    // Half of them, by the nickname.
    expect(await page("even", 0)).toEqual([1_050, "Even 2098", "Even 2096"]);
    expect(await page("even", 1_049)).toEqual([1_050, "Even 0"]);
    expect(await page("17", 0)).toEqual([1, "Even 16"]);
    await store.close();
  });

  test("the audit log refuses changes and deletions of its rows", async () => {
    raw.exec(`insert into "adminAudit" values (1, 1, null, 'banPerson', 0, null, null, null, null, 'done')`);
    for (const change of [`update "adminAudit" set "outcome" = 'x'`, `delete from "adminAudit"`])
      expect(() => raw.exec(change)).toThrow("the audit log cannot be changed");
    expect(raw.prepare(`select "outcome" from "adminAudit"`).all()).toEqual([{ outcome: "done" }]);
  });
});

describe.skipIf(isPostgresMissing)(`pages of people and groups, in ${POSTGRES}`, () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    await (await openStore({ url: database.url, onFatal: () => undefined })).close();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  test("can be read by indexes alone", async () => {
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    // The database reads small tables as a whole if it may.
    await pool.query("set enable_seqscan = off");
    for (const [name, { sql, parameters }] of queriesOf(db)) {
      const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${sql}`, [...parameters]);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect([name, plan]).not.toEqual([name, expect.stringMatching(/Seq Scan on/)]);
      expect([name, plan]).toEqual([name, expect.stringMatching(/Index/)]);
    }
  });

  test("the audit log refuses changes and deletions of its rows", async () => {
    await runSql(
      database.url,
      `insert into "adminAudit" values (1, 1, null, 'banPerson', 0, null, null, null, null, 'done')`,
    );
    const changes = [
      `update "adminAudit" set "outcome" = 'x'`,
      `delete from "adminAudit"`,
      `truncate "adminAudit"`,
    ];
    for (const change of changes)
      await expect(runSql(database.url, change)).rejects.toThrow("the audit log cannot be changed");
  });
});
