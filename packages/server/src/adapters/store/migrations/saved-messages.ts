import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The messages that people have saved for themselves. */
export async function createSavedMessages(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `create table "savedMessage" (
      "userId" bigint not null, "messageId" bigint not null, "chatId" bigint not null, "changed" bigint not null,
      "at" bigint, "note" text not null, "tags" text not null, primary key ("userId", "messageId")
    )`,
    `create index "savedMessageByChange" on "savedMessage" ("userId", "changed")`,
    `create index "savedMessageByChat" on "savedMessage" ("chatId", "messageId")`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
