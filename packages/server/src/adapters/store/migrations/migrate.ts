import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Tables } from "../tables.ts";
import { createFirstTables, type IdType } from "./first-tables.ts";
import { laterChanges } from "./later-changes.ts";

/** All migrations by name, in order; `createSearch` are the statements of the dialect for the search index. Each is applied once to every database, so that one that was released never changes. */
export function migrationsOf(idType: IdType, createSearch: readonly string[]): Record<string, Migration> {
  const later = Object.entries(laterChanges(idType)).map(([name, statements]) => [
    name,
    {
      async up(db: Kysely<Tables>) {
        for (const statement of statements) await sql.raw(statement).execute(db);
      },
    },
  ]);
  return {
    "0001-first-release": {
      up: (db: Kysely<Tables>) => createFirstTables(db, idType, createSearch),
    },
    ...Object.fromEntries(later),
  };
}

/**
 * Brings the tables up to date. Throws when a migration fails, or when another version has created the database whose changes this one does
 * not know. `isInTransaction` says that the caller has begun a transaction, to which all of it then belongs.
 */
export async function migrate(
  db: Kysely<Tables>,
  idType: IdType,
  createSearch: readonly string[],
  isInTransaction = false,
): Promise<void> {
  const migrator = new Migrator({
    db,
    disableTransactions: isInTransaction,
    provider: { getMigrations: async () => migrationsOf(idType, createSearch) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw otherVersionOf(error) ?? error;
}

/** What the library calls corrupted: a change of the tables that this version does not have. */
const UNKNOWN_CHANGE = /previously executed migration (\S+) is missing/;

/** The first change of the tables of versions before 0.1.0. */
export const UNRELEASED_MIGRATION = "0001-start";

function otherVersionOf(error: unknown): Error | undefined {
  const [, name] = UNKNOWN_CHANGE.exec(error instanceof Error ? error.message : "") ?? [];
  if (name === undefined) return undefined;
  if (name === UNRELEASED_MIGRATION)
    return new Error(
      "a version of Parley from before 0.1.0 has made it, whose data no release reads; start with a new data folder and an empty database, or start that version",
      { cause: error },
    );
  return new Error(
    `a newer version of Parley has used it, which changed its tables (${name}); start that version or a later one, or restore a backup from before the upgrade`,
    { cause: error },
  );
}
