import type { Kysely } from "kysely";
import { ApiError } from "../../ports/call.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-store.ts";
import { Appender, type RollbackScope } from "./appender.ts";
import { jsonOrNull } from "./private-appender.ts";
import type { WriteEngine } from "./engine.ts";
import { groupMessageReads } from "./group-message-repository.ts";
import { queryTemplate } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";

function insertion(db: Kysely<Tables>) {
  return queryTemplate(
    (
      id: number,
      groupId: number,
      tmpId: string | null,
      type: number,
      sendId: number,
      sendRole: number,
      sendNickName: string,
      content: string,
      sendTime: number,
      tip: string | null,
      act: string | null,
      onlyFor: number | null,
      quoteId: number | null,
      atUserIds: string | null,
      receipt: number,
    ) =>
      db
        .insertInto("groupMessage")
        .values({
          id,
          groupId,
          tmpId,
          type,
          sendId,
          sendRole,
          sendNickName,
          content,
          sendTime,
          tip,
          act,
          onlyFor,
          quoteId,
          atUserIds,
          receipt,
        })
        .onConflict((conflict) => conflict.doNothing()),
  );
}

/**
 * Who left which group since the store was opened, and how often people came or went. A message that was allowed a moment before somebody
 * was removed may come to its commit a moment after: only here is it known which of the two was first.
 */
export class MemberChanges {
  readonly #leavers = new Map<number, Set<number>>();
  readonly #written = new Map<number, number>();
  readonly #committed = new Map<number, number>();
  /** Groups with changes that are not committed yet. */
  readonly #open = new Set<number>();
  /** Takes back what is not committed yet, the newest last. */
  #undoing: (() => void)[] = [];
  #mark = 0;

  left(groupId: number, userId: number): void {
    this.#count(groupId);
    if (this.hasLeft(groupId, userId)) return;
    this.#add(groupId, userId);
    this.#undoing.push(() => this.#remove(groupId, userId));
  }

  came(groupId: number, userId: number): void {
    this.#count(groupId);
    if (!this.hasLeft(groupId, userId)) return;
    this.#remove(groupId, userId);
    this.#undoing.push(() => this.#add(groupId, userId));
  }

  #count(groupId: number): void {
    this.#written.set(groupId, this.written(groupId) + 1);
    this.#open.add(groupId);
  }

  #add(groupId: number, userId: number): void {
    const known = this.#leavers.get(groupId);
    if (known === undefined) this.#leavers.set(groupId, new Set([userId]));
    else known.add(userId);
  }

  #remove(groupId: number, userId: number): void {
    const known = this.#leavers.get(groupId);
    known?.delete(userId);
    if (known?.size === 0) this.#leavers.delete(groupId);
  }

  hasLeft(groupId: number, userId: number): boolean {
    return this.#leavers.get(groupId)?.has(userId) === true;
  }

  /** How many changes there were up to this place among the writes; what was undone counts too. */
  written(groupId: number): number {
    return this.#written.get(groupId) ?? 0;
  }

  /** How many of them everybody can read. */
  committed(groupId: number): number {
    return this.#committed.get(groupId) ?? 0;
  }

  mark(): void {
    this.#mark = this.#undoing.length;
  }

  confirm(): void {
    this.#undoing = [];
    for (const groupId of this.#open) this.#committed.set(groupId, this.written(groupId));
    this.#open.clear();
  }

  /** Maybe somebody's leaving, or coming back, was undone. */
  discard(rollbackScope: RollbackScope): void {
    for (const undo of this.#undoing.splice(rollbackScope === "write" ? this.#mark : 0).reverse()) undo();
  }
}

/** Appends messages of groups: one row, however many members there are. */
export function groupAppender(
  engine: WriteEngine,
  db: Kysely<Tables>,
  memberChanges: MemberChanges,
): Appender<NewGroupMessage, GroupMessageRow> {
  return new Appender(engine, {
    insertion: insertion(db),
    newestUpTo: monotonicTime(db, "groupMessage").newestUpTo,
    findByTmpId: groupMessageReads(db).findGroupMessageByTmpId,
    toRow: (message, head) => ({
      id: head.id,
      tmpId: message.tmpId,
      type: message.type,
      groupId: message.groupId,
      sendId: message.sendId,
      sendNickName: message.sendNickName,
      sendRole: message.sendRole,
      content: message.content,
      sendTime: head.sendTime,
      tip: message.tip ?? null,
      act: message.act ?? null,
      onlyFor: message.onlyFor ?? null,
      quote: message.quote ?? null,
      editedAt: null,
      noticeId: null,
      atUserIds: message.atUserIds ?? [],
      receipt: message.receipt ?? false,
    }),
    valuesOf: (row) => [
      row.id,
      row.groupId,
      row.tmpId,
      row.type,
      row.sendId,
      row.sendRole,
      row.sendNickName,
      row.content,
      row.sendTime,
      jsonOrNull(row.tip),
      jsonOrNull(row.act),
      row.onlyFor,
      row.quote?.id ?? null,
      row.atUserIds.length === 0 ? null : JSON.stringify(row.atUserIds),
      Number(row.receipt),
    ],
    rejectionOf: ({ groupId, sendId }) =>
      memberChanges.hasLeft(groupId, sendId) ? new ApiError("message.notInGroup") : undefined,
    memberChangesOf: ({ groupId }) => memberChanges.written(groupId),
    mark: () => memberChanges.mark(),
    discard: (rollbackScope) => memberChanges.discard(rollbackScope),
    confirm: () => memberChanges.confirm(),
  });
}
