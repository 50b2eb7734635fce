import type { ChatKey, Result } from "../model/state.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** What of the disk is indexed by today's terms; raise it when messages are to be found by other words than before. */
export const INDEX_VERSION = 1;
export const INDEXED_KEY = "indexed";

/** What the disk notes of its last trim of a chat. A tab that was not told must not take what is left for all there is. */
export interface EvictionMark {
  /** Everything below this id may be missing. */
  readonly below: number;
  readonly at: number;
}

/** Where the mark of a chat lies on the disk. */
export function evictionMarkKey(key: ChatKey): string {
  return `trim ${key}`;
}

/** Whether this is a mark, as another tab told it or the disk holds it. */
export function isEvictionMark(value: unknown): value is EvictionMark {
  return isRecord(value) && typeof value["below"] === "number" && typeof value["at"] === "number";
}

/** What is done each time. */
export interface EvictionWork {
  /** Stops at its next step once `isOver`. */
  evict(isOver: () => boolean): Promise<Result<null>>;
}

/** Keeps the disk within its bounds (interface §20): rarely, and long after a start. Outbox and drafts are never touched. */
export interface Eviction {
  /** Nothing lies on this disk yet: all that comes will be found. */
  markIndexed(): void;
  start(): void;
  stop(): void;
}

export interface EvictionDeps {
  ports: Ports;
  stateStore: StateStore;
  database: LocalDatabase;
  work: EvictionWork;
}

const FIRST_RUN_MS = 120_000;
const RUN_INTERVAL_MS = 3_600_000;

export function createEviction({ ports, stateStore, database, work }: EvictionDeps): Eviction {
  let cancel: (() => void) | null = null;

  function schedule(ms: number): void {
    cancel = ports.clock.after(ms, () => {
      cancel = null;
      const isOver = createIsOver();
      void work.evict(isOver).then(() => !isOver() && schedule(RUN_INTERVAL_MS));
    });
  }

  function createIsOver(): () => boolean {
    const { session } = stateStore.get();
    return () => stateStore.get().session !== session;
  }

  return {
    markIndexed: () => database.save({ values: { [INDEXED_KEY]: INDEX_VERSION } }),
    start() {
      if (cancel === null) schedule(FIRST_RUN_MS);
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
