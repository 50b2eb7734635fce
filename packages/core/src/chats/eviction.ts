import { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { DEFAULT_DISK_LIMIT, DISK_LIMITS, type DiskLimit } from "../model/disk-limit.ts";
import type { StorageActions } from "../client-api.ts";
import { isRecord, LOCAL_KEYS, readValue, writeValue } from "../storage/key-value-storage.ts";
import type { ChatSize } from "../ports.ts";

/** The version of the search terms that messages are indexed by. Raise it when messages yield other terms than before. */
const INDEX_VERSION = 1;

/** The last eviction of a chat, as the database records it. A tab that did not hear of it must not take the rest for the whole chat. */
export interface EvictionMark {
  /** Everything below this id may be missing. */
  readonly below: number;
  readonly at: number;
}

/** The database key of a chat's eviction mark. */
export function evictionMarkKey(key: ChatKey) {
  return `trim ${key}` as const;
}

/** Whether a value from another tab or from the database is an eviction mark. */
export function isEvictionMark(value: unknown): value is EvictionMark {
  return isRecord(value) && typeof value["below"] === "number" && typeof value["at"] === "number";
}

/**
 * Keeps the local database within its limits (interface §20): rarely, and long after a start, or when the person lowers the limit. Never
 * touches outbox and drafts.
 */
export interface Eviction extends StorageActions {
  /** The database is empty: every message saved from now on is indexed. */
  markIndexed(): void;
  start(): void;
}

/** How much the local database may hold. */
export interface EvictionLimits {
  /** Messages of one chat. */
  readonly perChat: number;
  /** Bytes of all chats together, as an estimate; left out: what the person has chosen. */
  readonly bytes?: number;
}

/** What eviction needs. */
export interface EvictionDeps extends Omit<ChatDeps, "api"> {
  /** Sends the input to the other tabs. */
  broadcast(input: EvictionInput): void;
  limits?: EvictionLimits;
}

/** A chat and its lowest id that stays. */
interface EvictionCut {
  readonly key: ChatKey;
  readonly below: number;
}

type EvictionInput = Extract<ChatInput, { kind: "trim" }>;

const FIRST_RUN_MS = 120_000;
const RUN_INTERVAL_MS = 3_600_000;
const DEFAULT_LIMITS: EvictionLimits = { perChat: 2_000 };
const INDEX_CHUNK = 200;

/** Creates the eviction, which waits for `start`. A run deletes what exceeds the limits and indexes the rest for search. */
export function createEviction({
  ports,
  me,
  stateStore,
  database,
  chatStore,
  broadcast,
  limits = DEFAULT_LIMITS,
}: EvictionDeps): Eviction {
  const limitKey = `${LOCAL_KEYS.diskLimit}${me}`;

  function limit(): DiskLimit {
    const saved = Number(readValue(ports.storage.local, limitKey));
    return DISK_LIMITS.find((value) => value === saved) ?? DEFAULT_DISK_LIMIT;
  }

  function schedule(ms: number): void {
    ports.clock.after(ms, () => void evict().then(() => schedule(RUN_INTERVAL_MS)));
  }

  async function evict(): Promise<void> {
    const sizes = await database.sizes(limits.perChat);
    applyCuts(cutsOverLimits(sizes));
    await reindexOldMessages({ stateStore, database });
  }

  function cutsOverLimits(sizes: readonly ChatSize[]): EvictionCut[] {
    return [...sizes.flatMap(cutsOfLongChats), ...cutsOfLeastOpened(sizes)];
  }

  /** Everything of a chat that the server has as well. */
  function cutsOfWholeChat(size: ChatSize): EvictionCut[] {
    const newest = chatStore.chatOf(size.chatKey)?.sync.newest;
    return newest && canEvict(size) ? [{ key: size.chatKey, below: newest.id + 1 }] : [];
  }

  /** Other tabs learn of a cut before it is made, so that they do not take what they read afterwards for the whole chat. */
  function applyCuts(cuts: readonly EvictionCut[]): void {
    const { byKey } = stateStore.get().chats;
    const inputs = cuts.map(({ key, below }): EvictionInput => {
      const at = Math.max(ports.clock.now(), (byKey[key]?.sync.evictedAt ?? 0) + 1);
      return { kind: "trim", key, below, at };
    });
    if (inputs.length === 0) return;
    chatStore.dispatch(inputs);
    const marks: Record<ReturnType<typeof evictionMarkKey>, EvictionMark> = {};
    for (const { key, at } of inputs) {
      // A tab that missed an earlier cut must not rely on anything below this one either.
      const below = chatStore.chatOf(key)?.sync.knownFrom ?? 0;
      broadcast({ kind: "trim", key, below, at });
      marks[evictionMarkKey(key)] = { below, at };
    }
    const removedMessages = inputs.map(({ key, below }) => ({ chatKey: key, upTo: below - 1 }));
    database.save({ removedMessages, values: marks });
    // Has to be written before the rows that another tab loads from the server because of this cut.
    void database.flush();
  }

  /** Messages of the system chat exist only in this database: the server does not send them again. */
  function canEvict({ chatKey }: ChatSize): boolean {
    return parseChatKey(chatKey)?.type !== ChatType.SYSTEM;
  }

  function cutsOfLongChats(size: ChatSize): EvictionCut[] {
    const isKnown = chatStore.chatOf(size.chatKey) !== undefined;
    if (size.oldestRetainedId === null || !isKnown || !canEvict(size)) return [];
    return [{ key: size.chatKey, below: size.oldestRetainedId }];
  }

  function cutsOfLeastOpened(sizes: readonly ChatSize[]): EvictionCut[] {
    const { byKey, openKey } = stateStore.get().chats;
    const bytesMax = limits.bytes ?? limit();
    const remaining = sizes.map((size) => ({
      ...size,
      bytes: canEvict(size) ? size.bytes * Math.min(1, limits.perChat / Math.max(1, size.count)) : size.bytes,
    }));
    let total = remaining.reduce((sum, { bytes }) => sum + bytes, 0);
    const openedAt = ({ chatKey }: ChatSize) => byKey[chatKey]?.sync.openedAt ?? 0;
    const cuts: EvictionCut[] = [];
    for (const size of remaining.toSorted((a, b) => openedAt(a) - openedAt(b))) {
      if (total <= bytesMax) break;
      const wholeChat = size.chatKey === openKey ? [] : cutsOfWholeChat(size);
      if (wholeChat.length > 0) total -= size.bytes;
      cuts.push(...wholeChat);
    }
    return cuts;
  }

  return {
    markIndexed: () => database.save({ values: { indexed: INDEX_VERSION } }),
    start: () => schedule(FIRST_RUN_MS),
    async usage() {
      const sizes = (await database.sizes(limits.perChat)).filter(({ count }) => count > 0);
      if (!database.isUsable()) return null;
      const sum = (value: (size: ChatSize) => number) =>
        sizes.reduce((total, size) => total + value(size), 0);
      return {
        chats: sizes.length,
        messages: sum(({ count }) => count),
        bytes: sum(({ bytes }) => bytes),
      };
    },
    async clear() {
      applyCuts((await database.sizes(limits.perChat)).flatMap(cutsOfWholeChat));
      await database.flush();
      return database.isUsable();
    },
    limit,
    async setLimit(bytes) {
      writeValue(ports.storage.local, limitKey, String(bytes));
      applyCuts(cutsOverLimits(await database.sizes(limits.perChat)));
      await database.flush();
    },
  };
}

/** Saves messages again that were stored before the index existed or with other search terms, which indexes them. */
async function reindexOldMessages({
  stateStore,
  database,
}: Pick<EvictionDeps, "stateStore" | "database">): Promise<void> {
  if ((await database.value("indexed")) === INDEX_VERSION) return;
  for (const chatKey of Object.values(stateStore.get().chats.byKey).map((chat) => chat.key)) {
    for (let below = Infinity; ;) {
      const messages = await database.messagesBefore(chatKey, below, INDEX_CHUNK);
      const ids = messages.flatMap(({ id }) => id ?? []);
      const [first] = ids;
      if (first === undefined) break;
      database.save(
        {},
        ids.map((id) => ({ chatKey, id, apply: (known) => known })),
      );
      await database.flush();
      below = first;
    }
  }
  database.save({ values: { indexed: INDEX_VERSION } });
}
