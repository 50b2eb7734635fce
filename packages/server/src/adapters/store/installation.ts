/** To which installation a database belongs. DATA_DIR has the same id, so that neither is used with what belongs to another one. */
import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { findMeta, setMeta } from "./meta.ts";
import type { Tables } from "./tables.ts";

const KEY = "installation";

/** What a database says of itself before anything is written to it. */
export interface FoundDatabase {
  /** Whether no server has used it yet. */
  isEmpty: boolean;
  /** Undefined if it has none yet. */
  installation: string | undefined;
}

/** What the owner of the data folder knows of the database that is opened. */
export interface ExpectedInstallation {
  /** Throws if the database is not the one that belongs to the folder. The message is a part of a sentence. */
  require(found: FoundDatabase): void;
  /** The id for a database that has none; undefined: a new one. */
  id: string | undefined;
}

/** Looks at a database. `hasTable` asks whether it has this table. */
export async function findDatabase(
  db: Kysely<Tables>,
  hasTable: (name: string) => Promise<boolean> | boolean,
): Promise<FoundDatabase> {
  const isEmpty = !(await hasTable("meta"));
  return { isEmpty, installation: isEmpty ? undefined : await findMeta(db, KEY) };
}

/** The id of the installation of this database, which has all tables; gives it one if it has none. */
export async function findOrMakeInstallation(
  db: Kysely<Tables>,
  expected: ExpectedInstallation | undefined,
): Promise<string> {
  const stored = await findMeta(db, KEY);
  if (stored !== undefined) return stored;
  const id = expected?.id ?? randomBytes(12).toString("base64url");
  await setMeta(db, KEY, id);
  return id;
}

/** Whether a PostgreSQL database has a table. */
export async function hasPostgresTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass(${`"${name}"`}) is not null as there`.execute(db);
  return rows[0]?.there === true;
}
