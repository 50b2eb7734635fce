import type { PrivateMessageWrites } from "../../ports/private-message-store.ts";
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import { fileRelease } from "./message-files.ts";
import type { Tables } from "./tables.ts";

const TABLES = {
  private: ["privateMessage", "privateEdit", ChatType.PRIVATE],
  group: ["groupMessage", "groupEdit", ChatType.GROUP],
} as const;

/** What the writes of both kinds of messages need. */
export interface MessageChangeParts {
  /** Runs a change of the content of a row in the same transaction, and replaces the terms of the row in the search index. */
  reindex(id: number, change: () => Promise<void>): Promise<void>;
}

/** Writes for edits and recalls. */
export function messageChangeWrites(
  db: Kysely<Tables>,
  kind: keyof typeof TABLES,
  { reindex }: MessageChangeParts,
): { edit: PrivateMessageWrites["editPrivate"]; recall: PrivateMessageWrites["recallPrivate"] } {
  const [messages, edits, chatType] = TABLES[kind];
  const release = fileRelease(db);
  return {
    async edit({ id, eventId, content, editedAt }) {
      await reindex(id, async () => {
        await db.updateTable(messages).set({ content, editedAt }).where("id", "=", id).execute();
      });
      await db.insertInto(edits).values({ eventId, targetId: id }).execute();
    },

    async recall({ id, noticeId, content, tip }) {
      await release.ofMessage(chatType, id);
      await reindex(id, async () => {
        await db
          .updateTable(messages)
          .set({
            type: MessageType.TIP_TEXT,
            content,
            tip: JSON.stringify(tip),
            quoteId: null,
            editedAt: null,
            noticeId,
            ...(kind === "group" && { atUserIds: null, receipt: 0 }),
          })
          .where("id", "=", id)
          .execute();
      });
      await db
        .updateTable(messages)
        .set({ content: "" })
        .where("id", "in", (eb) => eb.selectFrom(edits).select("eventId").where("targetId", "=", id))
        .execute();
    },
  };
}
