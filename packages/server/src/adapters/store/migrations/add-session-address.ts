import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds from which network address a session was used last, so that people recognise a login that is not theirs. */
export async function addSessionAddress(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("session").addColumn("address", "text").execute();
}
