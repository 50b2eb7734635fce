import type { Appended } from "../../ports/stored-message.ts";
import type { WriteEngine } from "./engine.ts";
import type { monotonicTime } from "./monotonic-time.ts";

interface NewMessage {
  tmpId: string | null;
  sendId: number;
  sendTime: number;
}

/** The stored row, or why the message may not be stored. */
export type AppendResult = Appended<unknown> | string;

/** The part of an appender that the writer uses. */
export interface MessageAppender<Message, Result extends AppendResult> {
  append(messages: readonly Message[]): Promise<(Result | Error)[]>;
  /** Called before a write that may be rolled back alone. */
  mark(): void;
  /** Drops what was remembered during writes that were rolled back. */
  discard(rollbackScope: RollbackScope): void;
  /** Everything remembered so far is committed. */
  confirm(): void;
}

/** What was rolled back: the write since the last mark, or everything since the last commit. */
export type RollbackScope = "write" | "all";

/** What differs between private and group messages. Each kind has its own id sequence. */
export interface AppenderParts<Message extends NewMessage, Row extends NewMessage, Refusal extends string> {
  insertTemplate: { sql: string; bind(args: never): readonly unknown[] };
  newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  findByTmpId(sendId: number, tmpId: string): Promise<Row | undefined>;
  toRow(message: Message, assigned: { id: number; sendTime: number }): Row;
  /** The arguments of `insertTemplate`; not a promise if nothing has to be looked up. */
  valuesOf(row: Row): readonly unknown[] | Promise<readonly unknown[]>;
  /** Why this message may not be stored now. Only checked for appends outside of transactions. */
  refusalOf?(message: Message): Refusal | undefined;
  /** How many membership changes the group of this row had before this write. */
  memberChangesOf?(row: Row): number;
  mark?(): void;
  /** Drops what was remembered during writes that were rolled back. */
  discard(rollbackScope: RollbackScope): void;
  confirm?(): void;
}

/**
 * Appends messages inside the writer's transaction. Ids are assigned here, under the writer's lock.
 * What it remembers of the database stays true because no other process writes; `discard` must be called
 * after every rollback.
 */
export class Appender<
  Message extends NewMessage,
  Row extends NewMessage,
  Refusal extends string = never,
> implements MessageAppender<Message, Appended<Row> | Refusal> {
  readonly #engine: WriteEngine;
  readonly #parts: AppenderParts<Message, Row, Refusal>;
  #lastAssigned: { id: number; sendTime: number } | undefined;

  constructor(engine: WriteEngine, parts: AppenderParts<Message, Row, Refusal>) {
    this.#engine = engine;
    this.#parts = parts;
  }

  /** Appends in order. Each result is the row, why this message may not be stored, or the error of storing it. */
  async append(messages: readonly Message[]): Promise<(Appended<Row> | Refusal | Error)[]> {
    const refusals = messages.map((message) => this.#parts.refusalOf?.(message));
    if (refusals.every((refusal) => refusal === undefined)) return this.#insert(messages);
    const inserted = await this.#insert(messages.filter((_, index) => refusals[index] === undefined));
    return refusals.map(
      (refusal) => refusal ?? inserted.shift() ?? new Error("an append returned no result"),
    );
  }

  async #insert(messages: readonly Message[]): Promise<(Appended<Row> | Error)[]> {
    const { insertTemplate, newestUpTo, toRow, valuesOf } = this.#parts;
    const last = (this.#lastAssigned ??= (await newestUpTo(Number.MAX_SAFE_INTEGER)) ?? {
      id: 0,
      sendTime: 0,
    });
    const rows: Row[] = [];
    const argumentSets: (readonly unknown[])[] = [];
    for (const message of messages) {
      last.id += 1;
      last.sendTime = Math.max(last.sendTime, message.sendTime);
      const row = toRow(message, last);
      const values = valuesOf(row);
      rows.push(row);
      // `valuesOf` and the template come from the same parts, so the arguments match.
      argumentSets.push(insertTemplate.bind((values instanceof Promise ? await values : values) as never));
    }
    const changes = await this.#engine.runEach(insertTemplate.sql, argumentSets);
    const results: (Appended<Row> | Error)[] = [];
    for (const [index, row] of rows.entries()) {
      const changed = changes[index];
      const memberChanges = this.#parts.memberChangesOf?.(row);
      if (changed === 1)
        results.push({ row, isNew: true, ...(memberChanges !== undefined && { memberChanges }) });
      else results.push(changed instanceof Error ? changed : await this.#existingRow(row));
    }
    return results;
  }

  async appendOne(message: Message): Promise<Appended<Row>> {
    const [result] = await this.#insert([message]);
    if (result === undefined || result instanceof Error)
      throw result ?? new Error("an append returned no result");
    return result;
  }

  mark(): void {
    this.#parts.mark?.();
  }

  /** Ids that were already assigned are not reused. */
  discard(rollbackScope: RollbackScope): void {
    this.#parts.discard(rollbackScope);
  }

  confirm(): void {
    this.#parts.confirm?.();
  }

  /** The row stored earlier with the same (sendId, tmpId): a new id can conflict with nothing else. */
  async #existingRow({ sendId, tmpId }: Row): Promise<Appended<Row> | Error> {
    const row = tmpId === null ? undefined : await this.#parts.findByTmpId(sendId, tmpId);
    return row === undefined
      ? new Error("a message was not inserted, and no earlier message has its tmpId")
      : { row, isNew: false };
  }
}
