import { ChatType, MessageType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { MessageWrites } from "../../ports/message-store.ts";
import { groupFirstTexts } from "./group-first-texts.ts";
import { hiddenMessages } from "./hidden-messages.ts";
import { extraRemoval } from "./message-extras.ts";
import { fileRelease } from "./message-files.ts";
import { kindOfChat, targetOfRow } from "./message-rows.ts";
import { missedMessageReads } from "./missed-messages.ts";
import { savedMessageChanges } from "./saved-messages.ts";
import type { Tables } from "./tables.ts";
import { visibilities, visibleRows } from "./visibility.ts";

/** What changes of messages need. */
export interface MessageChangeParts {
  /** Runs a change of the content of a row in the same transaction, and replaces the terms of the row in the search index. */
  reindex(id: number, change: () => Promise<void>): Promise<void>;
}

/** Writes that change messages after they were sent: edits, recalls and hidden messages. */
export function messageChangeWrites(
  db: Kysely<Tables>,
  { reindex }: MessageChangeParts,
): Omit<MessageWrites, "appendPrivate" | "appendGroup"> {
  const release = fileRelease(db);
  const firstTexts = groupFirstTexts(db);
  const removeExtra = extraRemoval(db);
  const saved = savedMessageChanges(db);
  const { listGroupHiders, listGroupLatecomers } = missedMessageReads(db);
  const { hide, hideEdit } = hiddenMessages(db);
  const chats = visibilities(db);
  const visible = {
    PRIVATE: visibleRows(db, ChatType.PRIVATE, chats.PRIVATE),
    GROUP: visibleRows(db, ChatType.GROUP, chats.GROUP),
  };

  const findChanged = (id: number) =>
    db
      .selectFrom("message")
      .select(["id", "chatId", "content", "editedAt"])
      .where("id", "=", id)
      .executeTakeFirst();

  return {
    async editMessage({ id, eventId, content, editedAt }) {
      const target = await findChanged(id);
      if (target === undefined) return [];
      const { chatId } = target;
      const isInGroup = kindOfChat(target) === ChatType.GROUP;
      if (isInGroup && target.editedAt === null) await firstTexts.save({ ...target, groupId: chatId });
      await reindex(id, async () => {
        await db.updateTable("message").set({ content, editedAt }).where("id", "=", id).execute();
      });
      await db.insertInto("messageEdit").values({ eventId, targetId: id }).execute();
      if (isInGroup)
        await hideEdit(eventId, [...(await listGroupHiders(id)), ...(await listGroupLatecomers(chatId, id))]);
      return saved.ofMessage(target, "reword");
    },

    async recallMessage({ id, noticeId, content, tip }) {
      const target = await findChanged(id);
      if (target === undefined) return [];
      await firstTexts.delete(id);
      await removeExtra(id);
      await release.ofMessage(kindOfChat(target), id);
      await reindex(id, async () => {
        await db
          .updateTable("message")
          .set({
            type: MessageType.TIP_TEXT,
            content,
            tip: JSON.stringify(tip),
            quoteId: null,
            editedAt: null,
            noticeId,
            atUserIds: null,
            receipt: 0,
          })
          .where("id", "=", id)
          .execute();
      });
      await db
        .updateTable("message")
        .set({ content: "" })
        .where("id", "in", (eb) => eb.selectFrom("messageEdit").select("eventId").where("targetId", "=", id))
        .execute();
      return saved.ofMessage(target, "remove");
    },

    async hideMessages(kind, userId, targetId, ids) {
      const rows = await visible[kind](userId, ids);
      return hide(
        userId,
        rows.filter((row) => targetOfRow(userId, row).targetId === targetId),
        (id) => chats[kind].hasLost(userId, targetId, id),
      );
    },
  };
}
