import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { MessagePage, PagePurpose } from "../model/chats/add-page.ts";
import type { Chat, ChatKey, ChatMessage, IdRange } from "../model/state.ts";
import type { JumpTarget } from "../client-api.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createPageLoader, PAGE_SIZE } from "./page-loader.ts";

/**
 * Moves the window of a chat through its history: from the local database as far as that has no gap, then from the server. Each page names
 * the range in which it holds all messages, so no page skips a gap; pages of the server close it.
 */
export interface History {
  /** Fills the window of a chat that was just opened: around its first unread message, else with the newest messages. */
  loadInitial(key: ChatKey): Promise<void>;
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
  const { stateStore, chatStore, pageSize = PAGE_SIZE } = deps;
  const pageLoader = createPageLoader({ ...deps, pageSize });
  const chatOf = (key: ChatKey): Chat | undefined => stateStore.get().chats.byKey[key];
  /** By chat, rises with each navigation within it; earlier navigations give up. */
  const navigations = new Map<ChatKey, number>();

  function beginNavigation(key: ChatKey): () => boolean {
    const navigation = (navigations.get(key) ?? 0) + 1;
    navigations.set(key, navigation);
    return () => navigations.get(key) === navigation;
  }

  /** Applies a page, and after it the inputs that arrived while it was read, so that a page never restores an older state. */
  async function load(
    key: ChatKey,
    purpose: PagePurpose,
    read: () => Promise<MessagePage | null>,
    followUp: (page: MessagePage) => readonly ChatInput[] = () => [],
  ): Promise<MessagePage | null> {
    const type = chatOf(key)?.type ?? ChatType.PRIVATE;
    const startBefore = chatStore.historyStart[type];
    const inputsSince = chatStore.trackInputs(key);
    const answer = await read();
    const missedInputs = inputsSince();
    if (answer === null || missedInputs === null) return null;
    const page = startBefore === chatStore.historyStart[type] ? answer : withKnownEnd(answer);
    chatStore.dispatch([{ kind: "page", key, page, purpose }, ...missedInputs, ...followUp(page)]);
    return page;
  }

  /** Extends one end of the window: shows what the local database has at once and loads the rest without waiting for it. */
  async function loadMore(key: ChatKey, side: Side): Promise<void> {
    const chat = chatOf(key);
    if (chat === undefined || !canLoadMore(chat, side)) return;
    const isStillValid = createValidityCheck(key);
    const edge = edgeOf(chat, side);
    let loaded: MessagePage = { messages: [], from: edge, to: edge, isFromServer: false };
    for (;;) {
      chatStore.dispatch([loadingInput(key, side)]);
      const count = loaded.messages.length + pageSize;
      const isShort = (page: MessagePage) => !isEnd(page, side) && page.messages.length < count;
      const page = await load(
        key,
        side,
        async () =>
          joinPages(
            loaded,
            await pageLoader[side === "older" ? "localBelow" : "localFrom"](key, outerId(loaded, side)),
          ),
        (localPage) => (isShort(localPage) ? [loadingInput(key, side)] : []),
      );
      if (!isStillValid()) return;
      loaded = page ?? loaded;
      if (page === null || isShort(page)) break;
      // Every message of the page may have been deleted. Then the next page is needed.
      if (isEnd(page, side) || edgeOf(chatOf(key) ?? chat, side) !== edge) return;
    }
    const loadFromServer = pageLoader[side === "older" ? "serverBelow" : "serverFrom"];
    void load(key, side, async () =>
      joinPages(loaded, await loadFromServer(key, outerId(loaded, side))),
    ).then((page) => {
      if (page === null && isStillValid()) markFailed(key, side);
    });
  }

  function markFailed(key: ChatKey, side: Side): void {
    chatStore.dispatch([
      side === "older" ? { kind: "older", key, older: "failed" } : { kind: "newer", key, newer: "failed" },
    ]);
  }

  /** Returns a check whether what was read since this call may still be used. */
  function createValidityCheck(key: ChatKey): () => boolean {
    const invalidations = chatStore.invalidationCount(key);
    return () => invalidations === chatStore.invalidationCount(key);
  }

  async function showNewest(key: ChatKey): Promise<void> {
    if (chatOf(key)?.window.hasNewer !== true) return;
    const isCurrent = beginNavigation(key);
    chatStore.dispatch([{ kind: "newer", key, newer: "loading" }]);
    const page = await load(key, "newest", async () => {
      const localPage = await pageLoader.localBelow(key, Infinity);
      const hasLocalMessages = localPage !== null && localPage.messages.length > 0;
      // Go to the end even without an answer: what the user writes there has to be visible.
      const newest = hasLocalMessages
        ? localPage
        : ((await pageLoader.serverBelow(key, Infinity)) ?? localPage ?? EMPTY_PAGE);
      return isCurrent() ? newest : null;
    });
    if (page === null) {
      // Another navigation has moved the window meanwhile, or has tried to.
      if (chatOf(key)?.window.newer === "loading")
        chatStore.dispatch([{ kind: "newer", key, newer: "idle" }]);
      return;
    }
    if (page.messages.length < pageSize) await loadMore(key, "older");
  }

  async function loadInitial(key: ChatKey): Promise<void> {
    const chat = chatOf(key);
    if (chat === undefined) return;
    const isCurrent = beginNavigation(key);
    const [unread] = chat.type === ChatType.SYSTEM ? [] : chat.sync.unread;
    if (unread === undefined || isInWindow(chat, unread)) {
      if (confirmedOf(chat).length < pageSize) await loadMore(key, "older");
      return;
    }
    chatStore.dispatch([{ kind: "older", key, older: "loading" }]);
    const isStillValid = createValidityCheck(key);
    const localPage = await load(key, "around", async () => {
      const page = await pageLoader.localAround(key, unread);
      return page?.isFull === true && isCurrent() ? page : null;
    });
    if (localPage !== null) return;
    if (!isCurrent()) return resetLoading(key);
    const target = { id: unread };
    // Show what the local database has, and do not wait for the server.
    void load(key, "around", () => loadAround(key, target, isCurrent)).then((page) => {
      if (page !== null || !isStillValid()) return;
      if (isCurrent()) markFailed(key, "older");
      else resetLoading(key);
    });
  }

  /** Clears the loading state after another navigation has taken over, or has been prevented by that state. */
  function resetLoading(key: ChatKey): void {
    const chat = chatOf(key);
    if (chat?.window.older !== "loading") return;
    chatStore.dispatch([{ kind: "older", key, older: "idle" }]);
    if (confirmedOf(chat).length < pageSize) void loadMore(key, "older");
  }

  async function loadPreview(key: ChatKey): Promise<void> {
    if (chatOf(key)?.window.hasNewer !== true) return loadMore(key, "older");
    await load(key, "older", async () => {
      const localPage = await pageLoader.localBelow(key, Infinity);
      return localPage !== null && localPage.messages.length > 0
        ? localPage
        : pageLoader.serverBelow(key, Infinity);
    });
  }

  async function jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null> {
    const isCurrent = beginNavigation(key);
    const idInWindow = findInWindow(chatOf(key), to);
    if (idInWindow !== null) return idInWindow;
    const page = await load(key, "around", () => loadAround(key, to, isCurrent));
    return page === null ? null : nearestId(chatOf(key), to);
  }

  /** Reads the local database if it has as much as the server could send, or if the server does not answer. */
  async function loadAround(
    key: ChatKey,
    to: JumpTarget,
    isCurrent: () => boolean,
  ): Promise<MessagePage | null> {
    const id = "id" in to ? to.id : await pageLoader.localIdAt(key, to.time);
    const localPage = id === null ? null : await pageLoader.localAround(key, id);
    const page = localPage?.isFull
      ? localPage
      : ((await pageLoader.serverAround(key, "id" in to ? { aroundId: to.id } : { at: to.time })) ??
        localPage);
    return isCurrent() ? page : null;
  }

  return {
    loadInitial,
    loadPreview,
    loadOlder: (key) => loadMore(key, "older"),
    loadNewer: (key) => loadMore(key, "newer"),
    showNewest,
    cancelNavigation: beginNavigation,
    jumpTo,
  };
}

/** For a page during whose loading a pull left rows out: ends it at its last message, since newer ones may be missing. */
function withKnownEnd(page: MessagePage): MessagePage {
  if (page.to !== Infinity || !page.isFromServer) return page;
  return { ...page, to: (page.messages.at(-1)?.id ?? page.from - 1) + 1 };
}

const EMPTY_PAGE: MessagePage = { messages: [], from: Infinity, to: Infinity, isFromServer: false };

type Side = "older" | "newer";

function canLoadMore({ window }: Chat, side: Side): boolean {
  return side === "older"
    ? window.hasOlder && window.older !== "loading"
    : window.hasNewer && window.newer !== "loading";
}

function loadingInput(key: ChatKey, side: Side): ChatInput {
  return side === "older" ? { kind: side, key, older: "loading" } : { kind: side, key, newer: "loading" };
}

/** The end of the window: its first id, or the id after its last one. */
function edgeOf(chat: Chat, side: Side): number {
  const { from, to } = windowRangeOf(chat, confirmedOf(chat));
  return side === "older" ? from : to;
}

function outerId({ from, to }: IdRange, side: Side): number {
  return side === "older" ? from : to;
}

function isEnd({ from, to }: IdRange, side: Side): boolean {
  return side === "older" ? from === 0 : to === Infinity;
}

/** Joins two adjacent pages. */
function joinPages(loaded: MessagePage, read: MessagePage | null): MessagePage | null {
  if (read === null) return null;
  const messages =
    read.from < loaded.from ? [...read.messages, ...loaded.messages] : [...loaded.messages, ...read.messages];
  return {
    messages,
    from: Math.min(loaded.from, read.from),
    to: Math.max(loaded.to, read.to),
    isFromServer: read.isFromServer,
  };
}

function confirmedOf(chat: Chat): readonly ChatMessage[] {
  return chat.window.messages.filter((message) => message.id !== null);
}

/** The range in which the window holds all messages. */
function windowRangeOf({ window }: Chat, confirmed: readonly ChatMessage[]): IdRange {
  return {
    from: window.hasOlder ? (confirmed[0]?.id ?? Infinity) : 0,
    to: window.hasNewer ? (confirmed.at(-1)?.id ?? Infinity) + 1 : Infinity,
  };
}

function isInWindow(chat: Chat, id: number): boolean {
  const { from, to } = windowRangeOf(chat, confirmedOf(chat));
  return from <= id && id < to;
}

/** The id to show for a target that is certainly in the window; null when it may be outside. */
function findInWindow(chat: Chat | undefined, to: JumpTarget): number | null {
  if (chat === undefined) return null;
  const confirmed = confirmedOf(chat);
  const { hasOlder, hasNewer } = chat.window;
  const isWithin =
    "id" in to
      ? isInWindow(chat, to.id)
      : (!hasOlder || (confirmed[0]?.sendTime ?? Infinity) < to.time) &&
        (!hasNewer || (confirmed.at(-1)?.sendTime ?? 0) >= to.time);
  return isWithin ? nearestId(chat, to) : null;
}

/** The id of the message itself, else of the first one after it, else of the last one in the window. */
function nearestId(chat: Chat | undefined, to: JumpTarget): number | null {
  const confirmed = chat === undefined ? [] : confirmedOf(chat);
  const target = confirmed.find((message) =>
    "id" in to ? (message.id ?? 0) >= to.id : message.sendTime >= to.time,
  );
  return (target ?? confirmed.at(-1))?.id ?? null;
}
