import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds how often the members of a group have changed. */
export async function addMemberChanges(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("chatGroup")
    .addColumn("memberChanges", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
