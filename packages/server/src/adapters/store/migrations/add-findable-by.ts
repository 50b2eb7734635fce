import { FindableBy } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds by what a search finds a person. */
export async function addFindableBy(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("user")
    .addColumn("findableBy", "integer", (column) => column.notNull().defaultTo(FindableBy.ANY_NAME))
    .execute();
}
