import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Stores first texts of edited messages, for people who left before the edit. */
export async function addGroupFirstTexts(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  await db.schema
    .createTable("groupFirstText")
    .addColumn("messageId", idType, (c) => c.primaryKey())
    .addColumn("content", "text", (c) => c.notNull())
    .execute();
  // The first texts of earlier edits are lost, so the message is hidden from people who left before the edit.
  await db
    .insertInto("hiddenGroup")
    .columns(["ownerId", "messageId", "groupId", "changed"])
    .expression((eb) =>
      eb
        .selectFrom("groupMessage as m")
        .innerJoin("groupStay as s", "s.groupId", "m.groupId")
        .select(["s.userId as ownerId", "m.id as messageId", "m.groupId", sql.lit(0).as("changed")])
        .where("m.editedAt", "is not", null)
        .whereRef("s.fromId", "<", "m.id")
        .whereRef("s.toId", ">=", "m.id")
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom("groupEdit as e")
                .innerJoin("groupStay as t", (join) =>
                  join.onRef("t.userId", "=", "s.userId").onRef("t.groupId", "=", "s.groupId"),
                )
                .select("e.eventId")
                .whereRef("e.targetId", "=", "m.id")
                .whereRef("t.fromId", "<", "e.eventId")
                .where((or) => or.or([or("t.toId", "is", null), or("t.toId", ">=", or.ref("e.eventId"))])),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
