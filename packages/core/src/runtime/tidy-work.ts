import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chat-input.ts";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, Result } from "../model/state.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import type { ChatSize, Ports } from "./ports.ts";
import type { Store } from "./store.ts";
import { INDEXED, INDEX_VERSION, type TidyWork, type TrimMark, trimMarkOf } from "./tidy.ts";

export interface TidyLimits {
  /** Messages of one chat. */
  readonly perChat: number;
  /** Of all chats together; an estimate. */
  readonly bytes: number;
}

export interface TidyWorkDeps {
  ports: Ports;
  store: Store;
  disk: Disk;
  desk: Desk;
  /** To the other tabs. */
  tell(trim: Trim): void;
  limits?: TidyLimits;
}

/** A chat, and the first id of it that stays. */
interface Cut {
  readonly key: ChatKey;
  readonly below: number;
}

type Trim = Extract<ChatInput, { kind: "trim" }>;

const LIMITS: TidyLimits = { perChat: 2_000, bytes: 200_000_000 };
const INDEX_CHUNK = 200;
const DONE = { ok: true, value: null } as const;

/** Lets go of what is too much, and indexes what is not. */
export function createTidyWork({ ports, store, disk, desk, tell, limits = LIMITS }: TidyWorkDeps): TidyWork {
  async function tidy(isOver: () => boolean): Promise<Result<null>> {
    const sizes = await disk.sizes(limits.perChat);
    if (isOver()) return DONE;
    trim([...sizes.flatMap(longOnes), ...leastOpened(sizes)]);
    await indexOldOnes(isOver);
    return DONE;
  }

  /** Told before it is done: what another tab reads behind it is never all there is. */
  function trim(cuts: readonly Cut[]): void {
    const { byKey } = store.get().chats;
    const trims = cuts.map(({ key, below }): Trim => {
      const at = Math.max(ports.clock.now(), (byKey[key]?.book.trimmedAt ?? 0) + 1);
      return { kind: "trim", key, below, at };
    });
    if (trims.length === 0) return;
    desk.apply(trims);
    const marks: Record<string, TrimMark> = {};
    for (const { key, at } of trims) {
      // Who has missed an earlier one too may count on nothing below.
      const below = store.get().chats.byKey[key]?.book.knownFrom ?? 0;
      tell({ kind: "trim", key, below, at });
      marks[trimMarkOf(key)] = { below, at };
    }
    const removedMessages = trims.map(({ key, below }) => ({ chatKey: key, upTo: below - 1 }));
    disk.keep({ removedMessages, values: marks });
    // Before what another tab, told of it, asks the server for.
    void disk.flush();
  }

  /** Nobody but this disk has the messages of the system chat. */
  function mayGo({ chatKey }: ChatSize): boolean {
    return parseChatKey(chatKey)?.type !== ChatType.SYSTEM;
  }

  function longOnes(size: ChatSize): Cut[] {
    const isKnown = store.get().chats.byKey[size.chatKey] !== undefined;
    if (size.keptFrom === null || !isKnown || !mayGo(size)) return [];
    return [{ key: size.chatKey, below: size.keptFrom }];
  }

  function leastOpened(sizes: readonly ChatSize[]): Cut[] {
    const { byKey, openKey } = store.get().chats;
    const left = sizes.map((size) => ({
      ...size,
      bytes: mayGo(size) ? size.bytes * Math.min(1, limits.perChat / Math.max(1, size.count)) : size.bytes,
    }));
    let total = left.reduce((sum, { bytes }) => sum + bytes, 0);
    const openedAt = ({ chatKey }: ChatSize) => byKey[chatKey]?.book.openedAt ?? 0;
    const cuts: Cut[] = [];
    for (const size of left.toSorted((a, b) => openedAt(a) - openedAt(b))) {
      if (total <= limits.bytes) break;
      const newest = byKey[size.chatKey]?.book.newest;
      if (!newest || !mayGo(size) || size.chatKey === openKey) continue;
      cuts.push({ key: size.chatKey, below: newest.id + 1 });
      total -= size.bytes;
    }
    return cuts;
  }

  /** Messages that lie there from before the index, or under other terms, are written again as they are. */
  async function indexOldOnes(isOver: () => boolean): Promise<void> {
    if ((await disk.value(INDEXED)) === INDEX_VERSION) return;
    for (const chatKey of Object.values(store.get().chats.byKey).map((chat) => chat.key)) {
      for (let below = Infinity; !isOver();) {
        const messages = await disk.messagesBefore(chatKey, below, INDEX_CHUNK);
        const ids = messages.flatMap(({ id }) => id ?? []);
        const [first] = ids;
        if (first === undefined || isOver()) break;
        disk.keep(
          {},
          ids.map((id) => ({ chatKey, id, apply: (known) => known })),
        );
        await disk.flush();
        below = first;
      }
    }
    if (!isOver()) disk.keep({ values: { [INDEXED]: INDEX_VERSION } });
  }

  return { tidy };
}
