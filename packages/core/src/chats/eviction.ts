import type { ChatInput } from "../model/chats/chat-input.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { cutsOfWholeChat, cutsOverLimits, type EvictionCut, type EvictionLimits } from "./eviction-cuts.ts";
import { DEFAULT_DISK_LIMIT, DISK_LIMITS, type DiskLimit } from "../model/disk-limit.ts";
import type { SessionEvents } from "../session-events.ts";
import { LOCAL_KEYS, readValue, writeValue } from "../storage/key-value-storage.ts";
import type { ChatSize } from "../ports.ts";
import type { EvictionMark } from "../storage/stored-values.ts";

/** The version of the search terms that messages are indexed by. Raise it when messages yield other terms than before. */
const INDEX_VERSION = 1;

/** The database key of a chat's eviction mark. */
export function evictionMarkKey(key: ChatKey) {
  return `evicted ${key}` as const;
}

/** The messages that this browser keeps for the person signed in, so that chats open at once and without a network. */
export interface StorageActions {
  /** How many there are, and about how many bytes they take; null: the browser stores nothing. */
  usage(): Promise<StorageUsage | null>;
  /**
   * Removes those that the server has as well: unsent messages, drafts and the system chat stay, and chats load from the server again.
   * False: the browser refused.
   */
  clear(): Promise<boolean>;
  /** The limit in bytes. */
  limit(): DiskLimit;
  /** Saves the limit and removes what exceeds it. */
  setLimit(bytes: DiskLimit): Promise<void>;
}

/** What the local database holds. */
export interface StorageUsage {
  readonly chats: number;
  readonly messages: number;
  readonly bytes: number;
}

/**
 * Keeps the local database within its limits (interface §20): rarely, and long after a start, or when the person lowers the limit. Never
 * touches outbox and drafts.
 */
export interface Eviction extends Pick<SessionEvents, "start"> {
  readonly actions: StorageActions;
  /** The database is empty: every message saved from now on is indexed. */
  markIndexed(): void;
}

/** What eviction needs. */
export interface EvictionDeps extends Omit<ChatDeps, "api"> {
  /** Sends the input to the other tabs. */
  broadcast(input: EvictionInput): void;
  /** `bytes` left out: what the person has chosen. */
  limits?: ConfiguredLimits;
}

type ConfiguredLimits = Pick<EvictionLimits, "perChat"> & Partial<EvictionLimits>;

type EvictionInput = Extract<ChatInput, { kind: "evict" }>;

const FIRST_RUN_MS = 120_000;
const RUN_INTERVAL_MS = 3_600_000;
const DEFAULT_LIMITS: ConfiguredLimits = { perChat: 2_000 };
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
    ports.clock.after(ms, () => void run());
  }

  /** A run that fails must not be the last one. */
  async function run(): Promise<void> {
    try {
      await evict();
    } catch (error) {
      ports.log.warn("messages could not be removed from this device", { reason: String(error) });
    }
    schedule(RUN_INTERVAL_MS);
  }

  async function evict(): Promise<void> {
    const sizes = await database.sizes(limits.perChat);
    applyCuts(cutsNow(sizes));
    await reindexMessages({ stateStore, database });
  }

  const cutsNow = (sizes: readonly ChatSize[]) =>
    cutsOverLimits(sizes, stateStore.get().chats, { ...limits, bytes: limits.bytes ?? limit() });

  /** Other tabs learn of a cut before it is made, so that they do not take what they read afterwards for the whole chat. */
  function applyCuts(cuts: readonly EvictionCut[]): void {
    const { byKey } = stateStore.get().chats;
    const inputs = cuts.map(({ key, below }): EvictionInput => {
      const at = Math.max(ports.clock.now(), (byKey[key]?.sync.evictedAt ?? 0) + 1);
      return { kind: "evict", key, below, at };
    });
    if (inputs.length === 0) return;
    chatStore.dispatch(inputs);
    const marks: Record<ReturnType<typeof evictionMarkKey>, EvictionMark> = {};
    for (const { key, at } of inputs) {
      // A tab that missed an earlier cut must not rely on anything below this one either.
      const below = chatStore.chatOf(key)?.sync.knownFrom ?? 0;
      broadcast({ kind: "evict", key, below, at });
      marks[evictionMarkKey(key)] = { below, at };
    }
    const removedMessages = inputs.map(({ key, below }) => ({ chatKey: key, upTo: below - 1 }));
    database.save({ removedMessages, values: marks });
    // Has to be written before the rows that another tab loads from the server because of this cut.
    void database.flush();
  }

  const actions: StorageActions = {
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
      const sizes = await database.sizes(limits.perChat);
      applyCuts(sizes.flatMap((size) => cutsOfWholeChat(size, stateStore.get().chats)));
      await database.flush();
      return database.isUsable();
    },
    limit,
    async setLimit(bytes) {
      writeValue(ports.storage.local, limitKey, String(bytes));
      applyCuts(cutsNow(await database.sizes(limits.perChat)));
      await database.flush();
    },
  };

  return {
    actions,
    markIndexed: () => database.save({ values: { indexed: INDEX_VERSION } }),
    start: () => schedule(FIRST_RUN_MS),
  };
}

/** Saves messages again that were stored with other search terms, which indexes them. */
async function reindexMessages({
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
