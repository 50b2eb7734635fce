import type { ChatKey, Result } from "../model/state.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";

/** The version of the search terms that messages are indexed by. Raise it when messages yield other terms than before. */
export const INDEX_VERSION = 1;

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

/** The work of one eviction run. */
export interface EvictionWork {
  evict(): Promise<Result<null>>;
}

/** Keeps the local database within its limits (interface §20): rarely, and long after a start. Never touches outbox and drafts. */
export interface Eviction {
  /** The database is empty: every message saved from now on is indexed. */
  markIndexed(): void;
  start(): void;
}

/** What eviction needs. */
export interface EvictionDeps {
  ports: Ports;
  database: LocalDatabase;
  work: EvictionWork;
}

const FIRST_RUN_MS = 120_000;
const RUN_INTERVAL_MS = 3_600_000;

/** Creates the schedule of the eviction; it waits for `start`. */
export function createEviction({ ports, database, work }: EvictionDeps): Eviction {
  function schedule(ms: number): void {
    ports.clock.after(ms, () => void work.evict().then(() => schedule(RUN_INTERVAL_MS)));
  }

  return {
    markIndexed: () => database.save({ values: { indexed: INDEX_VERSION } }),
    start: () => schedule(FIRST_RUN_MS),
  };
}
