/** Pages of the history of a chat, and the days on which it has messages. */
import type { QueryOf } from "@parley/protocol/endpoint";
import type { privateHistory } from "@parley/protocol/endpoints/messages";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { malformedField } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { MessageReads } from "../../ports/message-store.ts";
import type { HistoryPage, ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy, MessageOf } from "./chat-strategy.ts";

const HISTORY_PAGE_DEFAULT = 20;

type ChatHistoryHandlers = Pick<Handlers, "privateHistory" | "groupHistory" | "privateDays" | "groupDays">;

type HistoryStore = Pick<MessageReads, "listHistory" | "listDays">;

export interface ChatHistoryDeps extends ChatStrategies {
  store: HistoryStore;
}

export function createChatHistory({ store, privateChats, groupChats }: ChatHistoryDeps): ChatHistoryHandlers {
  return {
    privateHistory: (call) => readPage(store, privateChats, call, call.query.friendId, call.query),
    groupHistory: (call) => readPage(store, groupChats, call, call.query.groupId, call.query),
    privateDays: ({ actor, query }) => findDays(store, privateChats, actor, query.friendId, query.starts),
    groupDays: ({ actor, query }) => findDays(store, groupChats, actor, query.groupId, query.starts),
  };
}

type Position = Omit<QueryOf<typeof privateHistory>, "friendId">;

async function readPage<Kind extends ChatKind>(
  store: HistoryStore,
  chats: ChatStrategy<Kind>,
  { actor: { userId }, language }: { actor: Actor; language: Language },
  targetId: number,
  position: Position,
): Promise<MessageOf<Kind>[]> {
  await chats.requireReader(userId, targetId);
  const rows = await store.listHistory(chats.type, userId, targetId, historyPageOf(position));
  return chats.view(userId, rows, language);
}

async function findDays<Kind extends ChatKind>(
  store: HistoryStore,
  chats: ChatStrategy<Kind>,
  { userId }: Actor,
  targetId: number,
  starts: readonly number[],
): Promise<number[]> {
  await chats.requireReader(userId, targetId);
  return store.listDays(chats.type, userId, targetId, starts);
}

/** The page that a history query asks for. A `friendId` or `groupId` in the query does not matter. */
export function historyPageOf(query: Position): HistoryPage {
  const size = query.size ?? HISTORY_PAGE_DEFAULT;
  const positions = ["maxId", "minId", "aroundId", "at", "page"] as const;
  const usedNames = positions.filter((name) => query[name] !== undefined);
  if (usedNames.length > 1) throw malformedField(usedNames[1] ?? "", `does not go with ${usedNames[0]}`);
  if (query.maxId !== undefined) return { from: "before", id: query.maxId, size };
  if (query.minId !== undefined) return { from: "after", id: query.minId, size };
  if (query.aroundId !== undefined) return { from: "around", id: query.aroundId, size };
  if (query.at !== undefined) return { from: "time", at: query.at, size };
  if (query.page !== undefined) return { from: "page", page: Math.max(1, query.page), size };
  return { from: "newest", size };
}
