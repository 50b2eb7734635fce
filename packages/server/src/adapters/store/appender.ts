import type { Appended } from "../../ports/stored-message.ts";
import type { WriteEngine } from "./engine.ts";
import type { monotonicTime } from "./monotonic-time.ts";

interface NewMessage {
  tmpId: string | null;
  sendId: number;
  sendTime: number;
}

/** What the writer knows of it. */
export interface MessageAppender<Message, Row> {
  append(messages: readonly Message[]): Promise<(Appended<Row> | Error)[]>;
  /** A write begins that may be undone alone. */
  mark(): void;
  discard(rollbackScope: RollbackScope): void;
  /** All that was learnt until now is committed. */
  confirm(): void;
}

/** The write since the last mark, or everything since the last commit. */
export type RollbackScope = "write" | "all";

/** What tells one kind of message from another; both kinds count their ids by themselves. */
export interface AppenderParts<Message extends NewMessage, Row extends NewMessage> {
  insertion: { sql: string; bind(args: never): readonly unknown[] };
  newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  findByTmpId(sendId: number, tmpId: string): Promise<Row | undefined>;
  toRow(message: Message, head: { id: number; sendTime: number }): Row;
  /** The arguments of `insertion`; at once when nothing has to be looked up. */
  valuesOf(row: Row): readonly unknown[] | Promise<readonly unknown[]>;
  /** Why this one may not be stored at this moment; asked of what was asked for outside of transactions. */
  rejectionOf?(message: Message): Error | undefined;
  /** How often people had come or gone where this row belongs, at its place among the writes. */
  memberChangesOf?(row: Row): number;
  mark?(): void;
  /** Drops what was learnt in what was undone. */
  discard(rollbackScope: RollbackScope): void;
  confirm?(): void;
}

/**
 * Appends messages inside the writer's transaction. Ids are counted here, under the writers' lock.
 * What it remembers of the database is right because no other process writes; `forget` must be called after
 * anything was undone.
 */
export class Appender<Message extends NewMessage, Row extends NewMessage> implements MessageAppender<
  Message,
  Row
> {
  readonly #engine: WriteEngine;
  readonly #parts: AppenderParts<Message, Row>;
  #head: { id: number; sendTime: number } | undefined;

  constructor(engine: WriteEngine, parts: AppenderParts<Message, Row>) {
    this.#engine = engine;
    this.#parts = parts;
  }

  /** Appends in order; the result at each place is the row, or the error that kept this one out. */
  async append(messages: readonly Message[]): Promise<(Appended<Row> | Error)[]> {
    const refusals = messages.map((message) => this.#parts.rejectionOf?.(message));
    if (refusals.every((refusal) => refusal === undefined)) return this.#insert(messages);
    const inserted = await this.#insert(messages.filter((_, index) => refusals[index] === undefined));
    return refusals.map((refusal) => refusal ?? inserted.shift() ?? new Error("an append was not answered"));
  }

  async #insert(messages: readonly Message[]): Promise<(Appended<Row> | Error)[]> {
    const { insertion, newestUpTo, toRow, valuesOf } = this.#parts;
    const head = (this.#head ??= (await newestUpTo(Number.MAX_SAFE_INTEGER)) ?? { id: 0, sendTime: 0 });
    const rows: Row[] = [];
    const sets: (readonly unknown[])[] = [];
    for (const message of messages) {
      head.id += 1;
      head.sendTime = Math.max(head.sendTime, message.sendTime);
      const row = toRow(message, head);
      const values = valuesOf(row);
      rows.push(row);
      // The arguments come from the parts that made the template.
      sets.push(insertion.bind((values instanceof Promise ? await values : values) as never));
    }
    const changes = await this.#engine.runEach(insertion.sql, sets);
    const results: (Appended<Row> | Error)[] = [];
    for (const [index, row] of rows.entries()) {
      const changed = changes[index];
      const memberChanges = this.#parts.memberChangesOf?.(row);
      if (changed === 1)
        results.push({ row, isNew: true, ...(memberChanges !== undefined && { memberChanges }) });
      else results.push(changed instanceof Error ? changed : await this.#knownRow(row));
    }
    return results;
  }

  async appendOne(message: Message): Promise<Appended<Row>> {
    const [result] = await this.#insert([message]);
    if (result === undefined || result instanceof Error)
      throw result ?? new Error("an append was not answered");
    return result;
  }

  mark(): void {
    this.#parts.mark?.();
  }

  /** Ids already counted are not given again. */
  discard(rollbackScope: RollbackScope): void {
    this.#parts.discard(rollbackScope);
  }

  confirm(): void {
    this.#parts.confirm?.();
  }

  /** The row that was there before: only (sendId, tmpId) can have kept a new id out. */
  async #knownRow({ sendId, tmpId }: Row): Promise<Appended<Row> | Error> {
    const row = tmpId === null ? undefined : await this.#parts.findByTmpId(sendId, tmpId);
    return row === undefined
      ? new Error("a message was kept out of the store, and no earlier one is there")
      : { row, isNew: false };
  }
}
