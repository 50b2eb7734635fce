/** Databases for tests in the PostgreSQL server that all test files share. */
import { readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { findPostgres } from "./postgres-cluster.ts";
import { ADDRESS, PROBLEM, WANTED } from "./postgres-setup.ts";
import { runSql } from "./run-sql.ts";

const POLL_MS = 20;

const folder: string | undefined = inject("postgresFolder");

/** Whether tests on PostgreSQL are skipped: this machine has none, or the run, such as one of `tools/mutation`, has no `postgres-setup.ts`. */
export const isPostgresMissing = folder === undefined || findPostgres() === undefined;

/** What the title of a group of tests says of PostgreSQL. */
export const POSTGRES = isPostgresMissing ? "PostgreSQL (skipped, not available)" : "PostgreSQL";

/** An empty database. */
export interface TestDatabase {
  url: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Deletes the rows of all tables, which is much faster than another database. Nothing may use the database at that time. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await sharedServer();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runSql(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString: url });
  // The server may be stopped before the client.
  client.on("error", () => undefined);
  await client.connect();
  let deletion: string | undefined;
  return {
    url,
    query: async (sql) => (await client.query(sql)).rows as Record<string, unknown>[],
    async empty() {
      deletion ??= await deletionOfAll(client);
      if (deletion !== undefined) await client.query(deletion);
    },
    async drop() {
      await client.end();
      await runSql(server, `drop database ${name} with (force)`);
    },
  };
}

/** Undefined before the tables are created. */
async function deletionOfAll(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
  const tables = (rows as { tablename: string }[]).map(({ tablename }) => tablename);
  const deletions = tables
    .filter((table) => !table.startsWith("kysely_"))
    .map((table) => `delete from "${table}"`);
  if (tables.length === 0) return undefined;
  // References between rows do not matter when all of them go.
  return ["set session_replication_role = replica", ...deletions].join(";");
}

/** The URL of the server's database `postgres`. */
async function sharedServer(): Promise<string> {
  if (folder === undefined) throw new Error("this run of tests does not use postgres-setup.ts");
  await writeFile(join(folder, WANTED), "");
  while (!existsSync(join(folder, ADDRESS))) {
    if (existsSync(join(folder, PROBLEM))) throw new Error(await readFile(join(folder, PROBLEM), "utf8"));
    await sleep(POLL_MS);
  }
  return readFile(join(folder, ADDRESS), "utf8");
}
