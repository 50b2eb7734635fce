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
import { groupsPageQueries, idRangeQuery, peoplePageQueries } from "./admin-repository.ts";
import { openStore } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** The last page of 100,000 rows. */
const LAST_PAGE = { offset: 99_980, limit: 20 };
const PEOPLE = 100_000;

/** All queries of the lists of people and groups, with names. */
function queriesOf(db: Kysely<Tables>): [name: string, query: CompiledQuery][] {
  const queries: [string, CompiledQuery][] = (["user", "chatGroup"] as const).map((table) => [
    `a page of every ${table}`,
    idRangeQuery(db, table, PEOPLE, LAST_PAGE).compile(),
  ]);
  for (const state of PEOPLE_STATES) {
    for (const query of ["", "ann", "17"]) {
      // A page of everybody is a range of ids.
      if (state === "all" && query === "") continue;
      const { ids, total } = peoplePageQueries(db, query, state, LAST_PAGE);
      queries.push([`${state} people "${query}"`, ids.compile()]);
      queries.push([`the number of ${state} people "${query}"`, total.compile()]);
    }
  }
  const { ids, total } = groupsPageQueries(db, "ann", LAST_PAGE);
  return [...queries, ['groups "ann"', ids.compile()], ['the number of groups "ann"', total.compile()]];
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
