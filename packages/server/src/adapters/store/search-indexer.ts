import type { Kysely } from "kysely";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { SearchIndex } from "./search-index.ts";
import { indexedPosition, type searchBackfill } from "./search-backfill.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";
import type { Writer } from "./writer.ts";

/** Pause between two batches of a backlog. */
const PAUSE_MS = 20;
/**
 * Above these rates of new messages the indexer polls less often, so that it takes less time from the writers. At very high rates it falls
 * behind anyway.
 */
const BUSY_LEVELS = [
  { perSecond: 100, pollFactor: 20 },
  { perSecond: 16, pollFactor: 4 },
];
/** How long a search waits for the index at most. */
const CATCH_UP_MAX_MS = 1_000;
/** Maximum number of merges after a batch; each is its own commit. */
const OPTIMIZE_STEPS_MAX = 4;
const BUSY_OPTIMIZE_STEPS_MAX = 1;

/** What an indexer needs. */
export interface SearchIndexerParts {
  /** The connection for reads, which sees committed data only. */
  reading: Kysely<Tables>;
  writer: Writer;
  index: SearchIndex;
  backfill: ReturnType<typeof searchBackfill>;
  /** How often it looks for new messages. */
  pollMs: number;
}

/** Keeps the index up to date: in small batches in the background, and immediately before a search. */
export class SearchIndexer {
  readonly #parts: SearchIndexerParts;
  readonly #indexedUpTo: () => Promise<number>;
  readonly #newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Number of appended messages and time at the last poll. */
  #rowsAtPoll = 0;
  #polledAt = performance.now();
  #isStopped = false;

  constructor(parts: SearchIndexerParts) {
    this.#parts = parts;
    this.#indexedUpTo = indexedPosition(parts.reading);
    this.#newestUpTo = monotonicTime(parts.reading).newestUpTo;
    this.#wait(parts.pollMs);
  }

  /** Resolves when every message stored so far is indexed, or after a time limit. */
  async catchUp(maxMs = CATCH_UP_MAX_MS): Promise<void> {
    const end = performance.now() + maxMs;
    try {
      while (!this.#isStopped && (await this.#isBehind()) && performance.now() < end) await this.#step();
    } catch (error) {
      // Nothing can be indexed now; the search finds what is in the index.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** Stops polling; resolves when the running batch is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => {});
  }

  #wait(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#poll(), ms);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const pollFactor = this.#pollFactor();
    let isBehind = false;
    try {
      isBehind = await this.#isBehind();
      if (isBehind) await this.#step(pollFactor > 1 ? BUSY_OPTIMIZE_STEPS_MAX : OPTIMIZE_STEPS_MAX);
    } catch {
      // The next poll tries again. A search that gets the same error fails with it and is logged.
    }
    const { pollMs } = this.#parts;
    if (pollFactor > 1) this.#wait(pollMs * pollFactor);
    else this.#wait(isBehind ? PAUSE_MS : pollMs);
  }

  /** By how much to slow down polling, from the rate of new messages since the last poll. */
  #pollFactor(): number {
    const { rows } = this.#parts.writer.stats;
    const now = performance.now();
    const perSecond = (1_000 * (rows - this.#rowsAtPoll)) / (now - this.#polledAt);
    this.#rowsAtPoll = rows;
    this.#polledAt = now;
    return BUSY_LEVELS.find((level) => perSecond > level.perSecond)?.pollFactor ?? 1;
  }

  async #isBehind(): Promise<boolean> {
    const newest = await this.#newestUpTo(Number.MAX_SAFE_INTEGER);
    return newest !== undefined && (await this.#indexedUpTo()) < newest.id;
  }

  /** Runs one batch. Calls during a running batch share it. */
  #step(optimizeStepsMax = OPTIMIZE_STEPS_MAX): Promise<void> {
    this.#running ??= this.#backfill(optimizeStepsMax).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #backfill(optimizeStepsMax: number): Promise<void> {
    const { writer, backfill, index } = this.#parts;
    await writer.write(() => backfill.fill());
    // Each step is its own commit, so that other writes can run in between.
    for (let n = 0; n < optimizeStepsMax; n++) {
      if (this.#isStopped || !(await writer.write(async () => index.optimize()))) return;
    }
  }
}
