import { ChatType } from "@parley/protocol/codes";
import type { PagePurpose } from "../model/chats/add-page.ts";
import type { ChatInput } from "../model/chats/chat-input.ts";
import {
  isEnd,
  joinPages,
  type MessagePage,
  outerId,
  type Side,
  withKnownEnd,
} from "../model/chats/message-page.ts";
import { canLoadMore, edgeOf } from "../model/chats/window-range.ts";
import type { ChatKey, ChatWindow } from "../model/state.ts";
import type { PageLoader } from "./page-loader.ts";
import type { PageDeps } from "./server-pages.ts";

/** Brings pages into the window of a chat. */
export interface Paging {
  /** Applies a page, and after it the inputs that arrived while it was read, so that a page never restores an older state. */
  apply(
    key: ChatKey,
    purpose: PagePurpose,
    read: () => Promise<MessagePage | null>,
    followUp?: (page: MessagePage) => readonly ChatInput[],
  ): Promise<MessagePage | null>;
  /** Extends one end of the window: shows what the local database has at once and loads the rest without waiting for it. */
  extend(key: ChatKey, side: Side): Promise<void>;
  setState(key: ChatKey, side: Side, state: ChatWindow["older"]): void;
  /** Returns a check whether what was read since this call may still be used. */
  beginRead(key: ChatKey): () => boolean;
}

/** What paging needs. */
export interface PagingDeps extends PageDeps {
  readonly pageLoader: PageLoader;
}

/** Creates the paging of all chats. */
export function createPaging({ chatStore, pageLoader, pageSize }: PagingDeps): Paging {
  const { chatOf } = chatStore;

  const paging: Paging = {
    async apply(key, purpose, read, followUp = () => []) {
      const type = chatOf(key)?.type ?? ChatType.PRIVATE;
      const startBefore = chatStore.historyStart[type];
      const inputsSince = chatStore.trackInputs(key);
      const answer = await read();
      const missedInputs = inputsSince();
      if (answer === null || missedInputs === null) return null;
      const page = startBefore === chatStore.historyStart[type] ? answer : withKnownEnd(answer);
      chatStore.dispatch([{ kind: "page", key, page, purpose }, ...missedInputs, ...followUp(page)]);
      return page;
    },

    async extend(key, side) {
      const chat = chatOf(key);
      if (chat === undefined || !canLoadMore(chat, side)) return;
      const isStillValid = paging.beginRead(key);
      const edge = edgeOf(chat, side);
      let loaded: MessagePage = { messages: [], from: edge, to: edge, isFromServer: false };
      const readFrom = async (source: PageLoader["local"]) => {
        const page = await source(key, side, outerId(loaded, side));
        return page && joinPages(loaded, page);
      };
      for (;;) {
        paging.setState(key, side, "loading");
        const count = loaded.messages.length + pageSize;
        const isShort = (page: MessagePage) => !isEnd(page, side) && page.messages.length < count;
        const page = await paging.apply(
          key,
          side,
          () => readFrom(pageLoader.local),
          (localPage) => (isShort(localPage) ? [stateInput(key, side, "loading")] : []),
        );
        if (!isStillValid()) return;
        loaded = page ?? loaded;
        if (page === null || isShort(page)) break;
        // Every message of the page may have been deleted. Then the next page is needed.
        if (isEnd(page, side) || edgeOf(chatOf(key) ?? chat, side) !== edge) return;
      }
      void paging
        .apply(key, side, () => readFrom(pageLoader.server))
        .then((page) => {
          if (page === null && isStillValid()) paging.setState(key, side, "failed");
        });
    },

    setState: (key, side, state) => chatStore.dispatch([stateInput(key, side, state)]),

    beginRead(key) {
      const invalidations = chatStore.invalidationCount(key);
      return () => invalidations === chatStore.invalidationCount(key);
    },
  };
  return paging;
}

function stateInput(key: ChatKey, side: Side, state: ChatWindow["older"]): ChatInput {
  return side === "older" ? { kind: side, key, older: state } : { kind: side, key, newer: state };
}
