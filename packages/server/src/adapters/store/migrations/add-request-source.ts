import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds where the sender of a friend request found the other person. */
export async function addRequestSource(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("friendRequest").addColumn("source", "integer").execute();
}
