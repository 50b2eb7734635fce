import type { Kysely } from "kysely";
import type { NewGroupMessage } from "../../ports/group-message-store.ts";
import type { RollbackScope } from "./appender.ts";
import { inBatches, preparedListQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/**
 * The people who left a group since the store was opened, and the number of membership changes of each group, for a database that no other
 * process writes to. A message may be authorized just before its sender is removed and reach its commit just after; only here it is known
 * which of the two came first.
 */
export class MemberChanges {
  readonly #leavers = new Map<number, Set<number>>();
  readonly #writtenCounts = new Map<number, number>();
  readonly #committedCounts = new Map<number, number>();
  /** Groups with changes that are not committed yet. */
  readonly #uncommitted = new Set<number>();
  /** Undo the changes that are not committed yet; the newest is last. */
  #undoSteps: (() => void)[] = [];
  /** Length of `#undoSteps` when the current write began. */
  #undoMark = 0;

  /** A member left or was removed. */
  recordLeave(groupId: number, userId: number): void {
    this.#count(groupId);
    if (this.hasLeft(groupId, userId)) return;
    this.#add(groupId, userId);
    this.#undoSteps.push(() => this.#remove(groupId, userId));
  }

  /** A person joined. */
  recordJoin(groupId: number, userId: number): void {
    this.#count(groupId);
    if (!this.hasLeft(groupId, userId)) return;
    this.#remove(groupId, userId);
    this.#undoSteps.push(() => this.#add(groupId, userId));
  }

  #count(groupId: number): void {
    this.#writtenCounts.set(groupId, this.writtenCount(groupId) + 1);
    this.#uncommitted.add(groupId);
  }

  #add(groupId: number, userId: number): void {
    const leavers = this.#leavers.get(groupId);
    if (leavers === undefined) this.#leavers.set(groupId, new Set([userId]));
    else leavers.add(userId);
  }

  #remove(groupId: number, userId: number): void {
    const leavers = this.#leavers.get(groupId);
    leavers?.delete(userId);
    if (leavers?.size === 0) this.#leavers.delete(groupId);
  }

  hasLeft(groupId: number, userId: number): boolean {
    return this.#leavers.get(groupId)?.has(userId) === true;
  }

  /** How many changes the group had up to the current write, including those that were rolled back. */
  writtenCount(groupId: number): number {
    return this.#writtenCounts.get(groupId) ?? 0;
  }

  /** How many of these changes are committed. */
  committedCount(groupId: number): number {
    return this.#committedCounts.get(groupId) ?? 0;
  }

  mark(): void {
    this.#undoMark = this.#undoSteps.length;
  }

  confirm(): void {
    this.#undoSteps = [];
    for (const groupId of this.#uncommitted) this.#committedCounts.set(groupId, this.writtenCount(groupId));
    this.#uncommitted.clear();
  }

  /** Undoes the leaves and joins of writes that were rolled back. */
  discard(rollbackScope: RollbackScope): void {
    for (const undo of this.#undoSteps.splice(rollbackScope === "write" ? this.#undoMark : 0).reverse())
      undo();
  }
}

/** Finds the senders of messages who have left the group, whichever node has removed them, as `groupId:sendId`. */
export async function findLeavers(
  db: Kysely<Tables>,
  messages: readonly NewGroupMessage[],
): Promise<ReadonlySet<string>> {
  const leavers = new Set<string>();
  for (const groupIds of inBatches([...new Set(messages.map(({ groupId }) => groupId))])) {
    for (const senderIds of inBatches([...new Set(messages.map(({ sendId }) => sendId))])) {
      const rows = await db
        .selectFrom("groupMember")
        .select(["groupId", "userId"])
        .where("groupId", "in", groupIds)
        .where("userId", "in", senderIds)
        .where("quit", "=", 1)
        .execute();
      for (const { groupId, userId } of rows) leavers.add(`${groupId}:${userId}`);
    }
  }
  return leavers;
}

/** How often the members of groups have changed, on all nodes. */
export function memberChangeReads(
  db: Kysely<Tables>,
): (groupIds: readonly number[]) => Promise<ReadonlyMap<number, number>> {
  const find = preparedListQuery(db, (ids: readonly number[]) =>
    db.selectFrom("chatGroup").select(["id", "memberChanges"]).where("id", "in", ids),
  );
  return async (groupIds) =>
    new Map((await find([...new Set(groupIds)])).map(({ id, memberChanges }) => [id, memberChanges]));
}
