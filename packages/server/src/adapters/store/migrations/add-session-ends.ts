import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds why a session ended, for a client that was not connected at that time. */
export async function addSessionEnds(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("session").addColumn("endReason", "text").execute();
}
