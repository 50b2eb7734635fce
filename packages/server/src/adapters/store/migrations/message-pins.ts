import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { IdType } from "./first-tables.ts";

/** The pinned messages of each chat. */
export async function createMessagePins(db: Kysely<Tables>, id: IdType): Promise<void> {
  const statements = [
    `create table "messagePin" ("messageId" ${id} primary key, "chatId" bigint not null, "v" bigint not null)`,
    `create index "messagePinByChat" on "messagePin" ("chatId", "v")`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
