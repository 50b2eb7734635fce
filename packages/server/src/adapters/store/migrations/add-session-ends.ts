import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Why a session ended, for a client that was not there to be told. */
export async function addSessionEnds(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("session").addColumn("endReason", "text").execute();
}
