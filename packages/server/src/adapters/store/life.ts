import { MessageType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { Tx } from "../../ports/store.ts";
import type { Tables } from "./tables.ts";

export type LifeWrites = Pick<Tx, "editPrivate" | "recallPrivate">;

/** What happens to a message after it was sent. `onChanged` is told, in the same transaction, of each row whose content changes. */
export function lifeWrites(db: Kysely<Tables>, onChanged: (id: number) => Promise<void>): LifeWrites {
  return {
    async editPrivate({ id, eventId, content, editedAt }) {
      await db.updateTable("privateMessage").set({ content, editedAt }).where("id", "=", id).execute();
      await db.insertInto("privateEdit").values({ eventId, targetId: id }).execute();
      await onChanged(id);
    },

    async recallPrivate({ id, noticeId, content, tip }) {
      await db
        .updateTable("privateMessage")
        .set({
          type: MessageType.TIP_TEXT,
          content,
          tip: JSON.stringify(tip),
          act: null,
          quoteId: null,
          editedAt: null,
          noticeId,
        })
        .where("id", "=", id)
        .execute();
      await db
        .updateTable("privateMessage")
        .set({ content: "" })
        .where("id", "in", (eb) => eb.selectFrom("privateEdit").select("eventId").where("targetId", "=", id))
        .execute();
      await onChanged(id);
    },
  };
}
