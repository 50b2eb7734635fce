import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Copies the start of the newest stay into the member row, because lists of groups contain it. */
export async function addGroupStayStarts(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("groupMember")
    .addColumn("stayFrom", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable("groupMember")
    .set((eb) => ({
      stayFrom: eb.fn.coalesce(
        eb
          .selectFrom("groupStay as s")
          .select((row) => row.fn.max("s.fromId").as("fromId"))
          .whereRef("s.groupId", "=", "groupMember.groupId")
          .whereRef("s.userId", "=", "groupMember.userId"),
        eb.lit(0),
      ),
    }))
    .execute();
}
