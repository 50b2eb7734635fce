import type { Kysely } from "kysely";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { Appended, NewMessage, StoredMessage } from "../../ports/stored-message.ts";
import { type ChatWrites, PrivateChatIds } from "./chat-repository.ts";
import type { WriteEngine } from "./engine.ts";
import { findLeavers, type MemberChanges, memberChangeReads } from "./member-changes.ts";
import { messageRowReads } from "./message-rows.ts";
import { monotonicTime } from "./monotonic-time.ts";
import type { MessageTable, Tables } from "./tables.ts";

/** A message to append, to a private chat or to a group. */
export type NewChatMessage = NewPrivateMessage | NewGroupMessage;
type ChatRow = PrivateRow | GroupMessageRow;

/** The stored row, or why the message may not be stored. */
export type AppendResult = Appended<ChatRow> | "senderLeft";

/** What appending a message of this type results in. */
export type ResultOf<Message extends NewChatMessage> = Message extends NewGroupMessage
  ? Appended<GroupMessageRow> | "senderLeft"
  : Appended<PrivateRow>;

/** The part of an appender that the writer uses. */
export interface MessageAppender {
  /** Appends in order. Each result is the row, why this message may not be stored, or the error of storing it. */
  append(messages: readonly NewChatMessage[]): Promise<(AppendResult | Error)[]>;
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

/** Messages that wait for the same commit may change places; such small differences are not worth a value in each row. */
const RECEIPT_TOLERANCE_MS = 1_000;

/** The order of the values of `insertedValues`. */
const COLUMNS = [
  "id",
  "chatId",
  "tmpId",
  "type",
  "sendId",
  "recvId",
  "sendNickName",
  "sendRole",
  "content",
  "sendTime",
  "receivedAt",
  "tip",
  "act",
  "onlyFor",
  "quoteId",
  "atUserIds",
  "receipt",
] as const satisfies (keyof MessageTable)[];

/**
 * Appends messages inside the writer's transaction: one row per message, however many people see it. Ids are assigned here, under the writer's
 * lock. The first private message between two people creates their chat.
 * What it remembers of the database stays true as long as no other process writes, which `expectOtherWrites` announces; `discard` must be
 * called after every rollback.
 */
export class Appender implements MessageAppender {
  readonly #engine: WriteEngine;
  readonly #memberChanges: MemberChanges;
  readonly #chatIds: PrivateChatIds;
  readonly #newestUpTo: ReturnType<typeof monotonicTime>["newestUpTo"];
  readonly #findByTmpId: ReturnType<typeof messageRowReads>["findByTmpId"];
  readonly #findLeavers: (messages: readonly NewGroupMessage[]) => Promise<ReadonlySet<string>>;
  readonly #changesOf: ReturnType<typeof memberChangeReads>;
  /** The last id and time that were assigned, also by writes that were rolled back. */
  readonly #last = { id: 0, sendTime: 0 };
  /** Whether `#last` is not before the newest message. */
  #isLastCurrent = false;

  constructor(
    engine: WriteEngine,
    db: Kysely<Tables>,
    memberChanges: MemberChanges,
    openChat: ChatWrites["openChat"],
  ) {
    this.#engine = engine;
    this.#memberChanges = memberChanges;
    this.#chatIds = new PrivateChatIds(openChat);
    this.#newestUpTo = monotonicTime(db).newestUpTo;
    this.#findByTmpId = messageRowReads(db).findByTmpId;
    this.#findLeavers = (messages) => findLeavers(db, messages);
    this.#changesOf = memberChangeReads(db);
  }

  async append(messages: readonly NewChatMessage[]): Promise<(AppendResult | Error)[]> {
    const areRefused = await this.#findRefused(messages);
    if (!areRefused.includes(true)) return this.#insert(messages);
    const inserted = await this.#insert(messages.filter((_, index) => areRefused[index] !== true));
    return areRefused.map((isRefused) =>
      isRefused ? "senderLeft" : (inserted.shift() ?? new Error("an append returned no result")),
    );
  }

  /** Appends one message inside a write that has checked its sender. */
  async appendOne<Message extends NewChatMessage>(
    message: Message,
  ): Promise<Exclude<ResultOf<Message>, "senderLeft">> {
    const [result] = await this.#insert([message]);
    if (result === undefined || result instanceof Error)
      throw result ?? new Error("an append returned no result");
    // The row is made from this message, so it has its type.
    return result as Exclude<ResultOf<Message>, "senderLeft">;
  }

  /** Whether the sender of each message has left its group. Only checked for appends outside of transactions. */
  async #findRefused(messages: readonly NewChatMessage[]): Promise<readonly boolean[]> {
    const inGroups = messages.filter(isForGroup);
    if (inGroups.length === 0) return [];
    if (!this.#engine.hasOtherWriters)
      return messages.map(
        (message) => isForGroup(message) && this.#memberChanges.hasLeft(message.groupId, message.sendId),
      );
    const leavers = await this.#findLeavers(inGroups);
    return messages.map(
      (message) => isForGroup(message) && leavers.has(`${message.groupId}:${message.sendId}`),
    );
  }

  async #insert(messages: readonly NewChatMessage[]): Promise<(Appended<ChatRow> | Error)[]> {
    const last = this.#last;
    if (!this.#isLastCurrent) await this.#catchUp();
    const rows: ChatRow[] = [];
    const argumentSets: (readonly unknown[])[] = [];
    for (const message of messages) {
      const received = message.sendTime - this.#engine.clockAheadMs();
      last.id += 1;
      last.sendTime = Math.max(last.sendTime, received, message.notBefore ?? 0);
      const stored = storedMessage(message, last, received);
      if (isForGroup(message)) {
        const { groupId, sendRole, atUserIds = [], receipt = false } = message;
        rows.push({ ...stored, groupId, sendRole, atUserIds, receipt });
        const mentions = atUserIds.length === 0 ? null : JSON.stringify(atUserIds);
        argumentSets.push(
          insertedValues(stored, { chatId: groupId, recvId: 0, sendRole, mentions, receipt }),
        );
      } else {
        const { sendId, recvId } = message;
        // Not a promise if it is cached, because each promise makes every message slower.
        const chatId = this.#chatIds.find(sendId, recvId) ?? (await this.#chatIds.open(sendId, recvId));
        rows.push({ ...stored, recvId });
        argumentSets.push(
          insertedValues(stored, { chatId, recvId, sendRole: 0, mentions: null, receipt: false }),
        );
      }
    }
    const outcomes = await this.#engine.insertEach("message", COLUMNS, argumentSets);
    const changesOf = await this.#memberChangesOf(rows);
    const results: (Appended<ChatRow> | Error)[] = [];
    for (const [index, row] of rows.entries()) {
      const outcome = outcomes[index];
      if (outcome !== true) results.push(outcome instanceof Error ? outcome : await this.#existingRow(row));
      else if ("groupId" in row) results.push({ row, isNew: true, memberChanges: changesOf(row.groupId) });
      else results.push({ row, isNew: true });
    }
    return results;
  }

  /** How many membership changes the group of a row had before this write. */
  async #memberChangesOf(rows: readonly ChatRow[]): Promise<(groupId: number) => number> {
    if (!this.#engine.hasOtherWriters) return (groupId) => this.#memberChanges.writtenCount(groupId);
    const groupIds = rows.flatMap((row) => ("groupId" in row ? [row.groupId] : []));
    const changes = groupIds.length === 0 ? undefined : await this.#changesOf(groupIds);
    return (groupId) => changes?.get(groupId) ?? 0;
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
    this.#memberChanges.mark();
  }

  /** Ids that were already assigned are not reused. */
  discard(rollbackScope: RollbackScope): void {
    this.#memberChanges.discard(rollbackScope);
    this.#chatIds.clear();
  }

  confirm(): void {
    this.#memberChanges.confirm();
  }

  /** The row stored earlier with the same (sendId, tmpId): a new id can conflict with nothing else. */
  async #existingRow(inserted: ChatRow): Promise<Appended<ChatRow> | Error> {
    const { sendId, tmpId } = inserted;
    const kind = "groupId" in inserted ? "GROUP" : "PRIVATE";
    const row = tmpId === null ? undefined : await this.#findByTmpId(kind, sendId, tmpId);
    return row === undefined
      ? new Error("a message was not inserted, and no earlier message has its tmpId")
      : { row, isNew: false };
  }
}

function isForGroup(message: NewChatMessage): message is NewGroupMessage {
  return "groupId" in message;
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

/** What depends on the kind of chat. */
interface ChatValues extends Pick<MessageTable, "chatId" | "recvId" | "sendRole"> {
  mentions: string | null;
  receipt: boolean;
}

/** The values of `COLUMNS`. */
function insertedValues(row: StoredMessage, chat: ChatValues): readonly unknown[] {
  return [
    row.id,
    chat.chatId,
    row.tmpId,
    row.type,
    row.sendId,
    chat.recvId,
    row.sendNickName,
    chat.sendRole,
    row.content,
    row.sendTime,
    row.receivedAt,
    row.tip === null ? null : JSON.stringify(row.tip),
    row.act === null ? null : JSON.stringify(row.act),
    row.onlyFor,
    row.quote?.id ?? null,
    chat.mentions,
    Number(chat.receipt),
  ];
}
