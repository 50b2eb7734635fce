import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chat-input.ts";
import { parseChatKey } from "../model/rows.ts";
import type { Result } from "../model/state.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import type { ChatSize } from "./ports.ts";
import type { Store } from "./store.ts";
import { INDEXED, INDEX_VERSION, type TidyWork } from "./tidy.ts";

export interface TidyLimits {
  /** Messages of one chat. */
  readonly perChat: number;
  /** Of all chats together; an estimate. */
  readonly bytes: number;
}

export interface TidyWorkDeps {
  store: Store;
  disk: Disk;
  desk: Desk;
  limits?: TidyLimits;
}

const LIMITS: TidyLimits = { perChat: 2_000, bytes: 200_000_000 };
const INDEX_CHUNK = 200;
const DONE = { ok: true, value: null } as const;

/** Lets go of what is too much, and indexes what is not. */
export function createTidyWork({ store, disk, desk, limits = LIMITS }: TidyWorkDeps): TidyWork {
  async function tidy(isOver: () => boolean): Promise<Result<null>> {
    const sizes = await disk.sizes(limits.perChat);
    if (isOver()) return DONE;
    const inputs = [...sizes.flatMap(longOnes), ...leastOpened(sizes)];
    if (inputs.length > 0) desk.apply(inputs);
    await indexOldOnes(isOver);
    return DONE;
  }

  /** Nobody but this disk has the messages of the system chat. */
  function mayGo({ chatKey }: ChatSize): boolean {
    return parseChatKey(chatKey)?.type !== ChatType.SYSTEM;
  }

  function longOnes(size: ChatSize): ChatInput[] {
    if (size.keptFrom === null || !mayGo(size)) return [];
    return [{ kind: "trim", key: size.chatKey, below: size.keptFrom }];
  }

  function leastOpened(sizes: readonly ChatSize[]): ChatInput[] {
    const { byKey, openKey } = store.get().chats;
    const left = sizes.map((size) => ({
      ...size,
      bytes: mayGo(size) ? size.bytes * Math.min(1, limits.perChat / Math.max(1, size.count)) : size.bytes,
    }));
    let total = left.reduce((sum, { bytes }) => sum + bytes, 0);
    const openedAt = ({ chatKey }: ChatSize) => byKey[chatKey]?.book.openedAt ?? 0;
    const inputs: ChatInput[] = [];
    for (const size of left.toSorted((a, b) => openedAt(a) - openedAt(b))) {
      if (total <= limits.bytes) break;
      const newest = byKey[size.chatKey]?.book.newest;
      if (!newest || !mayGo(size) || size.chatKey === openKey) continue;
      inputs.push({ kind: "trim", key: size.chatKey, below: newest.id + 1 });
      total -= size.bytes;
    }
    return inputs;
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
