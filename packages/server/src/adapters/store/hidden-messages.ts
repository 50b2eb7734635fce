import type { PrivateMessageWrites } from "../../ports/private-message-store.ts";
import type { ChangeWrites } from "../../ports/change-store.ts";
import { ChatType } from "@parley/protocol/codes";
import { sql, type Kysely, type Selectable } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { privateMessageReads } from "./private-message-repository.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables, UserStateTable } from "./tables.ts";
import { clearedPositions, isVisibleTo } from "./private-visibility.ts";

/** Writes for messages that one person deletes for themselves or clears. Neither can be undone. */
export function hiddenMessageWrites(
  db: Kysely<Tables>,
): Pick<PrivateMessageWrites, "hidePrivateMessages"> & ChangeWrites {
  const nextChange = changeCounter(db);
  const clearedUpTo = clearedPositions(db);
  const { findVisiblePrivate, seesPrivateQuote } = privateMessageReads(db);

  async function newestId(table: "privateMessage" | "groupMessage"): Promise<number> {
    const newest = db.selectFrom(table).select("id").orderBy("id", "desc").limit(1);
    return (await newest.executeTakeFirst())?.id ?? 0;
  }

  /** `changed` is 0 for rows that `/user/changes` does not report. */
  async function insertHidden(ownerId: number, peerId: number, ids: readonly number[], changed: number) {
    for (const batch of inBatches(ids)) {
      await db
        .insertInto("hiddenPrivate")
        .values(batch.map((messageId) => ({ ownerId, messageId, peerId, changed })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  /** Whether a person sees neither a message nor a quote of it. A client that shows either one needs its edits. */
  async function isHiddenFor(userId: number, friendId: number, id: number): Promise<boolean> {
    if ((await findVisiblePrivate(userId, id)) !== undefined) return false;
    return !(await seesPrivateQuote(userId, friendId, id));
  }

  return {
    async hidePrivateMessages(userId, friendId, ids) {
      const rows = await db
        .selectFrom("privateMessage as m")
        .select(["m.id", "m.quoteId"])
        .where("m.id", "in", [...ids])
        .where("m.id", ">", await clearedUpTo(userId))
        .where("m.chatId", "=", (eb) =>
          eb
            .selectFrom("privateChat")
            .select("chatId")
            .where("ownerId", "=", userId)
            .where("peerId", "=", friendId),
        )
        .where(isVisibleTo(userId))
        .execute();
      if (rows.length === 0) return false;
      const changed = await nextChange(userId);
      const visibleIds = rows.map((row) => row.id);
      await insertHidden(userId, friendId, visibleIds, changed);
      const isHidden = (id: number) => isHiddenFor(userId, friendId, id);
      await insertHidden(userId, friendId, await hiddenEdits(db, "privateEdit", rows, isHidden), 0);
      return true;
    },

    async clearMessages(userId) {
      const changed = await nextChange(userId);
      const clearedPrivate = await newestId("privateMessage");
      const clearedGroup = await newestId("groupMessage");
      await db
        .updateTable("userState")
        .set({
          clearedPrivate,
          clearedGroup,
          clearedSystem: (eb) =>
            eb
              .selectFrom("systemMessage")
              .select((e) => e.fn.coalesce(e.fn.max("seqNo"), sql<number>`0`).as("seqNo"))
              .where("userId", "=", userId),
          clearedChanged: changed,
        })
        .where("userId", "=", userId)
        .execute();
      // Rows below the cleared ids are invisible anyway, so they need no entry here.
      await db
        .deleteFrom("hiddenPrivate")
        .where("ownerId", "=", userId)
        .where("messageId", "<=", clearedPrivate)
        .execute();
      await db
        .deleteFrom("hiddenGroup")
        .where("ownerId", "=", userId)
        .where("messageId", "<=", clearedGroup)
        .execute();
    },
  };
}

/**
 * The edits that a person may no longer see when these rows are hidden: those of the rows and of what they quote, unless the person still
 * sees the edited message or a quote of it. They contain the text as well. Clients never show them, so hiding them needs no change number.
 */
export async function hiddenEdits(
  db: Kysely<Tables>,
  edits: "privateEdit" | "groupEdit",
  rows: readonly { id: number; quoteId: number | null }[],
  isHidden: (targetId: number) => Promise<boolean>,
): Promise<number[]> {
  const targetIds = new Set(rows.flatMap(({ id, quoteId }) => (quoteId === null ? [id] : [id, quoteId])));
  const events = await db
    .selectFrom(edits)
    .select(["eventId", "targetId"])
    .where("targetId", "in", [...targetIds])
    .execute();
  const isTargetHidden = new Map<number, boolean>();
  for (const { targetId } of events) {
    if (!isTargetHidden.has(targetId)) isTargetHidden.set(targetId, await isHidden(targetId));
  }
  return events.filter((event) => isTargetHidden.get(event.targetId)).map((event) => event.eventId);
}

/** The hidden and cleared private messages that a device missed while it was away. */
export function hiddenMessageChanges(db: Kysely<Tables>) {
  const since = preparedQuery(db, (userId: number, after: number) =>
    db
      .selectFrom("hiddenPrivate")
      .select(["peerId", "messageId"])
      .where("ownerId", "=", userId)
      .where("changed", ">", after)
      .orderBy("messageId"),
  );
  return async (
    userId: number,
    state: Selectable<UserStateTable>,
    after: number,
  ): Promise<Pick<ChangeSet, "cleared" | "hidden">> => {
    const idsByPeer = new Map<number, number[]>();
    for (const { peerId, messageId } of (await since(userId, after)).rows) {
      const idsOfChat = idsByPeer.get(peerId);
      if (idsOfChat === undefined) idsByPeer.set(peerId, [messageId]);
      else idsOfChat.push(messageId);
    }
    const cleared = [
      { type: ChatType.PRIVATE, upTo: state.clearedPrivate },
      { type: ChatType.GROUP, upTo: state.clearedGroup },
      { type: ChatType.SYSTEM, upTo: state.clearedSystem },
    ];
    return {
      cleared: state.clearedChanged > after ? cleared : [],
      hidden: [...idsByPeer].map(([targetId, ids]) => ({ type: ChatType.PRIVATE, targetId, ids })),
    };
  };
}
