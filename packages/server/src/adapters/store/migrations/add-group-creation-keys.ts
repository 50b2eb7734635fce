import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Which group was made by which call, so that a call that is repeated makes no second one. */
export async function addGroupCreationKeys(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("groupMaking")
    .addColumn("makerId", "bigint", (c) => c.notNull().references("user.id"))
    .addColumn("tmpId", "text", (c) => c.notNull())
    .addColumn("groupId", "bigint", (c) => c.notNull().references("chatGroup.id"))
    .addPrimaryKeyConstraint("groupMakingKey", ["makerId", "tmpId"])
    .execute();
}
