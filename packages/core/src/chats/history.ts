import { ChatType } from "@parley/protocol/codes";
import type { GroupService } from "../groups/group-service.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { nextMention } from "../model/chats/mentions.ts";
import { EMPTY_PAGE, type JumpTarget } from "../model/chats/message-page.ts";
import { confirmedOf, findInWindow, isInWindow, nearestId } from "../model/chats/window-range.ts";
import type { ChatKey } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import type { ChatPrefsService } from "./chat-prefs.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { FirstChatsLoader } from "./first-chats.ts";
import { createPageLoader, PAGE_SIZE } from "./page-loader.ts";
import { createPaging } from "./paging.ts";

/** Where a chat opens while it has unread messages. */
export type OpeningPosition = "firstUnread" | "newest";

/** Opens chats and moves through their messages. */
export interface HistoryActions {
  /**
   * Makes it the open chat; creates an empty one if it is new. Its first page comes from the local database, then from the server; it is
   * around the first unread message unless the chat is to open at its newest messages.
   */
  open(key: ChatKey, at?: OpeningPosition): void;
  closeOpen(): void;
  /** Extends the window by older messages. */
  loadOlder(key: ChatKey): void;
  /** Extends a window that ends below the newest message by newer messages. */
  loadNewer(key: ChatKey): void;
  /** Moves the window to the newest messages. */
  showNewest(key: ChatKey): void;
  /**
   * Opens the chat and moves the window to a message or a time. Resolves with the id to show, which is in the window then: that message, or
   * its neighbour if it was deleted; for a time the first message from then on, else the last one. null: it could not be loaded.
   */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
  /** The oldest unread message that mentions me; reading past it removes it. null for none. */
  nextMention(key: ChatKey): number | null;
}

/**
 * Moves the window of a chat through its history: from the local database as far as that has no gap, then from the server. Each page names
 * the range in which it holds all messages, so no page skips a gap; pages of the server close it.
 */
export interface History extends Pick<SessionEvents, "retry"> {
  readonly actions: HistoryActions;
  /** Fills the window of the chat that was open before a reload. */
  loadInitial(key: ChatKey): Promise<void>;
  /** Loads a chat's newest message after that was removed and the one before it is not in memory. */
  loadPreview(key: ChatKey): Promise<void>;
  /** A new message of this person is to be seen: moves the window to the newest messages. */
  showNewest(key: ChatKey): Promise<void>;
  /** The user writes in this chat: gives up jumps to other messages that are still loading. */
  cancelNavigation(key: ChatKey): void;
}

/** What the history needs. */
export interface HistoryDeps extends ChatDeps {
  readonly pageSize?: number;
  readonly firstChats: FirstChatsLoader;
  readonly groupService: Pick<GroupService, "onChatShown">;
  readonly chatPrefs: Pick<ChatPrefsService, "endUnreadMark">;
}

/** Creates the history of all chats. */
export function createHistory(deps: HistoryDeps): History {
  const { ports, stateStore, chatStore, pageSize = PAGE_SIZE } = deps;
  const { chatOf } = chatStore;
  const pageLoader = createPageLoader({ ...deps, pageSize });
  const paging = createPaging({ ...deps, pageSize, pageLoader });
  /** By chat, rises with each navigation within it; earlier navigations give up. */
  const navigations = new Map<ChatKey, number>();

  function beginNavigation(key: ChatKey): () => boolean {
    const navigation = (navigations.get(key) ?? 0) + 1;
    navigations.set(key, navigation);
    return () => navigations.get(key) === navigation;
  }

  function openChat(key: ChatKey): void {
    const isUnknown = deps.firstChats.opening(key);
    chatStore.dispatch([{ kind: "open", key, now: ports.clock.now(), isUnknown }], { lastOpen: key });
    deps.chatPrefs.endUnreadMark(key);
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) deps.groupService.onChatShown(target.targetId);
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

  /**
   * Fills the window of a chat that was just opened: around its first unread message, or with the newest messages if that is asked for or
   * nothing is unread. `firstUnreadId`: that message as the server says it, for a chat whose messages only the server has.
   */
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

  async function loadPreview(key: ChatKey): Promise<void> {
    if (chatOf(key)?.window.hasNewer !== true) return paging.extend(key, "older");
    await paging.apply(key, "older", () => pageLoader.newest(key));
  }

  const actions: HistoryActions = {
    open(key, at) {
      const firstUnreadId = stateStore.get().firstChats?.byKey[key]?.firstUnreadId ?? null;
      openChat(key);
      void loadInitial(key, at, firstUnreadId);
    },
    closeOpen: () => chatStore.dispatch([{ kind: "close" }], { lastOpen: null }),
    loadOlder: (key) => void paging.extend(key, "older"),
    loadNewer: (key) => void paging.extend(key, "newer"),
    showNewest: (key) => void showNewest(key),
    async jumpTo(key, to) {
      openChat(key);
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
    nextMention: (key) => nextMention(chatOf(key)),
  };

  return {
    actions,
    loadInitial: (key) => loadInitial(key),
    loadPreview,
    showNewest,
    cancelNavigation: beginNavigation,
    retry() {
      for (const chat of Object.values(stateStore.get().chats.byKey))
        if (chat.sync.needsPreview) void loadPreview(chat.key);
    },
  };
}
