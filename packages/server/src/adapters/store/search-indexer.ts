import type { Kysely } from "kysely";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { SearchIndex } from "./search-index.ts";
import { type IndexedMessages, indexedPosition, type searchBackfill } from "./search-backfill.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";
import type { Writer } from "./writer.ts";

/** Between two batches of a backlog. */
const PAUSE_MS = 20;
/**
 * More new messages a second than this, and people are writing: then one batch has to do for so many looks. With very many of them the batches
 * fall behind anyway, and only make each message dearer.
 */
const BUSY_LEVELS = [
  { perSecond: 100, looks: 20 },
  { perSecond: 16, looks: 4 },
];
/** What a search waits for at most. */
const CATCH_UP_MAX_MS = 1_000;
/** So many merges after a batch; each is a commit of its own. */
const OPTIMIZE_STEPS_MAX = 4;
const BUSY_OPTIMIZE_STEPS_MAX = 1;

export interface SearchIndexerParts {
  /** Sees what is committed. */
  reading: Kysely<Tables>;
  writer: Writer;
  index: SearchIndex;
  messages: IndexedMessages;
  backfill: ReturnType<typeof searchBackfill>;
  /** How often it looks for something new. */
  pollMs: number;
}

/** Brings the index up to the newest message: in small batches while little else is written, and at once before a search. */
export class SearchIndexer {
  readonly #parts: SearchIndexerParts;
  readonly #indexedUpTo: () => Promise<number>;
  readonly #newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Of the last look. */
  #rows = 0;
  #polledAt = performance.now();
  #isStopped = false;

  constructor(parts: SearchIndexerParts) {
    this.#parts = parts;
    this.#indexedUpTo = indexedPosition(parts.reading, parts.messages);
    this.#newestUpTo = monotonicTime(parts.reading, parts.messages.table).newestUpTo;
    this.#wait(parts.pollMs);
  }

  /** Resolves when every message of this moment is in the index, or after a while with what there is. */
  async catchUp(): Promise<void> {
    const end = performance.now() + CATCH_UP_MAX_MS;
    try {
      while (!this.#isStopped && (await this.#isBehind()) && performance.now() < end) await this.#step();
    } catch (error) {
      // Nothing can be taken in now: what is in the index is found all the same.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** Resolves when nothing is under way any more. */
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
    const looks = this.#polls();
    let isBehind = false;
    try {
      isBehind = await this.#isBehind();
      if (isBehind) await this.#step(looks > 1 ? BUSY_OPTIMIZE_STEPS_MAX : OPTIMIZE_STEPS_MAX);
    } catch {
      // Tried again at the next look; a search that meets the same error fails with it, and is logged.
    }
    const { pollMs } = this.#parts;
    if (looks > 1) this.#wait(pollMs * looks);
    else this.#wait(isBehind ? PAUSE_MS : pollMs);
  }

  /** How many looks are one, by the messages that came since the last. */
  #polls(): number {
    const { rows } = this.#parts.writer.stats;
    const now = performance.now();
    const perSecond = (1_000 * (rows - this.#rows)) / (now - this.#polledAt);
    this.#rows = rows;
    this.#polledAt = now;
    return BUSY_LEVELS.find((pace) => perSecond > pace.perSecond)?.looks ?? 1;
  }

  async #isBehind(): Promise<boolean> {
    const head = await this.#newestUpTo(Number.MAX_SAFE_INTEGER);
    return head !== undefined && (await this.#indexedUpTo()) < head.id;
  }

  /** One batch; those who ask meanwhile share it. */
  #step(tidyMax = OPTIMIZE_STEPS_MAX): Promise<void> {
    this.#running ??= this.#backfill(tidyMax).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #backfill(tidyMax: number): Promise<void> {
    const { writer, backfill, index } = this.#parts;
    await writer.write(() => backfill.fill());
    // Each in a commit of its own, so that others may write in between.
    for (let n = 0; n < tidyMax; n++) {
      if (this.#isStopped || !(await writer.write(async () => index.optimize()))) return;
    }
  }
}
