import type { Kysely } from "kysely";
import type { PrivateMessageWrites } from "../../ports/private-message-store.ts";
import { hiddenMessages } from "./hidden-messages.ts";
import { type MessageChangeParts, messageChangeWrites } from "./message-changes.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { clearedPositions, isInChatOf, isVisibleTo } from "./private-visibility.ts";
import type { Tables } from "./tables.ts";

/** Writes that change private messages after they were sent: recalls, edits and hidden messages. */
export function privateMessageChangeWrites(
  db: Kysely<Tables>,
  parts: MessageChangeParts,
): Pick<PrivateMessageWrites, "editPrivate" | "recallPrivate" | "hidePrivateMessages"> {
  const changes = messageChangeWrites(db, "private", parts);
  const { hide } = hiddenMessages(db, "private");
  const clearedUpTo = clearedPositions(db);
  const { findVisiblePrivate, seesPrivateQuote } = privateMessageReads(db);

  return {
    editPrivate: changes.edit,
    recallPrivate: changes.recall,

    async hidePrivateMessages(userId, friendId, ids) {
      const rows = await db
        .selectFrom("privateMessage as m")
        .select(["m.id", "m.quoteId"])
        .where("m.id", "in", [...ids])
        .where("m.id", ">", await clearedUpTo(userId))
        .where(isInChatOf(userId, friendId))
        .where(isVisibleTo(userId))
        .execute();
      return hide(userId, friendId, rows, async (id) => {
        if ((await findVisiblePrivate(userId, id)) !== undefined) return false;
        return !(await seesPrivateQuote(userId, friendId, id));
      });
    },
  };
}
