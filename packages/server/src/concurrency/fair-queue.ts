import { changeCount } from "../collections/maps.ts";

interface Turn {
  begin(): void;
  refuse(error: Error): void;
}

/** Limits how much runs at once and how much waits. */
export interface FairQueueOptions {
  runningMax: number;
  /** How much of one source runs at once; by default no less than of all. */
  runningOfSourceMax?: number;
  waitingMax: number;
  /** The error of work for which there was no room. */
  full(): Error;
}

/**
 * Runs a limited number of pieces of work at once. What waits is taken from its sources in turn, so that a source with much work delays only
 * itself. If too much waits, the source with the most gives up its newest piece.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #waiting = new Map<string, Turn[]>();
  /** How much runs, by source. */
  readonly #running = new Map<string, number>();
  #free: number;
  #waitingCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#free = options.runningMax;
  }

  /** The number of pieces of work that wait. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * Runs the work when its turn comes. Rejects with the error of `full` if there is no room, and with the reason of the signal if that comes
   * before its turn.
   */
  async run<T>(source: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0 && this.#mayBegin(source)) this.#begin(source);
    else await this.#turnOf(source, signal);
    try {
      return await work();
    } finally {
      this.#end(source);
    }
  }

  #mayBegin(source: string): boolean {
    return (this.#running.get(source) ?? 0) < (this.#options.runningOfSourceMax ?? Infinity);
  }

  #begin(source: string): void {
    this.#free--;
    changeCount(this.#running, source, 1);
  }

  #turnOf(source: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waitingCount >= this.#options.waitingMax) this.#makeRoomFor(source);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { begin: resolve, refuse: reject };
    this.#waiting.set(source, [...(this.#waiting.get(source) ?? []), turn]);
    this.#waitingCount++;
    if (signal === undefined) return promise;
    const leave = () => {
      const turns = this.#waiting.get(source) ?? [];
      // Its turn has come before the signal.
      if (!turns.includes(turn)) return;
      this.#keep(
        source,
        turns.filter((other) => other !== turn),
      );
      this.#waitingCount--;
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", leave);
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #keep(source: string, turns: Turn[]): void {
    if (turns.length > 0) this.#waiting.set(source, turns);
    else this.#waiting.delete(source);
  }

  /** Throws if no other source has more waiting than this one would have. */
  #makeRoomFor(source: string): void {
    let longest: Turn[] = [];
    for (const turns of this.#waiting.values()) if (turns.length > longest.length) longest = turns;
    const own = this.#waiting.get(source)?.length ?? 0;
    const newest = own + 1 < longest.length ? longest.pop() : undefined;
    if (newest === undefined) throw this.#options.full();
    this.#waitingCount--;
    newest.refuse(this.#options.full());
  }

  /** At most one piece can begin then: either there was no place, or only this source could not use it. */
  #end(ended: string): void {
    this.#free++;
    changeCount(this.#running, ended, -1);
    for (const [source, turns] of this.#waiting) {
      const [next, ...others] = turns;
      if (next === undefined || !this.#mayBegin(source)) continue;
      this.#waiting.delete(source);
      // To the end, behind the other sources.
      this.#keep(source, others);
      this.#waitingCount--;
      this.#begin(source);
      return next.begin();
    }
  }
}
