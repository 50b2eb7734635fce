import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds how many offers a caller has sent. Calls that ring meanwhile count as ones with several: their answers wait for the accept. */
export async function addCallOfferCount(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("call")
    .addColumn("offerCount", "integer", (c) => c.notNull().defaultTo(2))
    .execute();
}
