import { ChatType } from "@parley/protocol/codes";
import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { MessagePage } from "../model/chats/add-page.ts";
import { rangeAt, rangeBelow } from "../model/chats/known-ranges.ts";
import type { Chat, ChatSync, ChatKey, ChatMessage, Failure } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { ChatStore } from "./chat-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { StateStore } from "../state-store.ts";
import { type HistoryQuery, chatApiOf, type ChatRow } from "./chat-api.ts";
import { isEvictionMark, evictionMarkKey } from "./eviction.ts";

/** Messages asked for at once, in one direction. */
export const PAGE_SIZE = HISTORY_PAGE_MAX / 2;

/** Pages of a chat. null: the disk has nothing there without holes; the server did not answer, or has no history of this kind of chat. */
export interface PageLoader {
  localBelow(key: ChatKey, id: number): Promise<MessagePage | null>;
  localFrom(key: ChatKey, id: number): Promise<MessagePage | null>;
  localAround(key: ChatKey, id: number): Promise<AroundPage | null>;
  /** Id of the first message from a time on, else of the last one; null when that part is not on disk. */
  localIdAt(key: ChatKey, time: number): Promise<number | null>;
  serverBelow(key: ChatKey, id: number): Promise<MessagePage | null>;
  serverFrom(key: ChatKey, id: number): Promise<MessagePage | null>;
  serverAround(key: ChatKey, to: { aroundId: number } | { at: number }): Promise<MessagePage | null>;
  /** Whether there is anything to ask the server for. */
  hasServerHistory(key: ChatKey): boolean;
}

export interface AroundPage extends MessagePage {
  /** As much on each side as a page has, or all there is: the server could not tell more. */
  readonly isFull: boolean;
}

export interface PageLoaderDeps {
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  me(): number;
  /** Small ones, in tests, meet more ends. */
  pageSize: number;
}

export function createPageLoader({
  api,
  stateStore,
  database,
  chatStore,
  me,
  pageSize,
}: PageLoaderDeps): PageLoader {
  const find = (key: ChatKey): Chat | undefined => stateStore.get().chats.byKey[key];
  const idOf = (message: ChatMessage | undefined) => message?.id ?? Infinity;

  /** The system chat has nothing on the server beyond its pull. */
  const hasServerHistory = (key: ChatKey) => find(key) !== undefined && chatApiOf(api, key) !== null;

  /** What is known now, after a read: the disk may have been trimmed meanwhile, also by a tab that this one has not heard. */
  async function currentSync(key: ChatKey): Promise<ChatSync | null> {
    const evictionMark = await database.value(evictionMarkKey(key));
    if (isEvictionMark(evictionMark) && evictionMark.at > (find(key)?.sync.evictedAt ?? 0))
      chatStore.dispatch([{ kind: "trim", key, below: evictionMark.below, at: evictionMark.at }]);
    return database.isUsable() ? (find(key)?.sync ?? null) : null;
  }

  async function localBelow(key: ChatKey, id: number): Promise<MessagePage | null> {
    const rows = await database.messagesBefore(key, id, pageSize);
    const known = await currentSync(key);
    const range = known && rangeBelow(known, id);
    if (range === null) return null;
    const messages = rows.filter((message) => idOf(message) >= range.from);
    return { messages, from: startOf(key, messages, range.from), to: id, isFromServer: false };
  }

  /** A full page begins with its first message, another one where the known part does. */
  function startOf(key: ChatKey, messages: readonly ChatMessage[], from: number): number {
    if (messages.length >= pageSize) return idOf(messages[0]);
    return hasServerHistory(key) ? from : 0;
  }

  async function localFrom(key: ChatKey, id: number): Promise<MessagePage | null> {
    const rows = await database.messagesAfter(key, id - 1, pageSize);
    const known = await currentSync(key);
    const range = known && rangeAt(known, id);
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
    let high = (find(key)?.sync.newest?.id ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = await database.messagesAfter(key, middle - 1, 1);
      if (row === undefined || row.sendTime >= time) high = middle;
      else low = idOf(row) + 1;
    }
    const [before] = await database.messagesBefore(key, low, 1);
    const [found] = await database.messagesAfter(key, low - 1, 1);
    const known = await currentSync(key);
    const range = known && rangeBelow(known, idOf(found));
    // The one before it must lie in the same part, or an earlier one may be missing between.
    const isNeighbourKnown =
      range !== null && (before === undefined ? range.from === 0 : range.from <= idOf(before));
    return isNeighbourKnown ? ((found ?? before)?.id ?? null) : null;
  }

  async function requestHistory(key: ChatKey, query: HistoryQuery): Promise<ChatRow[] | null> {
    const chatApi = find(key) === undefined ? null : chatApiOf(api, key);
    if (chatApi === null) return null;
    const startUserId = me();
    const result = await chatApi.history(query);
    if (startUserId !== me()) return null;
    return result.ok ? result.value : isNeverMember(result.failure) ? [] : null;
  }

  function messagesOf(key: ChatKey, rows: readonly ChatRow[]): ChatMessage[] {
    return rows.flatMap((row) => {
      const incoming = readChatRow("groupId" in row ? ChatType.GROUP : ChatType.PRIVATE, key, row, me());
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
        // A page that is not full reaches the beginning: below it there is nothing.
        const from = rows.length < pageSize ? 0 : (rows[0]?.id ?? 0);
        const messages = messagesOf(key, rows);
        // Edits and recalls have rows, but nothing to show: what is asked for stands behind them.
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
      // Of a time only an empty half is sure to be the end: the server finds the place by its own clock.
      const older = "aroundId" in to ? rows.filter((row) => row.id < to.aroundId).length : null;
      const isStart = older === null ? "at" in to && first.sendTime >= to.at : older < pageSize;
      const isEnd = older === null ? "at" in to && last.sendTime < to.at : rows.length - older < pageSize;
      return {
        messages: messagesOf(key, rows),
        from: isStart ? 0 : first.id,
        to: isEnd ? Infinity : last.id + 1,
        isFromServer: true,
      };
    },
  };
}

/** A group that one never was in: nothing of it is to be seen, however often it is asked for. */
function isNeverMember(failure: Failure): boolean {
  return (
    failure.kind === "refused" && (failure.key === "group.notJoined" || failure.key === "group.notFound")
  );
}
