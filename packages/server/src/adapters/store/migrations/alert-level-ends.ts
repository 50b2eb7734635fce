import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** When alert levels of chats end, and which follow. */
export async function createAlertLevelEnds(db: Kysely<Tables>): Promise<void> {
  for (const table of ["friend", "groupMember"])
    for (const statement of [
      `alter table "${table}" add column "msgRemindUntil" bigint`,
      `alter table "${table}" add column "msgRemindAfter" integer`,
      `create index "${table}ByRemindEnd" on "${table}" ("msgRemindUntil") where "msgRemindUntil" is not null`,
    ])
      await sql.raw(statement).execute(db);
}
