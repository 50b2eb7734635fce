import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** What happens to messages of groups after they were sent, who has read them, and the index of their words. */
export async function addGroupMessageChanges(
  db: Kysely<Tables>,
  idType: "integer" | "bigint",
  searchTable: readonly string[],
): Promise<void> {
  const { schema } = db;

  await schema
    .createTable("groupEdit")
    .addColumn("eventId", idType, (c) => c.primaryKey())
    .addColumn("targetId", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("groupEditOfTarget").on("groupEdit").column("targetId").execute();

  await schema
    .createTable("hiddenGroup")
    .addColumn("ownerId", "bigint", (c) => c.notNull())
    .addColumn("messageId", "bigint", (c) => c.notNull())
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("hiddenGroupKey", ["ownerId", "messageId"])
    .execute();
  await schema.createIndex("hiddenGroupChanged").on("hiddenGroup").columns(["ownerId", "changed"]).execute();
  await schema.createIndex("hiddenGroupMessage").on("hiddenGroup").column("messageId").execute();

  await schema
    .createTable("groupRead")
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("readId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("groupReadKey", ["groupId", "userId"])
    .execute();
  await schema.createIndex("groupReadChanged").on("groupRead").columns(["userId", "changed"]).execute();

  await schema
    .createTable("groupReceipt")
    .addColumn("ownerId", "bigint", (c) => c.notNull())
    .addColumn("groupId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("groupReceiptKey", ["ownerId", "groupId"])
    .execute();
  // Only messages with receipt pay for it.
  await schema
    .createIndex("groupMessageReceipt")
    .on("groupMessage")
    .columns(["groupId", "id", "sendId"])
    .where(sql.ref("receipt"), "=", sql.lit(1))
    .execute();
  // Pulls and pages check who wrote a row in the index, for purges.
  await schema.dropIndex("groupMessageGroup").execute();
  await schema
    .createIndex("groupMessageGroup")
    .on("groupMessage")
    .columns(["groupId", "id", "onlyFor", "sendId"])
    .execute();

  for (const statement of searchTable) await sql.raw(statement).execute(db);
}
