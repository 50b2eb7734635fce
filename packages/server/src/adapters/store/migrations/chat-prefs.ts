import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** What people have set for chats. */
export async function createChatPrefs(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `create table "chatPref" (
      "userId" bigint not null, "type" text not null, "targetId" bigint not null, "changed" bigint not null,
      "prefs" text not null, primary key ("userId", "type", "targetId")
    )`,
    `create index "chatPrefByChange" on "chatPref" ("userId", "changed")`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
