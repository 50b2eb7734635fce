import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { IdType } from "./first-tables.ts";

/** When polls end. */
export async function createPollEnds(db: Kysely<Tables>, id: IdType): Promise<void> {
  const statements = [
    `create table "pollEnd" ("messageId" ${id} primary key, "closesAt" bigint not null)`,
    `create index "pollEndByTime" on "pollEnd" ("closesAt")`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
