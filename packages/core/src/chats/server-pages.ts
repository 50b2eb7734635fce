import { ChatType } from "@parley/protocol/codes";
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
import type { ChatKey, ChatMessage, Failure } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { type HistoryQuery, chatApiOf, type ChatRow } from "./chat-api.ts";

/** What reading pages needs. */
export interface PageDeps extends ChatDeps {
  /** Tests use small pages, so that they reach more ends of ranges. */
  readonly pageSize: number;
}

/** Pages of messages from the server; null without an answer, or if it has no history of this kind of chat. */
export interface ServerPages {
  /** The system chat has nothing on the server beyond its pull. */
  hasHistory(key: ChatKey): boolean;
  /** Messages below an id, or from an id on. */
  page(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  around(key: ChatKey, to: JumpTarget): Promise<MessagePage | null>;
}

/** Creates the pages of the server. */
export function createServerPages({ api, chatStore, me, pageSize: size }: PageDeps): ServerPages {
  const historyApiOf = (key: ChatKey) => (chatStore.chatOf(key) === undefined ? null : chatApiOf(api, key));

  async function requestHistory(key: ChatKey, query: HistoryQuery): Promise<ChatRow[] | null> {
    const chatApi = historyApiOf(key);
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
    hasHistory: (key) => historyApiOf(key) !== null,
    async page(key, side, edge) {
      let loaded: MessagePage = { messages: [], from: edge, to: edge, isFromServer: true };
      // Edits and recalls are rows without anything to show. If there is nothing else, load the next page.
      while (loaded.messages.length === 0 && !isEnd(loaded, side)) {
        const next = outerId(loaded, side);
        const bound = side === "newer" ? { minId: next - 1 } : next === Infinity ? {} : { maxId: next };
        const answer = await requestHistory(key, { size, ...bound });
        if (answer === null) return null;
        const rows = side === "older" ? answer.toReversed() : answer;
        const range = rangeOfRows(rows, { side, edge: next, size }, endOf(side));
        loaded = joinPages(loaded, { messages: messagesOf(key, rows), ...range, isFromServer: true });
      }
      return loaded;
    },
    async around(key, to) {
      const target = "id" in to ? { aroundId: to.id } : { at: to.time };
      const rows = await requestHistory(key, { size: 2 * size, ...target });
      const range = rows && rangeAround(rows, to, 2 * size);
      return range && { messages: messagesOf(key, rows), ...range, isFromServer: true };
    },
  };
}

/** The user never was in this group, so there is no history however often it is requested. */
function isNeverMember(failure: Failure): boolean {
  return (
    failure.kind === "refused" && (failure.key === "group.notJoined" || failure.key === "group.notFound")
  );
}
