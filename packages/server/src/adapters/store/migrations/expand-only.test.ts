/** During a rolling restart, servers of the version before use the tables that the new version has migrated. */
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEARCH_TABLE } from "../search-index.ts";
import { CREATE_SQLITE_SEARCH } from "../sqlite-search.ts";
import type { Tables } from "../tables.ts";
import { migrationsOf } from "./migrate.ts";

/** Tables and columns, such as "user" and "user.color", that are dropped because no code of the version before uses them any more. */
const UNUSED_BEFORE: readonly string[] = [];

const REMEDY =
  "A server of the version before needs these tables and columns as they were. Add a column, nullable or with a default, instead of changing one; drop one a version after its last use, and name it in UNUSED_BEFORE (CONTRIBUTING.md, a change of the schema).";

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
}

let file: Database.Database;
let db: Kysely<Tables>;
beforeAll(() => {
  file = new Database(":memory:");
  db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
});
afterAll(() => db.destroy());

function tables(): Map<string, Map<string, Column>> {
  const names = file
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  // No server of the version before may run while a migration replaces an index.
  const own = names.filter((name) => !name.startsWith(SEARCH_TABLE));
  return new Map(
    own.map((name) => {
      const columns = file.prepare("select * from pragma_table_info(?)").all(name) as Column[];
      return [name, new Map(columns.map((column) => [column.name, column]))];
    }),
  );
}

/** What a server of the version before could not use any more. */
function problems(before: ReturnType<typeof tables>, after: ReturnType<typeof tables>): string[] {
  return [...before].flatMap(([table, columns]) => {
    const now = after.get(table);
    if (now === undefined) return [table];
    const gone = [...columns].flatMap(([name, { type, notnull }]) => {
      const column = now.get(name);
      return column?.type === type && column.notnull <= notnull ? [] : [`${table}.${name}`];
    });
    const required = [...now.values()].filter(
      ({ name, notnull, dflt_value: value }) => !columns.has(name) && notnull === 1 && value === null,
    );
    return [...gone, ...required.map(({ name }) => `${table}.${name}`)];
  });
}

const migrations = migrationsOf("integer", CREATE_SQLITE_SEARCH);

test.each(Object.keys(migrations))(
  "after %s, a server of the version before finds its tables and columns, and can insert without new ones",
  async (name) => {
    const before = tables();
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    expect((await migrator.migrateTo(name)).error).toBeUndefined();
    const broken = problems(before, tables()).filter((used) => !UNUSED_BEFORE.includes(used));
    expect(broken, REMEDY).toEqual([]);
  },
);

test("a planted migration that renames a column or needs a new one is noticed", () => {
  const column = (name: string): [string, Column] => [
    name,
    { name, type: "text", notnull: 1, dflt_value: null },
  ];
  const table = (...names: string[]) => new Map([["user", new Map(names.map(column))]]);
  expect(problems(table("name"), table("title"))).toEqual(["user.name", "user.title"]);
  expect(problems(table("name"), new Map())).toEqual(["user"]);
});
