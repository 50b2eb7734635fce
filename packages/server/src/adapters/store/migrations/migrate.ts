import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Tables } from "../tables.ts";
import { closeDissolvedRequests } from "./close-dissolved-requests.ts";
import { addGroupFirstTexts } from "./add-group-first-texts.ts";
import { addGroupMessageChanges } from "./add-group-message-changes.ts";
import { addGroupCreationKeys } from "./add-group-creation-keys.ts";
import { addGroupStayStarts } from "./add-group-stay-starts.ts";
import { addGroups } from "./add-groups.ts";
import { addMessageChanges } from "./add-message-changes.ts";
import { addNoticesAndFileUse } from "./add-notices-and-file-use.ts";
import { addRequestSource } from "./add-request-source.ts";
import { addSearch } from "./add-search.ts";
import { addSessionEnds } from "./add-session-ends.ts";
import { createFirstTables } from "./first-tables.ts";

type IdType = "integer" | "bigint";
/** The statements that create a search index of the dialect. */
type SearchTable = (name: "privateSearch" | "groupSearch") => readonly string[];

/** All migrations by name, in order. */
export function migrationsOf(idType: IdType, searchTable: SearchTable): Record<string, Migration> {
  return {
    "0001-start": { up: (db: Kysely<Tables>) => createFirstTables(db, idType) },
    "0002-message-life": { up: (db: Kysely<Tables>) => addMessageChanges(db, idType) },
    "0003-notices": { up: (db: Kysely<Tables>) => addNoticesAndFileUse(db, idType) },
    "0004-search": { up: (db: Kysely<Tables>) => addSearch(db, searchTable("privateSearch")) },
    "0005-groups": { up: (db: Kysely<Tables>) => addGroups(db, idType) },
    "0006-group-life": {
      up: (db: Kysely<Tables>) => addGroupMessageChanges(db, idType, searchTable("groupSearch")),
    },
    "0007-group-first-texts": { up: (db: Kysely<Tables>) => addGroupFirstTexts(db, idType) },
    "0008-group-makings": { up: (db: Kysely<Tables>) => addGroupCreationKeys(db) },
    "0009-group-stay-starts": { up: (db: Kysely<Tables>) => addGroupStayStarts(db) },
    "0010-session-ends": { up: (db: Kysely<Tables>) => addSessionEnds(db) },
    "0011-request-source": { up: (db: Kysely<Tables>) => addRequestSource(db) },
    "0012-dissolved-requests": { up: (db: Kysely<Tables>) => closeDissolvedRequests(db) },
  };
}

/** Brings the tables up to date. Throws when a migration fails or when a newer server created the database. */
export async function migrate(db: Kysely<Tables>, idType: IdType, searchTable: SearchTable): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsOf(idType, searchTable) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
