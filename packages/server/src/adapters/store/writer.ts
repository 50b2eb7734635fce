import { channel } from "node:diagnostics_channel";
import type { PassFailpoint } from "../../ports/failpoints.ts";
import { type Metrics, noMetrics } from "../../ports/metrics.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { Tx } from "../../ports/store.ts";
import type { AppendResult, MessageAppender, NewChatMessage, ResultOf, RollbackScope } from "./appender.ts";
import type { WriteEngine } from "./engine.ts";

/** Maximum number of writes that share a commit, so that a burst does not block the event loop. */
const BATCH_MAX = 1_024;
/** How often a batch is tried that the database aborts. */
const ATTEMPTS_MAX = 3;

/** Diagnostics channel that reports for each commit how many writes shared it and how long it took (`{ writes, milliseconds }`). Free while nobody subscribes. */
const commitChannel = channel("parley:commit");

/** Counts since the store was opened. */
export interface WriterStats {
  commits: number;
  /** Messages appended; repeated sends are not counted. */
  rows: number;
}

interface Append {
  message: NewChatMessage;
  resolve(result: AppendResult): void;
  reject(error: Error): void;
}

interface Work {
  run(tx: Tx): Promise<unknown>;
  /** What it may have done outside of the database is not undone, so it is never run twice. */
  hasRun: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type QueuedWrite = Append | Work;

/**
 * Group commit: writes requested in one turn of the event loop share one transaction. They are answered in
 * order as soon as the commit is on the disk. Writes that arrive during a commit wait for the next one.
 */
export class Writer {
  readonly stats: WriterStats = { commits: 0, rows: 0 };
  readonly #engine: WriteEngine;
  readonly #appender: MessageAppender;
  readonly #tx: Tx;
  readonly #onFatal: (error: Error) => void;
  readonly #failpoint: PassFailpoint;
  readonly #metrics: Pick<Metrics, "clock" | "committed">;
  #queue: QueuedWrite[] = [];
  #isBusy = false;
  #closedError: Error | undefined;
  #whenIdle: (() => void)[] = [];
  #isFull = false;

  /** `appender` is also the one that `tx` uses. */
  constructor(
    engine: WriteEngine,
    appender: MessageAppender,
    tx: Tx,
    onFatal: (error: Error) => void,
    failpoint: PassFailpoint,
    metrics: Pick<Metrics, "clock" | "committed"> = noMetrics,
  ) {
    this.#engine = engine;
    this.#appender = appender;
    this.#tx = tx;
    this.#onFatal = onFatal;
    this.#failpoint = failpoint;
    this.#metrics = metrics;
  }

  /** Whether it still accepts writes. */
  get isOpen(): boolean {
    return this.#closedError === undefined;
  }

  /** The number of writes that wait for the next commit. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Whether a write failed because the disk was full, and `diskFreed` was not called since. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The disk has free space again, because a write succeeded. */
  diskFreed(): void {
    this.#isFull = false;
  }

  append<Message extends NewChatMessage>(message: Message): Promise<ResultOf<Message>> {
    return new Promise((resolve, reject) => {
      // The result is made from this message, so it has its type.
      this.#enqueue({ message, resolve: resolve as Append["resolve"], reject });
    });
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // `resolve` receives the result of `work`, a T.
      this.#enqueue({ run: work, hasRun: false, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Rejects further writes; resolves when the running ones are done. */
  close(): Promise<void> {
    this.#closedError ??= new Error("the store is closed");
    return new Promise((resolve) => {
      if (this.#isBusy) this.#whenIdle.push(resolve);
      else resolve();
    });
  }

  #enqueue(item: QueuedWrite): void {
    if (this.#closedError !== undefined) return item.reject(this.#closedError);
    this.#queue.push(item);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#schedule();
  }

  /** Runs after the turn's input has been read, so that all its requests share the commit. */
  #schedule(): void {
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      await this.#commit(this.#queue.splice(0, BATCH_MAX));
    } finally {
      if (this.#queue.length > 0) this.#schedule();
      else {
        this.#isBusy = false;
        for (const resolve of this.#whenIdle.splice(0)) resolve();
      }
    }
  }

  async #commit(batch: readonly QueuedWrite[], attempt = 1): Promise<void> {
    const answers: (() => void)[] = [];
    const began = commitChannel.hasSubscribers ? performance.now() : 0;
    const beganToCount = this.#metrics.clock();
    try {
      void this.#failpoint("beforeBegin");
      await this.#engine.begin();
      if (this.#engine.hasOtherWriters) this.#appender.expectOtherWrites();
      for (let index = 0; index < batch.length;) {
        const appends = appendsFrom(batch, index);
        if (appends.length > 0) await this.#runAppends(appends, answers);
        const next = batch[index + appends.length];
        const isWork = next !== undefined && "run" in next;
        if (isWork) await this.#runWork(next, answers);
        index += appends.length + Number(isWork);
        void this.#failpoint("afterInsert");
      }
      void this.#failpoint("beforeCommit");
      await this.#engine.commit();
      void this.#failpoint("afterCommit");
    } catch (error) {
      return this.#fail(batch, attempt, error instanceof Error ? error : new Error(String(error)));
    }
    this.#appender.confirm();
    this.stats.commits += 1;
    this.#metrics.committed(batch.length, beganToCount);
    if (commitChannel.hasSubscribers)
      commitChannel.publish({ writes: batch.length, milliseconds: performance.now() - began });
    for (const answer of answers) answer();
    try {
      await this.#engine.checkpoint();
    } catch (error) {
      // What was answered is stored, but later writes could no longer be trusted.
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #runAppends(appends: readonly Append[], answers: (() => void)[]): Promise<void> {
    const results = await this.#appender.append(appends.map((item) => item.message));
    answers.push(() => this.#answer(appends, results));
  }

  #answer(appends: readonly Append[], results: readonly (AppendResult | Error)[]): void {
    for (let index = 0; index < appends.length; index++) {
      const item = appends[index];
      const result = results[index];
      if (result === undefined || result instanceof Error) {
        item?.reject(result ?? new Error("an append returned no result"));
      } else {
        if (typeof result !== "string" && result.isNew) this.stats.rows += 1;
        item?.resolve(result);
      }
    }
  }

  async #runWork(work: Work, answers: (() => void)[]): Promise<void> {
    work.hasRun = true;
    await this.#engine.savepoint();
    this.#appender.mark();
    try {
      const value = await this.#engine.rejectIfWaiting(work.run(this.#tx));
      answers.push(() => work.resolve(value));
    } catch (error) {
      // These errors end the whole transaction, including the other writes of the batch.
      if (this.#engine.isDiskFailure(error) || this.#engine.unavailableReason(error) !== undefined)
        throw error;
      await this.#engine.undo();
      this.#discard("write");
      answers.push(() => work.reject(error));
      return;
    }
    await this.#engine.release();
  }

  #discard(rollbackScope: RollbackScope): void {
    this.#appender.discard(rollbackScope);
  }

  async #fail(batch: readonly QueuedWrite[], attempt: number, error: Error): Promise<void> {
    this.#discard("all");
    const isAborted = this.#engine.isAborted(error);
    try {
      await this.#engine.rollback();
    } catch {
      // The first error is reported; an error of the rollback adds nothing.
    }
    const reason = this.#engine.unavailableReason(error);
    this.#isFull ||= reason === "full";
    const rejection = reason === undefined ? error : new StoreUnavailableError(reason, error);
    // The database has undone it, so what is only rows is stored by another attempt.
    const repeated = isAborted && attempt < ATTEMPTS_MAX ? batch.filter(isRepeatable) : [];
    for (const item of batch) if (!repeated.includes(item)) item.reject(rejection);
    if (this.#engine.isDiskFailure(error)) this.#end(error);
    else if (repeated.length > 0) await this.#commit(repeated, attempt + 1);
  }

  /** Rejects all queued and later writes and reports the error. */
  #end(error: Error): void {
    this.#closedError ??= error;
    for (const item of this.#queue.splice(0)) item.reject(error);
    this.#onFatal(error);
  }
}

function isRepeatable(item: QueuedWrite): boolean {
  return "message" in item || !item.hasRun;
}

/** The consecutive appends from `start` on. */
function appendsFrom(batch: readonly QueuedWrite[], start: number): Append[] {
  const appends: Append[] = [];
  for (let index = start; index < batch.length; index++) {
    const item = batch[index];
    if (item === undefined || !("message" in item)) break;
    appends.push(item);
  }
  return appends;
}
