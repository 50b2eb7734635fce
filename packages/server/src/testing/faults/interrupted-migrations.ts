/**
 * Fault K33: the first start of a newer version is killed before each of its statements, happens twice, or in two processes at once.
 * The database must end with the tables of a fresh one, and with all that it held.
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { migrationsOf } from "../../adapters/store/migrations/migrate.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { sqliteSearchTable } from "../../adapters/store/sqlite-search.ts";
import type { Tables } from "../../adapters/store/tables.ts";
import type { Report } from "./report.ts";

const OPEN_STORE = fileURLToPath(new URL("../open-store-process.ts", import.meta.url));
const STEPS = migrationsOf("integer", sqliteSearchTable);
const NAMES = Object.keys(STEPS);
/** Statements of the two that open at once. */
const LOCKED = "StoreLockedError";

export interface InterruptedMigrationsOptions {
  dataDir: string;
  /** Every so many-th statement is one at which the process is killed. */
  every: number;
  /** Pairs of processes that open one database at once. */
  pairs: number;
  /** Planted: what else happens to a database whose migration was killed. */
  corrupt?(db: Database.Database): void;
}

export async function runInterruptedMigrations({
  dataDir,
  every,
  pairs,
  corrupt,
}: InterruptedMigrationsOptions): Promise<Report> {
  const violations: string[] = [];
  let kills = 0;
  let folders = 0;
  const make = async (steps: number): Promise<string> => {
    const folder = join(dataDir, `store-${folders++}`);
    await mkdir(folder, { recursive: true });
    const url = join(folder, "parley.sqlite");
    if (steps > 0) await createOldDatabase(url, steps);
    return url;
  };
  const fresh = await make(0);
  await openHere(fresh);
  const expected = schemaOf(fresh);
  const compare = (url: string, steps: number, how: string) => {
    const what = `from ${NAMES[steps - 1] ?? "nothing"}, ${how}`;
    if (schemaOf(url) !== expected) violations.push(`${what}: other tables than a fresh database`);
    if (steps > 0 && !hasKeptData(url)) violations.push(`${what}: lost what it held`);
  };

  for (let steps = 0; steps <= NAMES.length; steps++) {
    const statements = Number(await openElsewhere(await make(steps)));
    for (let stop = 1; stop <= statements; stop += every) {
      const url = await make(steps);
      const printed = await openElsewhere(url, stop);
      if (printed !== "") violations.push(`from step ${steps}: not killed at statement ${stop} (${printed})`);
      kills++;
      if (corrupt !== undefined) withFile(url, corrupt, false);
      await openHere(url);
      await openHere(url);
      compare(url, steps, `killed at statement ${stop} of ${statements}`);
    }
  }
  for (let pair = 0; pair < pairs; pair++) {
    const steps = pair % NAMES.length;
    const url = await make(steps);
    const ends = await Promise.all([openElsewhere(url), openElsewhere(url)]);
    const isOpened = (end: string) => Number(end) > 0;
    if (!ends.some(isOpened) || ends.some((end) => !isOpened(end) && end !== LOCKED)) {
      violations.push(`two at once from step ${steps} ended with ${ends.join(" and ")}`);
    }
    if (ends.some(isOpened)) compare(url, steps, "by two processes at once");
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
  const known = Object.fromEntries(Object.entries(STEPS).slice(0, steps));
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => known },
  }).migrateToLatest();
  if (error !== undefined) throw error;
  file.exec(
    `insert into "user" ("userName", "nickName", "userNameKey", "nickNameKey", "passwordHash", "isManualApprove", "registeredAt")
     values ('Ann', 'ann', 'ann', 'ann', 'hash', 0, 1)`,
  );
  await db.destroy();
}

function hasKeptData(url: string): boolean {
  return withFile(
    url,
    (db) => db.prepare(`select count(*) from "user" where "userName" = 'Ann'`).pluck().get() === 1,
  );
}

/** All tables and indexes, the names of the steps, and whether the file is whole. */
function schemaOf(url: string): string {
  return withFile(url, (db) => {
    const made = db.prepare("select type, name, tbl_name, sql from sqlite_master order by type, name").all();
    const steps = db.prepare("select name from kysely_migration order by name").all();
    const epochs = db.prepare("select count(*) from meta where key = 'epoch'").pluck().get();
    return JSON.stringify([made, steps, epochs, db.pragma("integrity_check", { simple: true })]);
  });
}

function withFile<T>(url: string, look: (db: Database.Database) => T, readonly = true): T {
  const db = new Database(url, { readonly });
  try {
    return look(db);
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

/** What the process printed. */
async function openElsewhere(url: string, stop?: number): Promise<string> {
  const args = [OPEN_STORE, url, ...(stop === undefined ? [] : [String(stop)])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  return text;
}
