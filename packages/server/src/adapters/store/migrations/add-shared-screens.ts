import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds whether a person in a call shares a screen. */
export async function addSharedScreens(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("callMember")
    .addColumn("isShareScreen", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
