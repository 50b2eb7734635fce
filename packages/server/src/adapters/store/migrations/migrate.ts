import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Tables } from "../tables.ts";
import { addGroupLife } from "./group-life.ts";
import { addGroups } from "./groups.ts";
import { addMessageLife } from "./message-life.ts";
import { addNoticesAndFileUse } from "./notices.ts";
import { addSearch } from "./search.ts";
import { createFirstTables } from "./start.ts";

/**
 * Brings the tables up to date; `searchTable` makes the dialect's index of words. Throws when one step fails or when the database was made by a newer server.
 */
export async function migrate(
  db: Kysely<Tables>,
  idType: "integer" | "bigint",
  searchTable: (name: "privateSearch" | "groupSearch") => readonly string[],
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        "0001-start": { up: (kysely: Kysely<Tables>) => createFirstTables(kysely, idType) },
        "0002-message-life": { up: (kysely: Kysely<Tables>) => addMessageLife(kysely, idType) },
        "0003-notices": { up: (kysely: Kysely<Tables>) => addNoticesAndFileUse(kysely, idType) },
        "0004-search": { up: (kysely: Kysely<Tables>) => addSearch(kysely, searchTable("privateSearch")) },
        "0005-groups": { up: (kysely: Kysely<Tables>) => addGroups(kysely, idType) },
        "0006-group-life": {
          up: (kysely: Kysely<Tables>) => addGroupLife(kysely, idType, searchTable("groupSearch")),
        },
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
