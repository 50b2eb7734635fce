import type { Kysely } from "kysely";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import { Appender } from "./appender.ts";
import type { ChatWrites } from "./chat-repository.ts";
import type { WriteEngine } from "./engine.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

/** Maximum number of pairs of people whose chat id is cached. */
const CACHED_CHATS_MAX = 65_536;

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

  return new Appender(engine, db, {
    table: "privateMessage",
    columns: ["recvId", "chatId"] satisfies (keyof PrivateMessageTable)[],
    findByTmpId: privateMessageReads(db).findPrivateByTmpId,
    toRow: (stored, { recvId }) => ({ ...stored, recvId }),
    valuesOf({ sendId, recvId }) {
      const chatId = chatIds.get(`${sendId}:${recvId}`);
      if (chatId !== undefined) return [recvId, chatId];
      return loadChatId(sendId, recvId).then((loaded) => [recvId, loaded]);
    },
    discard: () => chatIds.clear(),
  });
}
