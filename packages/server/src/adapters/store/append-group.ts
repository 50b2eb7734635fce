import type { Kysely } from "kysely";
import { Refusal } from "../../ports/call.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/groups.ts";
import { Appender } from "./append.ts";
import { jsonOrNull } from "./append-private.ts";
import type { Engine } from "./engine.ts";
import { groupMessageReads } from "./group-messages.ts";
import { template } from "./prepared.ts";
import type { Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";

function insertion(db: Kysely<Tables>) {
  return template(
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
 * Who left which group since the store was opened. A message that was allowed a moment before its sender was removed may come to its commit
 * a moment after: only here is it known which of the two was first.
 */
export class Leavers {
  readonly #keys = new Set<string>();

  left(groupId: number, userId: number): void {
    this.#keys.add(`${groupId} ${userId}`);
  }

  came(groupId: number, userId: number): void {
    this.#keys.delete(`${groupId} ${userId}`);
  }

  has(groupId: number, userId: number): boolean {
    return this.#keys.size > 0 && this.#keys.has(`${groupId} ${userId}`);
  }

  /** A transaction was undone, and with it maybe somebody's leaving. */
  forget(): void {
    this.#keys.clear();
  }
}

/** Appends messages of groups: one row, however many members there are. */
export function groupAppender(
  engine: Engine,
  db: Kysely<Tables>,
  leavers: Leavers,
): Appender<NewGroupMessage, GroupMessageRow> {
  return new Appender(engine, {
    insertion: insertion(db),
    newestUpTo: timeLine(db, "groupMessage").newestUpTo,
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
    refusalOf: ({ groupId, sendId }) =>
      leavers.has(groupId, sendId) ? new Refusal("message.notInGroup") : undefined,
    forget: () => leavers.forget(),
  });
}
