import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chats.ts";
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
  /** The chat is open. */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
}

export interface HistoryDeps {
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
}

export function createHistory({ api, store, disk, desk, me }: HistoryDeps): History {
  const pages = createPages({ api, store, disk, me });
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
    const meanwhile = desk.follow(key);
    const page = await read();
    const since = meanwhile();
    if (page === null || since === null) return null;
    desk.apply([{ kind: "page", key, page, use }, ...since, ...after(page)]);
    return page;
  }

  async function loadOlder(key: ChatKey): Promise<void> {
    const chat = find(key);
    if (chat === undefined || !chat.window.hasOlder || chat.window.older === "loading") return;
    const loading: ChatInput = { kind: "older", key, older: "loading" };
    desk.apply([loading]);
    const top = confirmedOf(chat)[0]?.id ?? Infinity;
    const isEnough = (page: Page) => page.messages.length >= PAGE_SIZE || page.from === 0;
    const page = await load(
      key,
      "older",
      () => pages.diskBelow(key, top),
      (read) => (isEnough(read) ? [] : [loading]),
    );
    // What the disk has is shown; the rest may take its time.
    if (page === null || !isEnough(page)) void ask(key, "older", page?.messages[0]?.id ?? top);
  }

  async function loadNewer(key: ChatKey): Promise<void> {
    const chat = find(key);
    const last = chat && confirmedOf(chat).at(-1)?.id;
    if (chat === undefined || typeof last !== "number") return;
    if (!chat.window.hasNewer || chat.window.newer === "loading") return;
    const loading: ChatInput = { kind: "newer", key, newer: "loading" };
    desk.apply([loading]);
    const isEnough = (page: Page) => page.messages.length >= PAGE_SIZE || page.to === Infinity;
    const page = await load(
      key,
      "newer",
      () => pages.diskFrom(key, last + 1),
      (read) => (isEnough(read) ? [] : [loading]),
    );
    if (page === null || !isEnough(page)) void ask(key, "newer", (page?.messages.at(-1)?.id ?? last) + 1);
  }

  async function ask(key: ChatKey, side: "older" | "newer", id: number): Promise<void> {
    const isSame = sameOwner();
    const page = await load(key, side, () =>
      side === "older" ? pages.serverBelow(key, id) : pages.serverFrom(key, id),
    );
    if (page === null && isSame()) fail(key, side);
  }

  function fail(key: ChatKey, side: "older" | "newer"): void {
    desk.apply([
      side === "older" ? { kind: "older", key, older: "failed" } : { kind: "newer", key, newer: "failed" },
    ]);
  }

  function sameOwner(): () => boolean {
    const owner = me();
    return () => owner === me();
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
    if (page !== null && page.messages.length < PAGE_SIZE) await loadOlder(key);
  }

  async function fill(key: ChatKey): Promise<void> {
    const chat = find(key);
    if (chat === undefined) return;
    const isWanted = begin(key);
    const [unread] = chat.type === ChatType.SYSTEM ? [] : chat.book.unread;
    if (unread === undefined || holds(chat, unread)) {
      if (confirmedOf(chat).length < PAGE_SIZE) await loadOlder(key);
      return;
    }
    desk.apply([{ kind: "older", key, older: "loading" }]);
    const isSame = sameOwner();
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
    if (confirmedOf(chat).length < PAGE_SIZE) void loadOlder(key);
  }

  async function findNewest(key: ChatKey): Promise<void> {
    if (find(key)?.window.hasNewer !== true) return loadOlder(key);
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

  return { fill, findNewest, loadOlder, loadNewer, toNewest, jumpTo };
}

const NOTHING_KNOWN: Page = { messages: [], from: Infinity, to: Infinity, isFresh: false };

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
