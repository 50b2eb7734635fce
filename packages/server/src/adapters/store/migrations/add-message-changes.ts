import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds quotes, edits, recalls and messages that one person has deleted for themselves or cleared. */
export async function addMessageChanges(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;

  // No index on any of them, because each would make storing a message slower.
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
