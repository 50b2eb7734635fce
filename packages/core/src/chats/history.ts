import { ChatType } from "@parley/protocol/codes";
import { EMPTY_PAGE, type JumpTarget } from "../model/chats/message-page.ts";
import { confirmedOf, findInWindow, isInWindow, nearestId } from "../model/chats/window-range.ts";
import type { OpeningPosition } from "../client-api.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createPageLoader, PAGE_SIZE } from "./page-loader.ts";
import { createPaging } from "./paging.ts";

/**
 * Moves the window of a chat through its history: from the local database as far as that has no gap, then from the server. Each page names
 * the range in which it holds all messages, so no page skips a gap; pages of the server close it.
 */
export interface History {
  /**
   * Fills the window of a chat that was just opened: around its first unread message, or with the newest messages if that is asked for or
   * nothing is unread. `firstUnreadId`: that message as the server says it, for a chat whose messages only the server has.
   */
  loadInitial(key: ChatKey, at?: OpeningPosition, firstUnreadId?: number | null): Promise<void>;
  /** Loads a chat's newest message after that was removed and the one before it is not in memory. */
  loadPreview(key: ChatKey): Promise<void>;
  loadOlder(key: ChatKey): Promise<void>;
  loadNewer(key: ChatKey): Promise<void>;
  showNewest(key: ChatKey): Promise<void>;
  /** The user writes in this chat: gives up jumps to other messages that are still loading. */
  cancelNavigation(key: ChatKey): void;
  /** Returns the id to show, or null when it could not be loaded. The chat has to be open. */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
}

/** What the history needs. */
export interface HistoryDeps extends ChatDeps {
  readonly pageSize?: number;
}

/** Creates the history of all chats. */
export function createHistory(deps: HistoryDeps): History {
  const { pageSize = PAGE_SIZE } = deps;
  const { chatOf } = deps.chatStore;
  const pageLoader = createPageLoader({ ...deps, pageSize });
  const paging = createPaging({ ...deps, pageSize, pageLoader });
  /** By chat, rises with each navigation within it; earlier navigations give up. */
  const navigations = new Map<ChatKey, number>();

  function beginNavigation(key: ChatKey): () => boolean {
    const navigation = (navigations.get(key) ?? 0) + 1;
    navigations.set(key, navigation);
    return () => navigations.get(key) === navigation;
  }

  async function showNewest(key: ChatKey): Promise<void> {
    if (chatOf(key)?.window.hasNewer !== true) return;
    const isCurrent = beginNavigation(key);
    paging.setState(key, "newer", "loading");
    const page = await paging.apply(key, "newest", async () => {
      // Go to the end even without an answer: what the user writes there has to be visible.
      const newest = (await pageLoader.newest(key)) ?? EMPTY_PAGE;
      return isCurrent() ? newest : null;
    });
    if (page === null) {
      // During the request, another navigation has moved the window, or has tried to.
      if (chatOf(key)?.window.newer === "loading") paging.setState(key, "newer", "idle");
      return;
    }
    if (page.messages.length < pageSize) await paging.extend(key, "older");
  }

  async function loadInitial(
    key: ChatKey,
    at: OpeningPosition = "firstUnread",
    firstUnreadId: number | null = null,
  ): Promise<void> {
    const chat = chatOf(key);
    if (chat === undefined) return;
    const isCurrent = beginNavigation(key);
    if (chat.sync.knownFrom === Infinity) {
      // A start with such a chat open does not wait for the server.
      void loadFromServer(key, at === "newest" ? null : firstUnreadId, isCurrent);
      return;
    }
    if (at === "newest" && chat.window.hasNewer) return showNewest(key);
    const [unread] = at === "newest" || chat.type === ChatType.SYSTEM ? [] : chat.sync.unread;
    if (unread === undefined || isInWindow(chat, unread)) {
      if (confirmedOf(chat).length < pageSize) await paging.extend(key, "older");
      return;
    }
    paging.setState(key, "older", "loading");
    const isStillValid = paging.beginRead(key);
    const localPage = await paging.apply(key, "around", async () => {
      const page = await pageLoader.fullLocalAround(key, unread);
      return isCurrent() ? page : null;
    });
    if (localPage !== null) return;
    if (!isCurrent()) return resetLoading(key);
    // Show what the local database has, and do not wait for the server.
    void paging
      .apply(key, "around", async () => {
        const page = await pageLoader.around(key, { id: unread });
        return isCurrent() ? page : null;
      })
      .then((page) => {
        if (page !== null || !isStillValid()) return;
        if (isCurrent()) paging.setState(key, "older", "failed");
        else resetLoading(key);
      });
  }

  /** Fills the window of a chat of which the local database has nothing. */
  async function loadFromServer(
    key: ChatKey,
    firstUnreadId: number | null,
    isCurrent: () => boolean,
  ): Promise<void> {
    paging.setState(key, "older", "loading");
    const isStillValid = paging.beginRead(key);
    const page = await paging.apply(key, firstUnreadId === null ? "newest" : "around", async () => {
      const loaded = await (firstUnreadId === null
        ? pageLoader.server(key, "older", Infinity)
        : pageLoader.around(key, { id: firstUnreadId }));
      return isCurrent() ? loaded : null;
    });
    if (page !== null || !isStillValid()) return;
    if (isCurrent()) paging.setState(key, "older", "failed");
    else resetLoading(key);
  }

  /** Clears the loading state after another navigation has taken over, or has been prevented by that state. */
  function resetLoading(key: ChatKey): void {
    const chat = chatOf(key);
    if (chat?.window.older !== "loading") return;
    paging.setState(key, "older", "idle");
    if (confirmedOf(chat).length < pageSize) void paging.extend(key, "older");
  }

  return {
    loadInitial,
    async loadPreview(key) {
      if (chatOf(key)?.window.hasNewer !== true) return paging.extend(key, "older");
      await paging.apply(key, "older", () => pageLoader.newest(key));
    },
    loadOlder: (key) => paging.extend(key, "older"),
    loadNewer: (key) => paging.extend(key, "newer"),
    showNewest,
    cancelNavigation: beginNavigation,
    async jumpTo(key, to) {
      const isCurrent = beginNavigation(key);
      const chat = chatOf(key);
      const idInWindow = chat === undefined ? null : findInWindow(chat, to);
      if (idInWindow !== null) return idInWindow;
      const page = await paging.apply(key, "around", async () => {
        const around = await pageLoader.around(key, to);
        return isCurrent() ? around : null;
      });
      return page === null ? null : nearestId(chatOf(key), to);
    },
  };
}
