import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds changes of group messages after they were sent, their read positions, and their search index. */
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
  // A partial index: only messages with receipt pay for it.
  await schema
    .createIndex("groupMessageReceipt")
    .on("groupMessage")
    .columns(["groupId", "id", "sendId"])
    .where(sql.ref("receipt"), "=", sql.lit(1))
    .execute();
  // Pulls and pages check the sender in the index, because a moderator may have removed a sender's messages.
  await schema.dropIndex("groupMessageGroup").execute();
  await schema
    .createIndex("groupMessageGroup")
    .on("groupMessage")
    .columns(["groupId", "id", "onlyFor", "sendId"])
    .execute();

  for (const statement of searchTable) await sql.raw(statement).execute(db);
}
