/**
 * Each migration that was released makes the same tables for ever: a server that applies it later must find what the others have. The files
 * in `released` say what that is. The first run with a new migration writes its files; they are committed with it and never change again.
 */
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, isPostgresMissing, POSTGRES } from "../../../testing/test-postgres.ts";
import { openStore } from "../open-store.ts";
import { CREATE_SQLITE_SEARCH } from "../sqlite-search.ts";
import type { Tables } from "../tables.ts";
import { migrationsOf } from "./migrate.ts";

const SQLITE = migrationsOf("integer", CREATE_SQLITE_SEARCH);
const NAMES = Object.keys(SQLITE);

/** The file that says what a migration makes, a line for each part. */
const released = (name: string, dialect: "sqlite" | "postgres") => `released/${name}.${dialect}.txt`;
const linesOf = (parts: readonly string[]) => `${parts.join("\n")}\n`;

describe("SQLite", () => {
  test.each(NAMES)("%s makes the tables, indexes and triggers that it was released with", async (name) => {
    const file = new Database(":memory:");
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
    onTestFinished(() => db.destroy());
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => SQLITE },
    }).migrateTo(name);
    expect(error).toBeUndefined();
    const statements = file
      .prepare("select sql from sqlite_master where sql is not null order by type, name")
      .pluck()
      .all() as string[];
    const parts = statements.map((statement) => statement.replaceAll(/\s+/g, " "));
    await expect(linesOf(parts)).toMatchFileSnapshot(released(name, "sqlite"));
  });
});

const POSTGRES_SCHEMA = `
  select table_name || '.' || column_name || ' ' || data_type ||
      case is_nullable when 'NO' then ' not null' else '' end || coalesce(' default ' || column_default, '') as line
    from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`;

describe.skipIf(isPostgresMissing)(POSTGRES, () => {
  test("the newest migration ends with the columns, indexes, references and triggers that it was released with", async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await (
      await openStore({
        url: database.url,
        onFatal: (error) => {
          throw error;
        },
      })
    ).close();
    const lines = (await database.query(POSTGRES_SCHEMA)).map(({ line }) => String(line));
    // Sorted here, because databases compare texts by different rules.
    await expect(linesOf(lines.toSorted())).toMatchFileSnapshot(released(NAMES.at(-1) ?? "", "postgres"));
  });
});
