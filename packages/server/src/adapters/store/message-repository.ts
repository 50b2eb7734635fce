import type { Kysely } from "kysely";
import type { MessageReads, RowOf } from "../../ports/message-store.ts";
import type { ChatKind, HistoryPage } from "../../ports/stored-message.ts";
import { chatSource } from "./chat-source.ts";
import { daysWithMessages, historyPage } from "./history-page.ts";
import { messageRowReads } from "./message-rows.ts";
import type { Tables } from "./tables.ts";
import { type Visibility, visibilities, visibleRows } from "./visibility.ts";

/** Reads messages: single rows, pages of the history, and days with messages. */
export function messageReads(db: Kysely<Tables>): MessageReads {
  const rows = messageRowReads(db);
  const { PRIVATE, GROUP } = visibilities(db);
  const chats: { [Kind in ChatKind]: ReturnType<typeof chatReads<Kind>> } = {
    PRIVATE: chatReads(db, "PRIVATE", PRIVATE),
    GROUP: chatReads(db, "GROUP", GROUP),
  };
  return {
    findMessage: rows.find,
    findMessages: rows.findAll,
    findMessageByTmpId: rows.findByTmpId,
    findVisibleMessage: (kind, userId, id) => chats[kind].findVisible(userId, id),
    listHistory: (kind, userId, targetId, page) => chats[kind].history(userId, targetId, page),
    listDays: (kind, userId, targetId, starts) => chats[kind].days(userId, targetId, starts),
    newestVisibleId: (kind, userId, targetId) => chats[kind].newestId(userId, targetId),
  };
}

/** Reads what a person sees in chats of one kind. */
function chatReads<Kind extends ChatKind>(db: Kysely<Tables>, kind: Kind, visibility: Visibility<Kind>) {
  const sourceOf = chatSource(db, visibility);
  const visible = visibleRows(db, kind, visibility);
  const chatOf = async (userId: number, targetId: number) =>
    sourceOf(userId, targetId, await visibility.ranges(userId, targetId));

  return {
    async findVisible(userId: number, id: number): Promise<RowOf<Kind> | undefined> {
      return (await visibility.toRows(userId, await visible(userId, [id])))[0];
    },
    async history(userId: number, targetId: number, page: HistoryPage): Promise<RowOf<Kind>[]> {
      return visibility.toRows(userId, await historyPage(await chatOf(userId, targetId), page));
    },
    async days(userId: number, targetId: number, starts: readonly number[]): Promise<number[]> {
      return daysWithMessages(await chatOf(userId, targetId), starts);
    },
    async newestId(userId: number, targetId: number): Promise<number> {
      const [newest] = await historyPage(await chatOf(userId, targetId), { from: "newest", size: 1 });
      return newest?.id ?? 0;
    },
  };
}
