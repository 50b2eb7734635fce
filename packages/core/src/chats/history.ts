import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { MessagePage, PagePurpose } from "../model/chats/add-page.ts";
import type { Chat, ChatKey, ChatMessage, IdRange } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { JumpTarget } from "../client-api.ts";
import type { ChatStore } from "./chat-store.ts";
import { createPageLoader, PAGE_SIZE } from "./page-loader.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { StateStore } from "../state-store.ts";

/**
 * Moves the window of a chat through its history: from disk as far as that is without holes, then from the server. A page always says from
 * where to where it holds all messages, so none jumps over a gap; what the server tells closes it.
 */
export interface History {
  /** Fills the window of a chat that has just been opened: around its first unread message, else with the newest. */
  loadInitial(key: ChatKey): Promise<void>;
  /** The newest row of a chat is gone, and the one before it is not in memory. */
  loadPreview(key: ChatKey): Promise<void>;
  loadOlder(key: ChatKey): Promise<void>;
  loadNewer(key: ChatKey): Promise<void>;
  showNewest(key: ChatKey): Promise<void>;
  /** Somebody writes here: whoever is on the way to another place of the chat gives up. */
  cancelNavigation(key: ChatKey): void;
  /** The chat is open. */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
}

export interface HistoryDeps {
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  me(): number;
  pageSize?: number;
}

export function createHistory({
  api,
  stateStore,
  database,
  chatStore,
  me,
  ...options
}: HistoryDeps): History {
  const { pageSize = PAGE_SIZE } = options;
  const pageLoader = createPageLoader({ api, stateStore, database, chatStore, me, pageSize });
  const find = (key: ChatKey): Chat | undefined => stateStore.get().chats.byKey[key];
  /** Rises when somebody is on the way to another place of a chat; who was on the way before gives up. */
  const navigations = new Map<ChatKey, number>();

  function beginNavigation(key: ChatKey): () => boolean {
    const navigation = (navigations.get(key) ?? 0) + 1;
    navigations.set(key, navigation);
    return () => navigations.get(key) === navigation;
  }

  /** Reads and applies what was read, and behind it what happened meanwhile, so that a page never brings back what is over. */
  async function load(
    key: ChatKey,
    purpose: PagePurpose,
    read: () => Promise<MessagePage | null>,
    after: (page: MessagePage) => readonly ChatInput[] = () => [],
  ): Promise<MessagePage | null> {
    const type = find(key)?.type ?? ChatType.PRIVATE;
    const startBefore = chatStore.historyStart[type];
    const inputsSince = chatStore.trackInputs(key);
    const answer = await read();
    const missedInputs = inputsSince();
    if (answer === null || missedInputs === null) return null;
    const page = startBefore === chatStore.historyStart[type] ? answer : withKnownEnd(answer);
    chatStore.dispatch([{ kind: "page", key, page, purpose }, ...missedInputs, ...after(page)]);
    return page;
  }

  /** Goes on at an end of the window: what the disk has is shown, the rest may take its time. */
  async function loadMore(key: ChatKey, side: Side): Promise<void> {
    const chat = find(key);
    if (chat === undefined || !canLoadMore(chat, side)) return;
    const isSame = sameChat(key);
    const edge = edgeOf(chat, side);
    let known: MessagePage = { messages: [], from: edge, to: edge, isFromServer: false };
    for (;;) {
      chatStore.dispatch([loading(key, side)]);
      const count = known.messages.length + pageSize;
      const isShort = (page: MessagePage) => !isEnd(page, side) && page.messages.length < count;
      const page = await load(
        key,
        side,
        async () =>
          joinPages(
            known,
            await pageLoader[side === "older" ? "localBelow" : "localFrom"](key, outerId(known, side)),
          ),
        (read) => (isShort(read) ? [loading(key, side)] : []),
      );
      if (!isSame()) return;
      known = page ?? known;
      if (page === null || isShort(page)) break;
      // Of a page that was deleted as a whole nothing is to be seen: what is asked for stands behind it.
      if (isEnd(page, side) || edgeOf(find(key) ?? chat, side) !== edge) return;
    }
    const rest = pageLoader[side === "older" ? "serverBelow" : "serverFrom"];
    void load(key, side, async () => joinPages(known, await rest(key, outerId(known, side)))).then((page) => {
      if (page === null && isSame()) fail(key, side);
    });
  }

  function fail(key: ChatKey, side: Side): void {
    chatStore.dispatch([
      side === "older" ? { kind: "older", key, older: "failed" } : { kind: "newer", key, newer: "failed" },
    ]);
  }

  /** Whether what was read since may still be used. */
  function sameChat(key: ChatKey): () => boolean {
    const [startUserId, invalidations] = [me(), chatStore.invalidationCount(key)];
    return () => startUserId === me() && invalidations === chatStore.invalidationCount(key);
  }

  async function showNewest(key: ChatKey): Promise<void> {
    if (find(key)?.window.hasNewer !== true) return;
    const isCurrent = beginNavigation(key);
    chatStore.dispatch([{ kind: "newer", key, newer: "loading" }]);
    const page = await load(key, "newest", async () => {
      const known = await pageLoader.localBelow(key, Infinity);
      const isShown = known !== null && known.messages.length > 0;
      // Without an answer the chat stands at its end all the same: what is written there has to be seen.
      const newest = isShown ? known : ((await pageLoader.serverBelow(key, Infinity)) ?? known ?? EMPTY_PAGE);
      return isCurrent() ? newest : null;
    });
    if (page === null) {
      // Somebody else has taken the window elsewhere meanwhile, or tried to.
      if (find(key)?.window.newer === "loading") chatStore.dispatch([{ kind: "newer", key, newer: "idle" }]);
      return;
    }
    if (page.messages.length < pageSize) await loadMore(key, "older");
  }

  async function loadInitial(key: ChatKey): Promise<void> {
    const chat = find(key);
    if (chat === undefined) return;
    const isCurrent = beginNavigation(key);
    const [unread] = chat.type === ChatType.SYSTEM ? [] : chat.sync.unread;
    if (unread === undefined || isInWindow(chat, unread)) {
      if (confirmedOf(chat).length < pageSize) await loadMore(key, "older");
      return;
    }
    chatStore.dispatch([{ kind: "older", key, older: "loading" }]);
    const isSame = sameChat(key);
    const known = await load(key, "around", async () => {
      const page = await pageLoader.localAround(key, unread);
      return page?.isFull === true && isCurrent() ? page : null;
    });
    if (known !== null) return;
    if (!isCurrent()) return resetLoading(key);
    const target = { id: unread };
    // What the disk has is shown; the rest may take its time.
    void load(key, "around", () => loadAround(key, target, isCurrent)).then((page) => {
      if (page !== null || !isSame()) return;
      if (isCurrent()) fail(key, "older");
      else resetLoading(key);
    });
  }

  /** Somebody else has taken the window elsewhere, or was kept from it by the sign that this one was loading: that goes. */
  function resetLoading(key: ChatKey): void {
    const chat = find(key);
    if (chat?.window.older !== "loading") return;
    chatStore.dispatch([{ kind: "older", key, older: "idle" }]);
    if (confirmedOf(chat).length < pageSize) void loadMore(key, "older");
  }

  async function loadPreview(key: ChatKey): Promise<void> {
    if (find(key)?.window.hasNewer !== true) return loadMore(key, "older");
    await load(key, "older", async () => {
      const known = await pageLoader.localBelow(key, Infinity);
      return known !== null && known.messages.length > 0 ? known : pageLoader.serverBelow(key, Infinity);
    });
  }

  async function jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null> {
    const isCurrent = beginNavigation(key);
    const inMemory = findInWindow(find(key), to);
    if (inMemory !== null) return inMemory;
    const page = await load(key, "around", () => loadAround(key, to, isCurrent));
    return page === null ? null : nearest(find(key), to);
  }

  /** From disk when it has as much as the server would tell, or when that does not answer. */
  async function loadAround(
    key: ChatKey,
    to: JumpTarget,
    isCurrent: () => boolean,
  ): Promise<MessagePage | null> {
    const id = "id" in to ? to.id : await pageLoader.localIdAt(key, to.time);
    const known = id === null ? null : await pageLoader.localAround(key, id);
    const page = known?.isFull
      ? known
      : ((await pageLoader.serverAround(key, "id" in to ? { aroundId: to.id } : { at: to.time })) ?? known);
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

/** A pull left rows out while the page was on its way: what was the newest message then may be far from the newest now. */
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

function loading(key: ChatKey, side: Side): ChatInput {
  return side === "older" ? { kind: side, key, older: "loading" } : { kind: side, key, newer: "loading" };
}

/** Where the window ends: its first id, or the id behind its last one. */
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

/** Two pages that touch, as one. */
function joinPages(known: MessagePage, read: MessagePage | null): MessagePage | null {
  if (read === null) return null;
  const messages =
    read.from < known.from ? [...read.messages, ...known.messages] : [...known.messages, ...read.messages];
  return {
    messages,
    from: Math.min(known.from, read.from),
    to: Math.max(known.to, read.to),
    isFromServer: read.isFromServer,
  };
}

function confirmedOf(chat: Chat): readonly ChatMessage[] {
  return chat.window.messages.filter((message) => message.id !== null);
}

/** What the window holds all messages of. */
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

/** The id to show for a target that surely lies in the window; null when it may lie elsewhere. */
function findInWindow(chat: Chat | undefined, to: JumpTarget): number | null {
  if (chat === undefined) return null;
  const confirmed = confirmedOf(chat);
  const { hasOlder, hasNewer } = chat.window;
  const isWithin =
    "id" in to
      ? isInWindow(chat, to.id)
      : (!hasOlder || (confirmed[0]?.sendTime ?? Infinity) < to.time) &&
        (!hasNewer || (confirmed.at(-1)?.sendTime ?? 0) >= to.time);
  return isWithin ? nearest(chat, to) : null;
}

/** The message itself, else the first one behind it, else the last one of the window. */
function nearest(chat: Chat | undefined, to: JumpTarget): number | null {
  const confirmed = chat === undefined ? [] : confirmedOf(chat);
  const found = confirmed.find((message) =>
    "id" in to ? (message.id ?? 0) >= to.id : message.sendTime >= to.time,
  );
  return (found ?? confirmed.at(-1))?.id ?? null;
}
