import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Where who asks to be friends has found the other one. */
export async function addRequestSource(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("friendRequest").addColumn("source", "integer").execute();
}
