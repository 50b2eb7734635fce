import { ChatType } from "@parley/protocol/codes";
import { privateHistory } from "@parley/protocol/endpoints/messages";
import { readTalk } from "../model/incoming.ts";
import type { Chat, ChatKey, ChatMessage } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { JumpTarget } from "./client-api.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

/** Messages asked for at once. */
const PAGE_SIZE = 50;

/**
 * Older messages: from disk as far as it is without holes, then from the server. A pull that left rows out marks where the disk's unbroken
 * part begins (`knownFrom`), so a page never jumps over a gap; what the server tells closes it.
 */
export interface History {
  /** Fills the window of a chat that has just been opened. */
  fill(key: ChatKey): Promise<void>;
  loadOlder(key: ChatKey): Promise<void>;
  loadNewer(key: ChatKey): Promise<void>;
  toNewest(key: ChatKey): Promise<void>;
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
}

export interface HistoryDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
}

export function createHistory({ ports: { clock }, api, store, disk, desk, me }: HistoryDeps): History {
  const find = (key: ChatKey): Chat | undefined => store.get().chats.byKey[key];

  async function loadOlder(key: ChatKey): Promise<void> {
    const chat = find(key);
    if (chat === undefined || !chat.window.hasOlder || chat.window.older === "loading") return;
    desk.apply([{ kind: "older", key, older: "loading" }]);
    const { knownFrom } = chat.book;
    const top = topOf(chat);
    const onDisk = await steady(key, () => disk.messagesBefore(key, top, PAGE_SIZE));
    const known = onDisk.filter((message) => (message.id ?? 0) >= knownFrom);
    const isServerAsked = known.length < PAGE_SIZE && mayServerHaveMore(find(key) ?? chat, disk.isUsable());
    if (!isServerAsked) {
      const hasOlder = known.length === PAGE_SIZE;
      add(key, { messages: known, isFresh: false, knownFrom, hasOlder });
      return;
    }
    if (known.length > 0) add(key, { messages: known, isFresh: false, knownFrom, hasOlder: true });
    await loadFromServer(key, known[0]?.id ?? top);
  }

  function add(
    key: ChatKey,
    page: { messages: ChatMessage[]; isFresh: boolean; knownFrom: number; hasOlder: boolean },
  ) {
    desk.apply([{ kind: "page", key, page }]);
  }

  /** Reads again when rows of that part changed meanwhile, so that a page is never older than what was told since. */
  async function steady<T>(key: ChatKey, read: () => Promise<T>): Promise<T> {
    for (;;) {
      const version = desk.versionBelow(key);
      const page = await read();
      if (version === desk.versionBelow(key)) return page;
    }
  }

  async function loadFromServer(key: ChatKey, below: number): Promise<void> {
    const chat = find(key);
    if (chat === undefined) return;
    const owner = me();
    const maxId = below === Infinity ? {} : { maxId: below };
    const query = { friendId: chat.targetId, size: PAGE_SIZE, ...maxId };
    const result = await steady(key, () => api.call(privateHistory, { query }, { quiet: true }));
    if (owner !== me()) return;
    if (!result.ok) {
      desk.apply([{ kind: "older", key, older: "failed" }]);
      return;
    }
    const rows = result.value.toReversed();
    const messages = rows.flatMap((row) => {
      const incoming = readTalk(ChatType.PRIVATE, key, row, me());
      return incoming.kind === "chat" && incoming.input.kind === "row" ? [incoming.input.message] : [];
    });
    const isEnd = rows.length < PAGE_SIZE;
    const oldest = rows[0]?.id ?? below;
    // Below 1 there is nothing: the whole chat is known.
    add(key, { messages, isFresh: true, knownFrom: isEnd ? 0 : oldest, hasOlder: !isEnd });
  }

  /** Pages back until the window holds it. */
  async function jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null> {
    desk.apply([{ kind: "open", key, now: clock.now() }]);
    for (;;) {
      const window = find(key)?.window;
      if (window === undefined) return null;
      const [oldest] = window.messages;
      const isReached =
        oldest !== undefined && ("id" in to ? (oldest.id ?? 0) <= to.id : oldest.sendTime <= to.time);
      if (isReached || !window.hasOlder) {
        const rows = window.messages.filter((message) => message.id !== null);
        const found = rows.find((row) => ("id" in to ? (row.id ?? 0) >= to.id : row.sendTime >= to.time));
        return (found ?? rows.at(-1))?.id ?? null;
      }
      await loadOlder(key);
      if (find(key)?.window.older !== "idle") return null;
    }
  }

  return {
    loadOlder,
    jumpTo,
    loadNewer: () => Promise.resolve(),
    toNewest: () => Promise.resolve(),
    async fill(key) {
      const chat = find(key);
      if (chat !== undefined && chat.window.messages.length < PAGE_SIZE) await loadOlder(key);
    },
  };
}

function topOf(chat: Chat): number {
  return chat.window.messages[0]?.id ?? Infinity;
}

/** Groups' history comes with groups; the system chat has none on the server beyond its pull. */
function mayServerHaveMore(chat: Chat, hasDisk: boolean): boolean {
  return chat.type === ChatType.PRIVATE && (chat.book.knownFrom > 0 || !hasDisk);
}
