/**
 * Fault K33: the first start of a newer version is killed before each of its statements, repeated, or done by two processes at once.
 * The database must end with the tables of a new one and with all its data.
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { migrationsOf } from "@parley/server/adapters/store/migrations/migrate";
import { openStore } from "@parley/server/adapters/store/open-store";
import { CREATE_SQLITE_SEARCH } from "@parley/server/adapters/store/sqlite-search";
import type { Tables } from "@parley/server/adapters/store/tables";
import type { Report } from "./report.ts";

const OPEN_STORE = fileURLToPath(new URL("../open-store-process.ts", import.meta.url));
const STEPS = migrationsOf("integer", CREATE_SQLITE_SEARCH);
const NAMES = Object.keys(STEPS);
/** The error of the process that comes second when two open a database at once. */
const LOCKED = "StoreLockedError";

/** How often the migrations are killed. */
export interface InterruptedMigrationsOptions {
  dataDir: string;
  /** The process is killed at every n-th statement. */
  every: number;
  /** How many pairs of processes open one database at once. */
  pairs: number;
  /** For planted faults: changes a database after its migration was killed. */
  corrupt?(db: Database.Database): void;
}

/** Runs the battery. */
export async function runInterruptedMigrations({
  dataDir,
  every,
  pairs,
  corrupt,
}: InterruptedMigrationsOptions): Promise<Report> {
  const violations: string[] = [];
  let kills = 0;
  let folders = 0;
  const createDatabase = async (steps: number): Promise<string> => {
    const folder = join(dataDir, `store-${folders++}`);
    await mkdir(folder, { recursive: true });
    const url = join(folder, "parley.sqlite");
    if (steps > 0) await createOldDatabase(url, steps);
    return url;
  };
  const fresh = await createDatabase(0);
  await openHere(fresh);
  const expected = schemaOf(fresh);
  const compare = (url: string, steps: number, how: string) => {
    const what = `from ${NAMES[steps - 1] ?? "nothing"}, ${how}`;
    if (schemaOf(url) !== expected) violations.push(`${what}: other tables than a new database`);
    if (steps > 0 && !hasKeptData(url)) violations.push(`${what}: the data is lost`);
  };

  for (let steps = 0; steps <= NAMES.length; steps++) {
    const statements = Number(await openInProcess(await createDatabase(steps)));
    for (let killBefore = 1; killBefore <= statements; killBefore += every) {
      const url = await createDatabase(steps);
      const printed = await openInProcess(url, killBefore);
      if (printed !== "")
        violations.push(`from step ${steps}: not killed at statement ${killBefore} (${printed})`);
      kills++;
      if (corrupt !== undefined) withDatabase(url, corrupt, false);
      await openHere(url);
      await openHere(url);
      compare(url, steps, `killed at statement ${killBefore} of ${statements}`);
    }
  }
  for (let pair = 0; pair < pairs; pair++) {
    const steps = pair % NAMES.length;
    const url = await createDatabase(steps);
    const outputs = await Promise.all([openInProcess(url), openInProcess(url)]);
    const isOpened = (output: string) => Number(output) > 0;
    if (!outputs.some(isOpened) || outputs.some((output) => !isOpened(output) && output !== LOCKED)) {
      violations.push(`two at once from step ${steps} ended with ${outputs.join(" and ")}`);
    }
    if (outputs.some(isOpened)) compare(url, steps, "by two processes at once");
  }
  return {
    name: "K33 migrations killed",
    done: `${NAMES.length} versions, ${kills} kills, ${pairs} pairs at once`,
    violations,
  };
}

/** A database as an earlier version left it, with a person in it. */
async function createOldDatabase(url: string, steps: number): Promise<void> {
  const file = new Database(url);
  file.pragma("journal_mode = WAL");
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
  const migrations = Object.fromEntries(Object.entries(STEPS).slice(0, steps));
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error !== undefined) throw error;
  file.exec(
    `insert into "user" ("userName", "nickName", "userNameKey", "nickNameKey", "passwordHash", "isManualApprove", "findableBy", "isAdmin", "registeredAt")
     values ('Ann', 'ann', 'ann', 'ann', 'hash', 0, 1, 0, 1)`,
  );
  await db.destroy();
}

function hasKeptData(url: string): boolean {
  return withDatabase(
    url,
    (db) => db.prepare(`select count(*) from "user" where "userName" = 'Ann'`).pluck().get() === 1,
  );
}

/** All tables and indexes, the names of the migrations, the number of epochs, and the result of the integrity check. */
function schemaOf(url: string): string {
  return withDatabase(url, (db) => {
    const objects = db
      .prepare("select type, name, tbl_name, sql from sqlite_master order by type, name")
      .all();
    const steps = db.prepare("select name from kysely_migration order by name").all();
    const epochs = db.prepare("select count(*) from meta where key = 'epoch'").pluck().get();
    return JSON.stringify([objects, steps, epochs, db.pragma("integrity_check", { simple: true })]);
  });
}

function withDatabase<T>(url: string, use: (db: Database.Database) => T, readonly = true): T {
  const db = new Database(url, { readonly });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

async function openHere(url: string): Promise<void> {
  const store = await openStore({
    url,
    onFatal: (error) => {
      throw error;
    },
  });
  await store.close();
}

/** Opens the database in another process and returns what it printed. `killBefore`: the statement at which it kills itself. */
async function openInProcess(url: string, killBefore?: number): Promise<string> {
  const args = [OPEN_STORE, url, ...(killBefore === undefined ? [] : [String(killBefore)])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  return text;
}
