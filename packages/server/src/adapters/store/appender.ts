import type { Kysely } from "kysely";
import type { Appended, NewMessage, StoredMessage } from "../../ports/stored-message.ts";
import type { MessageColumns } from "./columns.ts";
import type { MaybePromise, WriteEngine } from "./engine.ts";
import { monotonicTime } from "./monotonic-time.ts";
import type { Tables } from "./tables.ts";

/** The stored row, or why the message may not be stored. */
export type AppendResult = Appended<unknown> | string;

/** The part of an appender that the writer uses. */
export interface MessageAppender<Message, Result extends AppendResult> {
  append(messages: readonly Message[]): Promise<(Result | Error)[]>;
  /** Called when a transaction begins before which other processes may have written. */
  expectOtherWrites(): void;
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
export interface AppenderParts<
  Message extends NewMessage,
  Row extends StoredMessage,
  Refusal extends string,
> {
  table: "privateMessage" | "groupMessage";
  /** The columns that only this table has. */
  columns: readonly string[];
  findByTmpId(sendId: number, tmpId: string): Promise<Row | undefined>;
  /** Adds the fields that only rows of this kind have. */
  toRow(stored: StoredMessage, message: Message): Row;
  /** The values of `columns`; not a promise if nothing has to be looked up. */
  valuesOf(row: Row): readonly unknown[] | Promise<readonly unknown[]>;
  /** Why each message may not be stored now. Only checked for appends outside of transactions. */
  refusalsOf?(messages: readonly Message[]): MaybePromise<(Refusal | undefined)[]>;
  /** How many membership changes the group of each row had before this write. */
  memberChangesOf?(rows: readonly Row[]): MaybePromise<readonly number[]>;
  mark?(): void;
  /** Drops what was remembered during writes that were rolled back. */
  discard(rollbackScope: RollbackScope): void;
  confirm?(): void;
}

/** Messages that wait for the same commit may change places; such small differences are not worth a value in each row. */
const RECEIPT_TOLERANCE_MS = 1_000;

const COMMON_COLUMNS = [
  "id",
  "tmpId",
  "type",
  "sendId",
  "sendNickName",
  "content",
  "sendTime",
  "receivedAt",
  "tip",
  "act",
  "onlyFor",
  "quoteId",
] as const satisfies (keyof MessageColumns)[];

/**
 * Appends messages inside the writer's transaction. Ids are assigned here, under the writer's lock.
 * What it remembers of the database stays true as long as no other process writes, which `expectOtherWrites` announces; `discard` must be
 * called after every rollback.
 */
export class Appender<
  Message extends NewMessage,
  Row extends StoredMessage,
  Refusal extends string = never,
> implements MessageAppender<Message, Appended<Row> | Refusal> {
  readonly #engine: WriteEngine;
  readonly #parts: AppenderParts<Message, Row, Refusal>;
  readonly #columns: readonly string[];
  readonly #newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  /** The last id and time that were assigned, also by writes that were rolled back. */
  readonly #last = { id: 0, sendTime: 0 };
  /** Whether `#last` is not before the newest message. */
  #isLastCurrent = false;

  constructor(engine: WriteEngine, db: Kysely<Tables>, parts: AppenderParts<Message, Row, Refusal>) {
    this.#engine = engine;
    this.#parts = parts;
    this.#columns = [...COMMON_COLUMNS, ...parts.columns];
    this.#newestUpTo = monotonicTime(db, parts.table).newestUpTo;
  }

  /** Appends in order. Each result is the row, why this message may not be stored, or the error of storing it. */
  async append(messages: readonly Message[]): Promise<(Appended<Row> | Refusal | Error)[]> {
    const refusals = await this.#parts.refusalsOf?.(messages);
    if (refusals === undefined || refusals.every((refusal) => refusal === undefined))
      return this.#insert(messages);
    const inserted = await this.#insert(messages.filter((_, index) => refusals[index] === undefined));
    return refusals.map(
      (refusal) => refusal ?? inserted.shift() ?? new Error("an append returned no result"),
    );
  }

  async #insert(messages: readonly Message[]): Promise<(Appended<Row> | Error)[]> {
    const { toRow, valuesOf } = this.#parts;
    const last = this.#last;
    if (!this.#isLastCurrent) await this.#catchUp();
    const rows: Row[] = [];
    const argumentSets: (readonly unknown[])[] = [];
    for (const message of messages) {
      const received = message.sendTime - this.#engine.clockAheadMs();
      last.id += 1;
      last.sendTime = Math.max(last.sendTime, received, message.notBefore ?? 0);
      const row = toRow(storedMessage(message, last, received), message);
      const values = valuesOf(row);
      rows.push(row);
      argumentSets.push(insertedValues(row, values instanceof Promise ? await values : values));
    }
    const outcomes = await this.#engine.insertEach(this.#parts.table, this.#columns, argumentSets);
    const results: (Appended<Row> | Error)[] = [];
    const changes = await this.#parts.memberChangesOf?.(rows);
    for (const [index, row] of rows.entries()) {
      const outcome = outcomes[index];
      const memberChanges = changes?.[index];
      if (outcome === true)
        results.push({ row, isNew: true, ...(memberChanges !== undefined && { memberChanges }) });
      else results.push(outcome instanceof Error ? outcome : await this.#existingRow(row));
    }
    return results;
  }

  async appendOne(message: Message): Promise<Appended<Row>> {
    const [result] = await this.#insert([message]);
    if (result === undefined || result instanceof Error)
      throw result ?? new Error("an append returned no result");
    return result;
  }

  async #catchUp(): Promise<void> {
    const newest = await this.#newestUpTo(Number.MAX_SAFE_INTEGER);
    this.#last.id = Math.max(this.#last.id, newest?.id ?? 0);
    // What the database says, because another process may have brought its times back.
    this.#last.sendTime = newest?.sendTime ?? 0;
    this.#isLastCurrent = true;
  }

  expectOtherWrites(): void {
    this.#isLastCurrent = false;
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

function storedMessage(
  message: NewMessage,
  assigned: { id: number; sendTime: number },
  received: number,
): StoredMessage {
  return {
    // Written out, because a spread costs more per message than everything else here.
    id: assigned.id,
    tmpId: message.tmpId,
    type: message.type,
    sendId: message.sendId,
    sendNickName: message.sendNickName,
    content: message.content,
    sendTime: assigned.sendTime,
    receivedAt: assigned.sendTime - received > RECEIPT_TOLERANCE_MS ? received : null,
    tip: message.tip ?? null,
    act: message.act ?? null,
    onlyFor: message.onlyFor ?? null,
    quote: message.quote ?? null,
    editedAt: null,
    noticeId: null,
  };
}

/** The values of `COMMON_COLUMNS` and of the columns that only this table has. */
function insertedValues(row: StoredMessage, ownValues: readonly unknown[]): readonly unknown[] {
  return [
    row.id,
    row.tmpId,
    row.type,
    row.sendId,
    row.sendNickName,
    row.content,
    row.sendTime,
    row.receivedAt,
    row.tip === null ? null : JSON.stringify(row.tip),
    row.act === null ? null : JSON.stringify(row.act),
    row.onlyFor,
    row.quote?.id ?? null,
    ...ownValues,
  ];
}
