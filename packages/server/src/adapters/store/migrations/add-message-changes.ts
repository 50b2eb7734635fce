import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** What happens to a message after it was sent: quotes, edits, recalls, and what one person no longer sees. */
export async function addMessageChanges(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;

  // No index on any of them: the path of a new message pays for each.
  await schema.alterTable("privateMessage").addColumn("quoteId", "bigint").execute();
  await schema.alterTable("privateMessage").addColumn("editedAt", "bigint").execute();
  await schema.alterTable("privateMessage").addColumn("noticeId", "bigint").execute();

  await schema
    .createTable("privateEdit")
    .addColumn("eventId", idType, (c) => c.primaryKey())
    .addColumn("targetId", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("privateEditOfTarget").on("privateEdit").column("targetId").execute();

  await schema
    .createTable("hiddenPrivate")
    .addColumn("ownerId", "bigint", (c) => c.notNull())
    .addColumn("messageId", "bigint", (c) => c.notNull())
    .addColumn("peerId", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("hiddenPrivateKey", ["ownerId", "messageId"])
    .execute();
  await schema
    .createIndex("hiddenPrivateChanged")
    .on("hiddenPrivate")
    .columns(["ownerId", "changed"])
    .execute();

  for (const column of ["clearedPrivate", "clearedGroup", "clearedSystem", "clearedChanged"] as const) {
    await schema
      .alterTable("userState")
      .addColumn(column, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
}
