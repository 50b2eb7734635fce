interface Turn {
  begin(): void;
  refuse(error: Error): void;
}

/** Limits how much runs at once and how much waits. */
export interface FairQueueOptions {
  runningMax: number;
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

  /** Runs the work when its turn comes. Rejects with the error of `full` if there is no room. */
  async run<T>(source: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turnOf(source);
    try {
      return await work();
    } finally {
      this.#beginNext();
    }
  }

  #turnOf(source: string): Promise<void> {
    if (this.#waitingCount >= this.#options.waitingMax) this.#makeRoomFor(source);
    return new Promise((resolve, reject) => {
      const turns = this.#waiting.get(source) ?? [];
      turns.push({ begin: resolve, refuse: reject });
      this.#waiting.set(source, turns);
      this.#waitingCount++;
    });
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

  #beginNext(): void {
    for (const [source, turns] of this.#waiting) {
      this.#waiting.delete(source);
      const next = turns.shift();
      // To the end, behind the other sources.
      if (turns.length > 0) this.#waiting.set(source, turns);
      if (next === undefined) continue;
      this.#waitingCount--;
      return next.begin();
    }
    this.#free++;
  }
}
