import { channel } from "node:diagnostics_channel";
import { failpoint } from "../../ports/failpoints.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { Tx } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import type { MessageAppender, RollbackScope } from "./appender.ts";
import type { WriteEngine } from "./engine.ts";

/** Most writes that share a commit, so that a burst does not hold the event loop. */
const BATCH_MAX = 1_024;

/** Tells of each commit how many writes shared it (`{ writes }`), for whoever measures; costs nothing while nobody listens. */
const committed = channel("parley:commit");

/** Counts since the store was opened. */
export interface WriterStats {
  commits: number;
  /** Messages appended, repeats not counted. */
  rows: number;
}

interface Append {
  appender: MessageAppender<unknown, unknown>;
  message: unknown;
  resolve(appended: Appended<unknown>): void;
  reject(error: Error): void;
}

interface Work {
  run(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Item = Append | Work;

type CommitListener = Pick<MessageAppender<unknown, unknown>, "mark" | "discard" | "confirm">;

/**
 * Group commit: what is asked for in one turn of the event loop is written in one transaction and answered,
 * in order, in the turn in which its commit reached the disk. Requests that arrive while the disk works wait
 * for the next one.
 */
export class Writer {
  readonly stats: WriterStats = { commits: 0, rows: 0 };
  readonly #engine: WriteEngine;
  readonly #appenders: readonly CommitListener[];
  readonly #tx: Tx;
  readonly #onFatal: (error: Error) => void;
  #queue: Item[] = [];
  #isBusy = false;
  #closedError: Error | undefined;
  #whenIdle: (() => void)[] = [];
  #isFull = false;

  /** `appenders`: all that anything is appended with, also inside of `tx`. */
  constructor(
    engine: WriteEngine,
    appenders: readonly CommitListener[],
    tx: Tx,
    onFatal: (error: Error) => void,
  ) {
    this.#engine = engine;
    this.#appenders = appenders;
    this.#tx = tx;
    this.#onFatal = onFatal;
  }

  /** Whether it still takes writes. */
  get isOpen(): boolean {
    return this.#closedError === undefined;
  }

  /** Whether a write found no room, and none has been told since to have found some. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** There is room again: something was written. */
  diskFreed(): void {
    this.#isFull = false;
  }

  append<Message, Row>(appender: MessageAppender<Message, Row>, message: Message): Promise<Appended<Row>> {
    return new Promise((resolve, reject) => {
      // What comes back is what this appender made of this message.
      this.#enqueue({ appender, message, resolve: resolve as Append["resolve"], reject });
    });
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // `resolve` is given what `work` answered, a T.
      this.#enqueue({ run: work, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Takes no more writes; resolves when those under way are done. */
  close(): Promise<void> {
    this.#closedError ??= new Error("the store is closed");
    return new Promise((resolve) => {
      if (this.#isBusy) this.#whenIdle.push(resolve);
      else resolve();
    });
  }

  #enqueue(item: Item): void {
    if (this.#closedError !== undefined) return item.reject(this.#closedError);
    this.#queue.push(item);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#schedule();
  }

  /** After the turn's input has been read: all requests that it brought share the commit. */
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

  async #commit(batch: Item[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      void failpoint("beforeBegin");
      await this.#engine.begin();
      for (let index = 0; index < batch.length;) {
        const appends = appendsFrom(batch, index);
        if (appends.length > 0) await this.#runAppends(appends, answers);
        const next = batch[index + appends.length];
        const isWork = next !== undefined && "run" in next;
        if (isWork) await this.#runWork(next, answers);
        index += appends.length + Number(isWork);
        void failpoint("afterInsert");
      }
      void failpoint("beforeCommit");
      await this.#engine.commit();
      void failpoint("afterCommit");
    } catch (error) {
      return this.#fail(batch, error instanceof Error ? error : new Error(String(error)));
    }
    for (const appender of this.#appenders) appender.confirm();
    this.stats.commits += 1;
    if (committed.hasSubscribers) committed.publish({ writes: batch.length });
    for (const answer of answers) answer();
    try {
      await this.#engine.checkpoint();
    } catch (error) {
      // What was answered is stored; but from here on nothing would be sure to be.
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #runAppends(appends: readonly Append[], answers: (() => void)[]): Promise<void> {
    const [first] = appends;
    if (first === undefined) return;
    const results = await first.appender.append(appends.map((item) => item.message));
    answers.push(() => this.#answer(appends, results));
  }

  #answer(appends: readonly Append[], results: readonly (Appended<unknown> | Error)[]): void {
    for (let index = 0; index < appends.length; index++) {
      const item = appends[index];
      const result = results[index];
      if (result === undefined || result instanceof Error) {
        item?.reject(result ?? new Error("an append was not answered"));
      } else {
        if (result.isNew) this.stats.rows += 1;
        item?.resolve(result);
      }
    }
  }

  async #runWork(work: Work, answers: (() => void)[]): Promise<void> {
    await this.#engine.savepoint();
    for (const appender of this.#appenders) appender.mark();
    try {
      const value = await this.#engine.rejectIfWaiting(work.run(this.#tx));
      answers.push(() => work.resolve(value));
    } catch (error) {
      // These end the transaction, with all that was to be committed beside this.
      if (this.#engine.isDiskFailure(error) || this.#engine.unavailableReason(error) !== undefined)
        throw error;
      await this.#engine.undo();
      this.#forget("write");
      answers.push(() => work.reject(error));
      return;
    }
    await this.#engine.release();
  }

  #forget(rollbackScope: RollbackScope): void {
    for (const appender of this.#appenders) appender.discard(rollbackScope);
  }

  async #fail(batch: readonly Item[], error: Error): Promise<void> {
    this.#forget("all");
    try {
      await this.#engine.rollback();
    } catch {
      // The first error says what happened; a connection that cannot even roll back is reported by it.
    }
    const later = this.#engine.unavailableReason(error);
    this.#isFull ||= later === "full";
    const told = later === undefined ? error : new StoreUnavailableError(later, error);
    for (const item of batch) item.reject(told);
    if (this.#engine.isDiskFailure(error)) this.#end(error);
  }

  /** Nothing is written any more. */
  #end(error: Error): void {
    this.#closedError ??= error;
    for (const item of this.#queue.splice(0)) item.reject(error);
    this.#onFatal(error);
  }
}

/** Those of one kind that follow each other. */
function appendsFrom(batch: readonly Item[], start: number): Append[] {
  const appends: Append[] = [];
  for (let index = start; index < batch.length; index++) {
    const item = batch[index];
    if (item === undefined || !("message" in item)) break;
    if (appends[0] !== undefined && item.appender !== appends[0].appender) break;
    appends.push(item);
  }
  return appends;
}
