import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds in how many system chats a notice is and was read, which the list of notices would otherwise count over all rows of each notice. */
export async function addNoticeCounts(db: Kysely<Tables>): Promise<void> {
  for (const column of ["receivedCount", "readCount"])
    await db.schema
      .alterTable("notice")
      .addColumn(column, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  await sql`update "notice" set "receivedCount" = "counted"."received", "readCount" = "counted"."read" from (
    select "noticeId", count(*) as "received", sum(case when "systemRead" >= "seqNo" then 1 else 0 end) as "read"
    from "systemMessage" left join "userState" on "userState"."userId" = "systemMessage"."userId"
    where "noticeId" is not null group by "noticeId"
  ) as "counted" where "counted"."noticeId" = "notice"."id"`.execute(db);
}
