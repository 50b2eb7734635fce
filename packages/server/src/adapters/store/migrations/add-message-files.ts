import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds which stored message names which uploaded file. No message of an earlier version names one. */
export async function addMessageFiles(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("messageFile")
    .addColumn("chatType", "text", (c) => c.notNull())
    .addColumn("messageId", "bigint", (c) => c.notNull())
    .addColumn("sendId", "bigint", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull().references("file.url"))
    .addPrimaryKeyConstraint("messageFileKey", ["chatType", "messageId", "url"])
    .execute();
  await schema.createIndex("messageFileByUrl").on("messageFile").column("url").execute();
  await schema
    .createIndex("messageFileBySender")
    .on("messageFile")
    .columns(["sendId", "chatType", "messageId"])
    .execute();
}
