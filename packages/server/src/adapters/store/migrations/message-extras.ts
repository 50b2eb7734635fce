import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { IdType } from "./first-tables.ts";

/** What people did to messages after they were sent, such as reactions. */
export async function createMessageExtras(db: Kysely<Tables>, id: IdType): Promise<void> {
  const statements = [
    `create table "messageExtra" (
      "messageId" ${id} primary key, "chatId" bigint not null, "v" bigint not null, "state" text not null
    )`,
    `create unique index "messageExtraByVersion" on "messageExtra" ("v")`,
    `create index "messageExtraByChat" on "messageExtra" ("chatId", "v")`,
    `create table "messageTally" (
      "messageId" bigint not null, "userId" bigint not null, "kind" text not null, "key" text not null,
      "v" bigint not null, "at" bigint not null, primary key ("messageId", "userId", "kind", "key")
    )`,
    `create index "messageTallyByKey" on "messageTally" ("messageId", "kind", "key", "v")`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
