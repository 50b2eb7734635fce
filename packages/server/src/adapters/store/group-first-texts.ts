/** The first texts of edited group messages, which people still see who left the group before the first edit. */
import type { Kysely } from "kysely";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Reads and stores first texts. */
export function groupFirstTexts(db: Kysely<Tables>) {
  const anyEndedStay = preparedQuery(db, (groupId: number, id: number) =>
    endedStaysOver(db, groupId, id).limit(1),
  );

  return {
    /** By message; messages without a stored first text are left out. */
    async find(ids: readonly number[]): Promise<Map<number, string>> {
      const texts = new Map<number, string>();
      for (const batch of inBatches(ids)) {
        const rows = await db
          .selectFrom("groupFirstText")
          .select(["messageId", "content"])
          .where("messageId", "in", batch)
          .execute();
        for (const { messageId, content } of rows) texts.set(messageId, content);
      }
      return texts;
    },

    /** Call it before the first edit of a message: stores the first text if somebody who could read it has left since. */
    async save({ id, groupId, content }: { id: number; groupId: number; content: string }): Promise<void> {
      const hasFormerReader = (await anyEndedStay(groupId, id)).rows.length > 0;
      if (!hasFormerReader) return;
      await db
        .insertInto("groupFirstText")
        .values({ messageId: id, content })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Call it when the message has no text any more. */
    async delete(id: number): Promise<void> {
      await db.deleteFrom("groupFirstText").where("messageId", "=", id).execute();
    },
  };
}

/** People who were in the group for a message and whose stay has ended. Starts from the members, because stays are indexed by person. */
export function endedStaysOver(db: Kysely<Tables>, groupId: number, id: number) {
  return db
    .selectFrom("groupMember as p")
    .innerJoin("groupStay as s", (join) =>
      join.onRef("s.userId", "=", "p.userId").onRef("s.groupId", "=", "p.groupId"),
    )
    .select("p.userId")
    .where("p.groupId", "=", groupId)
    .where("s.fromId", "<", id)
    .where("s.toId", ">=", id);
}
