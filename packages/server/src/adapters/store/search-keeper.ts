import type { Kysely } from "kysely";
import { StoreLater } from "../../ports/later.ts";
import type { SearchIndex } from "./search-index.ts";
import { type IndexedMessages, indexedMark, type searchFiller } from "./search-filler.ts";
import type { Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";
import type { Writer } from "./writer.ts";

/** Between two batches of a backlog. */
const PAUSE_MS = 20;
/**
 * More new messages a second than this, and people are writing: then one batch has to do for so many looks. With very many of them the batches
 * fall behind anyway, and only make each message dearer.
 */
const PACES = [
  { perSecond: 100, looks: 20 },
  { perSecond: 16, looks: 4 },
];
/** What a search waits for at most. */
const WAIT_MS = 1_000;
/** So many merges after a batch; each is a commit of its own. */
const TIDY_MAX = 4;
const BUSY_TIDY_MAX = 1;

export interface KeeperParts {
  /** Sees what is committed. */
  reading: Kysely<Tables>;
  writer: Writer;
  index: SearchIndex;
  messages: IndexedMessages;
  filler: ReturnType<typeof searchFiller>;
  /** How often it looks for something new. */
  lookMs: number;
}

/** Brings the index up to the newest message: in small batches while little else is written, and at once before a search. */
export class SearchKeeper {
  readonly #parts: KeeperParts;
  readonly #indexedUpTo: () => Promise<number>;
  readonly #newestUpTo: ReturnType<typeof timeLine>["newestUpTo"];
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  /** Of the last look. */
  #rows = 0;
  #lookedAt = performance.now();
  #isStopped = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#indexedUpTo = indexedMark(parts.reading, parts.messages);
    this.#newestUpTo = timeLine(parts.reading, parts.messages.table).newestUpTo;
    this.#wait(parts.lookMs);
  }

  /** Resolves when every message of this moment is in the index, or after a while with what there is. */
  async catchUp(): Promise<void> {
    const end = performance.now() + WAIT_MS;
    try {
      while (!this.#isStopped && (await this.#isBehind()) && performance.now() < end) await this.#step();
    } catch (error) {
      // Nothing can be taken in now: what is in the index is found all the same.
      if (!(error instanceof StoreLater)) throw error;
    }
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#underWay?.catch(() => {});
  }

  #wait(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const looks = this.#looks();
    let isBehind = false;
    try {
      isBehind = await this.#isBehind();
      if (isBehind) await this.#step(looks > 1 ? BUSY_TIDY_MAX : TIDY_MAX);
    } catch {
      // Tried again at the next look; a search that meets the same error fails with it, and is logged.
    }
    const { lookMs } = this.#parts;
    if (looks > 1) this.#wait(lookMs * looks);
    else this.#wait(isBehind ? PAUSE_MS : lookMs);
  }

  /** How many looks are one, by the messages that came since the last. */
  #looks(): number {
    const { rows } = this.#parts.writer.stats;
    const now = performance.now();
    const perSecond = (1_000 * (rows - this.#rows)) / (now - this.#lookedAt);
    this.#rows = rows;
    this.#lookedAt = now;
    return PACES.find((pace) => perSecond > pace.perSecond)?.looks ?? 1;
  }

  async #isBehind(): Promise<boolean> {
    const head = await this.#newestUpTo(Number.MAX_SAFE_INTEGER);
    return head !== undefined && (await this.#indexedUpTo()) < head.id;
  }

  /** One batch; those who ask meanwhile share it. */
  #step(tidyMax = TIDY_MAX): Promise<void> {
    this.#underWay ??= this.#fill(tidyMax).finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #fill(tidyMax: number): Promise<void> {
    const { writer, filler, index } = this.#parts;
    await writer.write(() => filler.fill());
    // Each in a commit of its own, so that others may write in between.
    for (let n = 0; n < tidyMax; n++) {
      if (this.#isStopped || !(await writer.write(async () => index.tidy()))) return;
    }
  }
}
