import { ChatType } from "@parley/protocol/codes";
import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { MessagePage } from "../model/chats/add-page.ts";
import { rangeAt, rangeBelow } from "../model/chats/known-ranges.ts";
import type { Chat, ChatSync, ChatKey, ChatMessage, Failure } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { type HistoryQuery, chatApiOf, type ChatRow } from "./chat-api.ts";
import { isEvictionMark, evictionMarkKey } from "./eviction.ts";

/** How many messages are requested at once in one direction. */
export const PAGE_SIZE = HISTORY_PAGE_MAX / 2;

/**
 * Loads pages of a chat. null: the local database has no known range there; or the server did not answer, or has no history of this kind
 * of chat.
 */
export interface PageLoader {
  localBelow(key: ChatKey, id: number): Promise<MessagePage | null>;
  localFrom(key: ChatKey, id: number): Promise<MessagePage | null>;
  localAround(key: ChatKey, id: number): Promise<AroundPage | null>;
  /** The id of the first message at or after a time, else of the last one; null when that part is not in the local database. */
  localIdAt(key: ChatKey, time: number): Promise<number | null>;
  serverBelow(key: ChatKey, id: number): Promise<MessagePage | null>;
  serverFrom(key: ChatKey, id: number): Promise<MessagePage | null>;
  serverAround(key: ChatKey, to: { aroundId: number } | { at: number }): Promise<MessagePage | null>;
  /** Whether the server has a history of this chat. */
  hasServerHistory(key: ChatKey): boolean;
}

/** A page around a message. */
export interface AroundPage extends MessagePage {
  /** Whether each side has as much as a page can hold, or all there is: the server could not send more. */
  readonly isFull: boolean;
}

/** What the page loader needs. */
export interface PageLoaderDeps extends ChatDeps {
  /** Tests use small pages, so that they reach more ends of ranges. */
  pageSize: number;
}

/** Creates the page loader. */
export function createPageLoader({
  api,
  stateStore,
  database,
  chatStore,
  me,
  pageSize,
}: PageLoaderDeps): PageLoader {
  const chatOf = (key: ChatKey): Chat | undefined => stateStore.get().chats.byKey[key];
  const idOf = (message: ChatMessage | undefined) => message?.id ?? Infinity;

  /** The system chat has nothing on the server beyond its pull. */
  const hasServerHistory = (key: ChatKey) => chatOf(key) !== undefined && chatApiOf(api, key) !== null;

  /** The sync state after a read. An eviction may have run meanwhile, also in a tab whose message did not arrive here. */
  async function currentSync(key: ChatKey): Promise<ChatSync | null> {
    const evictionMark = await database.value(evictionMarkKey(key));
    if (isEvictionMark(evictionMark) && evictionMark.at > (chatOf(key)?.sync.evictedAt ?? 0))
      chatStore.dispatch([{ kind: "trim", key, below: evictionMark.below, at: evictionMark.at }]);
    return database.isUsable() ? (chatOf(key)?.sync ?? null) : null;
  }

  async function localBelow(key: ChatKey, id: number): Promise<MessagePage | null> {
    const rows = await database.messagesBefore(key, id, pageSize);
    const sync = await currentSync(key);
    const range = sync && rangeBelow(sync, id);
    if (range === null) return null;
    const messages = rows.filter((message) => idOf(message) >= range.from);
    return { messages, from: startOf(key, messages, range.from), to: id, isFromServer: false };
  }

  /** A full page begins with its first message, a shorter one with its known range. */
  function startOf(key: ChatKey, messages: readonly ChatMessage[], from: number): number {
    if (messages.length >= pageSize) return idOf(messages[0]);
    return hasServerHistory(key) ? from : 0;
  }

  async function localFrom(key: ChatKey, id: number): Promise<MessagePage | null> {
    const rows = await database.messagesAfter(key, id - 1, pageSize);
    const sync = await currentSync(key);
    const range = sync && rangeAt(sync, id);
    if (range === null) return null;
    const messages = rows.filter((message) => idOf(message) < range.to);
    const to = messages.length >= pageSize ? idOf(messages.at(-1)) + 1 : range.to;
    return { messages, from: id, to, isFromServer: false };
  }

  async function localAround(key: ChatKey, id: number): Promise<AroundPage | null> {
    const before = await localBelow(key, id);
    const after = await localFrom(key, id);
    if (after === null) return null;
    const messages = [...(before?.messages ?? []), ...after.messages];
    if (messages.length === 0) return null;
    const from = before?.from ?? id;
    const isStart = from === 0 || before?.messages.length === pageSize;
    const isEnd = after.to === Infinity || after.messages.length === pageSize;
    return { messages, from, to: after.to, isFromServer: false, isFull: isStart && isEnd };
  }

  async function localIdAt(key: ChatKey, time: number): Promise<number | null> {
    let low = 0;
    let high = (chatOf(key)?.sync.newest?.id ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = await database.messagesAfter(key, middle - 1, 1);
      if (row === undefined || row.sendTime >= time) high = middle;
      else low = idOf(row) + 1;
    }
    const [before] = await database.messagesBefore(key, low, 1);
    const [found] = await database.messagesAfter(key, low - 1, 1);
    const sync = await currentSync(key);
    const range = sync && rangeBelow(sync, idOf(found));
    // The message before it must be in the same range, or an earlier one may be missing between them.
    const isNeighbourKnown =
      range !== null && (before === undefined ? range.from === 0 : range.from <= idOf(before));
    return isNeighbourKnown ? ((found ?? before)?.id ?? null) : null;
  }

  async function requestHistory(key: ChatKey, query: HistoryQuery): Promise<ChatRow[] | null> {
    const chatApi = chatOf(key) === undefined ? null : chatApiOf(api, key);
    if (chatApi === null) return null;
    const result = await chatApi.history(query);
    return result.ok ? result.value : isNeverMember(result.failure) ? [] : null;
  }

  function messagesOf(key: ChatKey, rows: readonly ChatRow[]): ChatMessage[] {
    return rows.flatMap((row) => {
      const incoming = readChatRow("groupId" in row ? ChatType.GROUP : ChatType.PRIVATE, key, row, me);
      return incoming.kind === "chat" && incoming.input.kind === "row" ? [incoming.input.message] : [];
    });
  }

  return {
    localBelow,
    localFrom,
    localAround,
    localIdAt,
    hasServerHistory,
    async serverBelow(key, id) {
      for (let below = id; ;) {
        const answer = await requestHistory(key, {
          size: pageSize,
          ...(below !== Infinity && { maxId: below }),
        });
        if (answer === null) return null;
        const rows = answer.toReversed();
        // A page that is not full reaches the beginning of the chat.
        const from = rows.length < pageSize ? 0 : (rows[0]?.id ?? 0);
        const messages = messagesOf(key, rows);
        // Edits and recalls are rows without anything to show. If there is nothing else, load the next page.
        if (messages.length > 0 || from === 0) return { messages, from, to: id, isFromServer: true };
        below = from;
      }
    },
    async serverFrom(key, id) {
      for (let from = id; ;) {
        const rows = await requestHistory(key, { size: pageSize, minId: from - 1 });
        if (rows === null) return null;
        const to = rows.length < pageSize ? Infinity : (rows.at(-1)?.id ?? from) + 1;
        const messages = messagesOf(key, rows);
        if (messages.length > 0 || to === Infinity) return { messages, from: id, to, isFromServer: true };
        from = to;
      }
    },
    async serverAround(key, to) {
      const size = 2 * pageSize;
      const rows = await requestHistory(key, { size, ...to });
      const [first] = rows ?? [];
      const last = rows?.at(-1);
      if (rows === null || first === undefined || last === undefined) return null;
      // For a time only an empty half proves an end: the server finds the position by its own clock.
      const olderCount = "aroundId" in to ? rows.filter((row) => row.id < to.aroundId).length : null;
      const isStart = olderCount === null ? "at" in to && first.sendTime >= to.at : olderCount < pageSize;
      const isEnd =
        olderCount === null ? "at" in to && last.sendTime < to.at : rows.length - olderCount < pageSize;
      return {
        messages: messagesOf(key, rows),
        from: isStart ? 0 : first.id,
        to: isEnd ? Infinity : last.id + 1,
        isFromServer: true,
      };
    },
  };
}

/** The user never was in this group, so there is no history however often it is requested. */
function isNeverMember(failure: Failure): boolean {
  return (
    failure.kind === "refused" && (failure.key === "group.notJoined" || failure.key === "group.notFound")
  );
}
