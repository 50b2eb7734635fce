import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

type IdType = "integer" | "bigint";

/**
 * Adds when messages were received, for those that have a later time to keep the order. Null for all others, and for those of servers of the
 * version before.
 */
export async function addReceiptTimes(db: Kysely<Tables>, idType: IdType): Promise<void> {
  for (const table of ["privateMessage", "groupMessage"] as const)
    await db.schema.alterTable(table).addColumn("receivedAt", idType).execute();
}
