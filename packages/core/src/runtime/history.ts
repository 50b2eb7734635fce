import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chat-input.ts";
import type { Page, PageUse } from "../model/page.ts";
import type { Chat, ChatKey, ChatMessage, Span } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { JumpTarget } from "./client-api.ts";
import type { Desk } from "./desk.ts";
import { createPages, PAGE_SIZE } from "./pages.ts";
import type { Disk } from "./persist.ts";
import type { Store } from "./store.ts";

/**
 * Moves the window of a chat through its history: from disk as far as that is without holes, then from the server. A page always says from
 * where to where it holds all messages, so none jumps over a gap; what the server tells closes it.
 */
export interface History {
  /** Fills the window of a chat that has just been opened: around its first unread message, else with the newest. */
  fill(key: ChatKey): Promise<void>;
  /** The newest row of a chat is gone, and the one before it is not in memory. */
  findNewest(key: ChatKey): Promise<void>;
  loadOlder(key: ChatKey): Promise<void>;
  loadNewer(key: ChatKey): Promise<void>;
  toNewest(key: ChatKey): Promise<void>;
  /** Somebody writes here: whoever is on the way to another place of the chat gives up. */
  stay(key: ChatKey): void;
  /** The chat is open. */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
}

export interface HistoryDeps {
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
  pageSize?: number;
}

export function createHistory({ api, store, disk, desk, me, ...options }: HistoryDeps): History {
  const { pageSize = PAGE_SIZE } = options;
  const pages = createPages({ api, store, disk, desk, me, pageSize });
  const find = (key: ChatKey): Chat | undefined => store.get().chats.byKey[key];
  /** Rises when somebody is on the way to another place of a chat; who was on the way before gives up. */
  const moves = new Map<ChatKey, number>();

  function begin(key: ChatKey): () => boolean {
    const mine = (moves.get(key) ?? 0) + 1;
    moves.set(key, mine);
    return () => moves.get(key) === mine;
  }

  /** Reads and applies what was read, and behind it what happened meanwhile, so that a page never brings back what is over. */
  async function load(
    key: ChatKey,
    use: PageUse,
    read: () => Promise<Page | null>,
    after: (page: Page) => readonly ChatInput[] = () => [],
  ): Promise<Page | null> {
    const type = find(key)?.type ?? ChatType.PRIVATE;
    const floor = desk.floors[type];
    const meanwhile = desk.follow(key);
    const answer = await read();
    const since = meanwhile();
    if (answer === null || since === null) return null;
    const page = floor === desk.floors[type] ? answer : withoutEnd(answer);
    desk.apply([{ kind: "page", key, page, use }, ...since, ...after(page)]);
    return page;
  }

  /** Goes on at an end of the window: what the disk has is shown, the rest may take its time. */
  async function readOn(key: ChatKey, side: Side): Promise<void> {
    const chat = find(key);
    if (chat === undefined || !mayReadOn(chat, side)) return;
    const isSame = sameChat(key);
    const edge = edgeOf(chat, side);
    let known: Page = { messages: [], from: edge, to: edge, isFresh: false };
    for (;;) {
      desk.apply([loading(key, side)]);
      const count = known.messages.length + pageSize;
      const isShort = (page: Page) => !isEnd(page, side) && page.messages.length < count;
      const page = await load(
        key,
        side,
        async () =>
          joined(known, await pages[side === "older" ? "diskBelow" : "diskFrom"](key, outer(known, side))),
        (read) => (isShort(read) ? [loading(key, side)] : []),
      );
      if (!isSame()) return;
      known = page ?? known;
      if (page === null || isShort(page)) break;
      // Of a page that was deleted as a whole nothing is to be seen: what is asked for stands behind it.
      if (isEnd(page, side) || edgeOf(find(key) ?? chat, side) !== edge) return;
    }
    const rest = pages[side === "older" ? "serverBelow" : "serverFrom"];
    void load(key, side, async () => joined(known, await rest(key, outer(known, side)))).then((page) => {
      if (page === null && isSame()) fail(key, side);
    });
  }

  function fail(key: ChatKey, side: Side): void {
    desk.apply([
      side === "older" ? { kind: "older", key, older: "failed" } : { kind: "newer", key, newer: "failed" },
    ]);
  }

  /** Whether what was read since may still be used. */
  function sameChat(key: ChatKey): () => boolean {
    const [owner, renewals] = [me(), desk.renewals(key)];
    return () => owner === me() && renewals === desk.renewals(key);
  }

  async function toNewest(key: ChatKey): Promise<void> {
    if (find(key)?.window.hasNewer !== true) return;
    const isWanted = begin(key);
    desk.apply([{ kind: "newer", key, newer: "loading" }]);
    const page = await load(key, "newest", async () => {
      const known = await pages.diskBelow(key, Infinity);
      const isShown = known !== null && known.messages.length > 0;
      // Without an answer the chat stands at its end all the same: what is written there has to be seen.
      const newest = isShown ? known : ((await pages.serverBelow(key, Infinity)) ?? known ?? NOTHING_KNOWN);
      return isWanted() ? newest : null;
    });
    if (page === null) {
      // Somebody else has taken the window elsewhere meanwhile, or tried to.
      if (find(key)?.window.newer === "loading") desk.apply([{ kind: "newer", key, newer: "idle" }]);
      return;
    }
    if (page.messages.length < pageSize) await readOn(key, "older");
  }

  async function fill(key: ChatKey): Promise<void> {
    const chat = find(key);
    if (chat === undefined) return;
    const isWanted = begin(key);
    const [unread] = chat.type === ChatType.SYSTEM ? [] : chat.book.unread;
    if (unread === undefined || holds(chat, unread)) {
      if (confirmedOf(chat).length < pageSize) await readOn(key, "older");
      return;
    }
    desk.apply([{ kind: "older", key, older: "loading" }]);
    const isSame = sameChat(key);
    const known = await load(key, "around", async () => {
      const page = await pages.diskAround(key, unread);
      return page?.isFull === true && isWanted() ? page : null;
    });
    if (known !== null) return;
    if (!isWanted()) return giveWay(key);
    const target = { id: unread };
    // What the disk has is shown; the rest may take its time.
    void load(key, "around", () => around(key, target, isWanted)).then((page) => {
      if (page !== null || !isSame()) return;
      if (isWanted()) fail(key, "older");
      else giveWay(key);
    });
  }

  /** Somebody else has taken the window elsewhere, or was kept from it by the sign that this one was loading: that goes. */
  function giveWay(key: ChatKey): void {
    const chat = find(key);
    if (chat?.window.older !== "loading") return;
    desk.apply([{ kind: "older", key, older: "idle" }]);
    if (confirmedOf(chat).length < pageSize) void readOn(key, "older");
  }

  async function findNewest(key: ChatKey): Promise<void> {
    if (find(key)?.window.hasNewer !== true) return readOn(key, "older");
    await load(key, "older", async () => {
      const known = await pages.diskBelow(key, Infinity);
      return known !== null && known.messages.length > 0 ? known : pages.serverBelow(key, Infinity);
    });
  }

  async function jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null> {
    const isWanted = begin(key);
    const inMemory = placeIn(find(key), to);
    if (inMemory !== null) return inMemory;
    const page = await load(key, "around", () => around(key, to, isWanted));
    return page === null ? null : nearest(find(key), to);
  }

  /** From disk when it has as much as the server would tell, or when that does not answer. */
  async function around(key: ChatKey, to: JumpTarget, isWanted: () => boolean): Promise<Page | null> {
    const id = "id" in to ? to.id : await pages.diskIdAt(key, to.time);
    const known = id === null ? null : await pages.diskAround(key, id);
    const page = known?.isFull
      ? known
      : ((await pages.serverAround(key, "id" in to ? { aroundId: to.id } : { at: to.time })) ?? known);
    return isWanted() ? page : null;
  }

  return {
    fill,
    findNewest,
    loadOlder: (key) => readOn(key, "older"),
    loadNewer: (key) => readOn(key, "newer"),
    toNewest,
    stay: begin,
    jumpTo,
  };
}

/** A pull left rows out while the page was on its way: what was the newest message then may be far from the newest now. */
function withoutEnd(page: Page): Page {
  if (page.to !== Infinity || !page.isFresh) return page;
  return { ...page, to: (page.messages.at(-1)?.id ?? page.from - 1) + 1 };
}

const NOTHING_KNOWN: Page = { messages: [], from: Infinity, to: Infinity, isFresh: false };

type Side = "older" | "newer";

function mayReadOn({ window }: Chat, side: Side): boolean {
  return side === "older"
    ? window.hasOlder && window.older !== "loading"
    : window.hasNewer && window.newer !== "loading";
}

function loading(key: ChatKey, side: Side): ChatInput {
  return side === "older" ? { kind: side, key, older: "loading" } : { kind: side, key, newer: "loading" };
}

/** Where the window ends: its first id, or the id behind its last one. */
function edgeOf(chat: Chat, side: Side): number {
  const { from, to } = spanOf(chat, confirmedOf(chat));
  return side === "older" ? from : to;
}

function outer({ from, to }: Span, side: Side): number {
  return side === "older" ? from : to;
}

function isEnd({ from, to }: Span, side: Side): boolean {
  return side === "older" ? from === 0 : to === Infinity;
}

/** Two pages that touch, as one. */
function joined(known: Page, read: Page | null): Page | null {
  if (read === null) return null;
  const messages =
    read.from < known.from ? [...read.messages, ...known.messages] : [...known.messages, ...read.messages];
  return {
    messages,
    from: Math.min(known.from, read.from),
    to: Math.max(known.to, read.to),
    isFresh: read.isFresh,
  };
}

function confirmedOf(chat: Chat): readonly ChatMessage[] {
  return chat.window.messages.filter((message) => message.id !== null);
}

/** What the window holds all messages of. */
function spanOf({ window }: Chat, confirmed: readonly ChatMessage[]): Span {
  return {
    from: window.hasOlder ? (confirmed[0]?.id ?? Infinity) : 0,
    to: window.hasNewer ? (confirmed.at(-1)?.id ?? Infinity) + 1 : Infinity,
  };
}

function holds(chat: Chat, id: number): boolean {
  const { from, to } = spanOf(chat, confirmedOf(chat));
  return from <= id && id < to;
}

/** The id to show for a target that surely lies in the window; null when it may lie elsewhere. */
function placeIn(chat: Chat | undefined, to: JumpTarget): number | null {
  if (chat === undefined) return null;
  const confirmed = confirmedOf(chat);
  const { hasOlder, hasNewer } = chat.window;
  const isWithin =
    "id" in to
      ? holds(chat, to.id)
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
