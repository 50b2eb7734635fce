import type { Kysely } from "kysely";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import { Appender } from "./appender.ts";
import type { ChatWrites } from "./chat-repository.ts";
import type { WriteEngine } from "./engine.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { queryTemplate } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";

/** Maximum number of pairs of people whose chat id is cached. */
const CACHED_CHATS_MAX = 65_536;

/** The column value of an optional object. */
export const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

function insertTemplate(db: Kysely<Tables>) {
  return queryTemplate(
    (
      id: number,
      chatId: number,
      tmpId: string | null,
      type: number,
      sendId: number,
      recvId: number,
      sendNickName: string,
      content: string,
      sendTime: number,
      tip: string | null,
      act: string | null,
      onlyFor: number | null,
      quoteId: number | null,
    ) =>
      db
        .insertInto("privateMessage")
        .values({
          id,
          chatId,
          tmpId,
          type,
          sendId,
          recvId,
          sendNickName,
          content,
          sendTime,
          tip,
          act,
          onlyFor,
          quoteId,
        })
        .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Appends private messages; the first one between two people creates their chat. */
export function privateAppender(
  engine: WriteEngine,
  db: Kysely<Tables>,
  openChat: ChatWrites["openChat"],
): Appender<NewPrivateMessage, PrivateRow> {
  const chatIds = new Map<string, number>();

  async function loadChatId(sendId: number, recvId: number): Promise<number> {
    const chatId = await openChat(sendId, recvId);
    if (chatIds.size >= CACHED_CHATS_MAX) chatIds.clear();
    chatIds.set(`${sendId}:${recvId}`, chatId);
    return chatId;
  }

  const columnValues = (row: PrivateRow, chatId: number) => [
    row.id,
    chatId,
    row.tmpId,
    row.type,
    row.sendId,
    row.recvId,
    row.sendNickName,
    row.content,
    row.sendTime,
    jsonOrNull(row.tip),
    jsonOrNull(row.act),
    row.onlyFor,
    row.quote?.id ?? null,
  ];

  return new Appender(engine, {
    insertTemplate: insertTemplate(db),
    newestUpTo: monotonicTime(db, "privateMessage").newestUpTo,
    findByTmpId: privateMessageReads(db).findPrivateByTmpId,
    toRow: (message, assigned) => ({
      // Written out, because two spreads cost more per message than everything else here.
      id: assigned.id,
      tmpId: message.tmpId,
      type: message.type,
      sendId: message.sendId,
      recvId: message.recvId,
      sendNickName: message.sendNickName,
      content: message.content,
      sendTime: assigned.sendTime,
      tip: message.tip ?? null,
      act: message.act ?? null,
      onlyFor: message.onlyFor ?? null,
      quote: message.quote ?? null,
      editedAt: null,
      noticeId: null,
    }),
    valuesOf(row) {
      const cached = chatIds.get(`${row.sendId}:${row.recvId}`);
      if (cached !== undefined) return columnValues(row, cached);
      return loadChatId(row.sendId, row.recvId).then((chatId) => columnValues(row, chatId));
    },
    discard: () => chatIds.clear(),
  });
}
