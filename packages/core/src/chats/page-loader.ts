import { ChatType } from "@parley/protocol/codes";
import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import { readChatRow } from "../model/connection/read-frame.ts";
import {
  endOf,
  isEnd,
  joinPages,
  type JumpTarget,
  type MessagePage,
  outerId,
  rangeAround,
  rangeOfRows,
  type Side,
} from "../model/chats/message-page.ts";
import { rangeAt, rangeBelow } from "../model/chats/known-ranges.ts";
import type { ChatSync, ChatKey, ChatMessage, Failure } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { type HistoryQuery, chatApiOf, type ChatRow } from "./chat-api.ts";
import { isEvictionMark, evictionMarkKey } from "./eviction.ts";

/** How many messages are requested at once in one direction. */
export const PAGE_SIZE = HISTORY_PAGE_MAX / 2;

/**
 * Reads pages of a chat. null: the local database has no known range there; or the server did not answer, or has no history of this kind
 * of chat.
 */
export interface PageLoader {
  /** Messages below an id, or from an id on, out of the local database. */
  local(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  /** The same from the server. */
  server(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  /** The messages around an id, if the local database has as much of them as the server could send. */
  fullLocalAround(key: ChatKey, id: number): Promise<MessagePage | null>;
  /** From the local database if it has as much as the server could send, or if the server does not answer. */
  around(key: ChatKey, to: JumpTarget): Promise<MessagePage | null>;
  /** The end of the chat; from the server only if the local database has no message there. */
  newest(key: ChatKey): Promise<MessagePage | null>;
}

/** A page around a message. */
interface AroundPage extends MessagePage {
  /** Whether each side has as much as a page can hold, or all there is: the server could not send more. */
  readonly isFull: boolean;
}

/** What the page loader needs. */
export interface PageLoaderDeps extends ChatDeps {
  /** Tests use small pages, so that they reach more ends of ranges. */
  readonly pageSize: number;
}

/** Creates the page loader. */
export function createPageLoader(deps: PageLoaderDeps): PageLoader {
  const { api, database, chatStore, me, pageSize: size } = deps;
  const { chatOf } = chatStore;
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

  async function local(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null> {
    const isOlder = side === "older";
    const rows = await (isOlder
      ? database.messagesBefore(key, edge, size)
      : database.messagesAfter(key, edge - 1, size));
    const sync = await currentSync(key);
    const range = sync && (isOlder ? rangeBelow(sync, edge) : rangeAt(sync, edge));
    if (range === null) return null;
    const messages = rows.filter((message) => range.from <= idOf(message) && idOf(message) < range.to);
    const end = isOlder && !hasServerHistory(key) ? 0 : outerId(range, side);
    return { messages, ...rangeOfRows(messages, { side, edge, size }, end), isFromServer: false };
  }

  async function localAround(key: ChatKey, id: number): Promise<AroundPage | null> {
    const before = await local(key, "older", id);
    const after = await local(key, "newer", id);
    if (after === null) return null;
    const page = before === null ? after : joinPages(after, before);
    if (page.messages.length === 0) return null;
    const isStart = page.from === 0 || before?.messages.length === size;
    return { ...page, isFull: isStart && (page.to === Infinity || after.messages.length === size) };
  }

  /** The id of the first message at or after a time, else of the last one; null when that part is not in the local database. */
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

  async function server(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null> {
    let page: MessagePage = { messages: [], from: edge, to: edge, isFromServer: true };
    // Edits and recalls are rows without anything to show. If there is nothing else, load the next page.
    while (page.messages.length === 0 && !isEnd(page, side)) {
      const next = outerId(page, side);
      const bound = side === "newer" ? { minId: next - 1 } : next === Infinity ? {} : { maxId: next };
      const answer = await requestHistory(key, { size, ...bound });
      if (answer === null) return null;
      const rows = side === "older" ? answer.toReversed() : answer;
      const range = rangeOfRows(rows, { side, edge: next, size }, endOf(side));
      page = joinPages(page, { messages: messagesOf(key, rows), ...range, isFromServer: true });
    }
    return page;
  }

  async function serverAround(key: ChatKey, to: JumpTarget): Promise<MessagePage | null> {
    const target = "id" in to ? { aroundId: to.id } : { at: to.time };
    const rows = await requestHistory(key, { size: 2 * size, ...target });
    const range = rows && rangeAround(rows, to, 2 * size);
    return range && { messages: messagesOf(key, rows), ...range, isFromServer: true };
  }

  return {
    local,
    server,
    async fullLocalAround(key, id) {
      const page = await localAround(key, id);
      return page?.isFull === true ? page : null;
    },
    async around(key, to) {
      const id = "id" in to ? to.id : await localIdAt(key, to.time);
      const localPage = id === null ? null : await localAround(key, id);
      return localPage?.isFull === true ? localPage : ((await serverAround(key, to)) ?? localPage);
    },
    async newest(key) {
      const localPage = await local(key, "older", Infinity);
      const hasMessages = localPage !== null && localPage.messages.length > 0;
      return hasMessages ? localPage : ((await server(key, "older", Infinity)) ?? localPage);
    },
  };
}

/** The user never was in this group, so there is no history however often it is requested. */
function isNeverMember(failure: Failure): boolean {
  return (
    failure.kind === "refused" && (failure.key === "group.notJoined" || failure.key === "group.notFound")
  );
}
