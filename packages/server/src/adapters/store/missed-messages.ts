import { MessageType } from "@parley/protocol/codes";
import type { Expression, Kysely } from "kysely";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { isHiddenFrom } from "./message-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Reads which people of a group do not know a message, or know it with an earlier text. */
export function missedMessageReads(
  db: Kysely<Tables>,
): Pick<GroupMessageReads, "listGroupHiders" | "listGroupLatecomers" | "listGroupFormerTexts"> {
  /** Messages that quote this message and that this person has not deleted for themselves. */
  const quotesOf = (id: number, chatId: Expression<number>, ownerId: Expression<number>) =>
    db
      .selectFrom("message as m")
      .select("m.id")
      .where("m.chatId", "=", chatId)
      .where("m.id", ">", id)
      .where("m.quoteId", "=", id)
      .where("m.type", "!=", MessageType.EDIT)
      .where("m.noticeId", "is", null)
      .where((eb) => eb.not(isHiddenFrom(ownerId)));
  const hiddenBy = preparedQuery(db, (id: number) =>
    db
      .selectFrom("hiddenMessage as h")
      .innerJoin("message as hidden", "hidden.id", "h.messageId")
      .select("h.ownerId")
      .where("h.messageId", "=", id)
      .where((eb) => eb.not(eb.exists(quotesOf(id, eb.ref("hidden.chatId"), eb.ref("h.ownerId"))))),
  );

  const latecomers = preparedQuery(db, (groupId: number, id: number) =>
    db
      .selectFrom("groupMember as p")
      .select("p.userId")
      .where("p.groupId", "=", groupId)
      .where("p.quit", "=", 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("groupStay as s")
              .select("s.nth")
              .whereRef("s.userId", "=", "p.userId")
              .whereRef("s.groupId", "=", "p.groupId")
              .where("s.fromId", "<", id)
              .where((or) => or.or([or("s.toId", "is", null), or("s.toId", ">=", id)])),
          ),
        ),
      ),
  );

  return {
    async listGroupHiders(id) {
      return (await hiddenBy(id)).rows.map((row) => row.ownerId);
    },
    async listGroupLatecomers(groupId, id) {
      return (await latecomers(groupId, id)).rows.map((row) => row.userId);
    },
    listGroupFormerTexts: groupMessageVersions(db).listGroupFormerTexts,
  };
}
