import type { Kysely } from "kysely";
import type { NewPrivateMessage, PrivateRow } from "../../ports/store.ts";
import { Appender } from "./appender.ts";
import type { ChatWrites } from "./chat-repository.ts";
import type { WriteEngine } from "./engine.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { queryTemplate } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";

/** Pairs of people whose chat number is remembered. */
const CHATS_MAX = 65_536;

export const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

function insertion(db: Kysely<Tables>) {
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

/** Appends private messages; the first one of two people opens their chat. */
export function privateAppender(
  engine: WriteEngine,
  db: Kysely<Tables>,
  openChat: ChatWrites["openChat"],
): Appender<NewPrivateMessage, PrivateRow> {
  const chats = new Map<string, number>();

  async function learnChat(sendId: number, recvId: number): Promise<number> {
    const chatId = await openChat(sendId, recvId);
    if (chats.size >= CHATS_MAX) chats.clear();
    chats.set(`${sendId}:${recvId}`, chatId);
    return chatId;
  }

  const values = (row: PrivateRow, chatId: number) => [
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
    insertion: insertion(db),
    newestUpTo: monotonicTime(db, "privateMessage").newestUpTo,
    findByTmpId: privateMessageReads(db).findPrivateByTmpId,
    toRow: (message, head) => ({
      // Written out: two spreads cost a message more than all the rest here.
      id: head.id,
      tmpId: message.tmpId,
      type: message.type,
      sendId: message.sendId,
      recvId: message.recvId,
      sendNickName: message.sendNickName,
      content: message.content,
      sendTime: head.sendTime,
      tip: message.tip ?? null,
      act: message.act ?? null,
      onlyFor: message.onlyFor ?? null,
      quote: message.quote ?? null,
      editedAt: null,
      noticeId: null,
    }),
    valuesOf(row) {
      const known = chats.get(`${row.sendId}:${row.recvId}`);
      if (known !== undefined) return values(row, known);
      return learnChat(row.sendId, row.recvId).then((chatId) => values(row, chatId));
    },
    discard: () => chats.clear(),
  });
}
