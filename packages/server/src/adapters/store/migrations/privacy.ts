import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Who tells others what they have read, what of it was told, and who tells friends when they were last seen. */
export async function createPrivacy(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `alter table "user" add column "readReceipts" integer not null default 1`,
    `alter table "user" add column "lastSeenShown" integer not null default 1`,
    `alter table "privateChat" add column "toldId" bigint`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
