import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Stores which call created which group, so that a repeated call creates no second one. */
export async function addGroupCreationKeys(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("groupMaking")
    .addColumn("makerId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("tmpId", "text", (c) => c.notNull())
    .addColumn("groupId", "bigint", (c) => c.notNull().references("chatGroup.id"))
    .addPrimaryKeyConstraint("groupMakingKey", ["makerId", "tmpId"])
    .execute();
}
