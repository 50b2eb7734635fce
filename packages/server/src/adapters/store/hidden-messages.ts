import type { Kysely } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { targetOfRow } from "./message-rows.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import { savedMessageChanges } from "./saved-messages.ts";
import type { HiddenMessageTable, Tables } from "./tables.ts";

/** Hides messages from single persons. It cannot be undone. */
export function hiddenMessages(db: Kysely<Tables>) {
  const nextChange = changeCounter(db);
  const saved = savedMessageChanges(db);

  async function insert(rows: readonly HiddenMessageTable[]): Promise<void> {
    for (const batch of inBatches(rows)) {
      await db
        .insertInto("hiddenMessage")
        .values(batch)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  /**
   * The edits that a person may no longer see when these rows are hidden: those of the rows and of what they quote, unless the person still
   * sees the edited message or a quote of it. They contain the text as well.
   */
  async function hiddenEdits(
    rows: readonly { id: number; quoteId: number | null }[],
    isHidden: (targetId: number) => Promise<boolean>,
  ): Promise<number[]> {
    const editedIds = new Set(rows.flatMap(({ id, quoteId }) => (quoteId === null ? [id] : [id, quoteId])));
    const events = await db
      .selectFrom("messageEdit")
      .select(["eventId", "targetId"])
      .where("targetId", "in", [...editedIds])
      .execute();
    const eventIds: number[] = [];
    for (const [editedId, eventsOfMessage] of Map.groupBy(events, (event) => event.targetId)) {
      if (await isHidden(editedId)) eventIds.push(...eventsOfMessage.map((event) => event.eventId));
    }
    return eventIds;
  }

  return {
    /** Hides an edit from people. Clients never show one, so the change feed need not report it. */
    hideEdit: (eventId: number, ownerIds: readonly number[]) =>
      insert(ownerIds.map((ownerId) => ({ ownerId, messageId: eventId, changed: 0 }))),

    /**
     * Hides rows of one chat that a person sees, and the edits that contain their texts. `isHidden` says whether the person then sees
     * neither a message nor a quote of it. What is hidden is not saved any more. Returns whether there were rows.
     */
    async hide(
      ownerId: number,
      rows: readonly { id: number; quoteId: number | null }[],
      isHidden: (id: number) => Promise<boolean>,
    ): Promise<boolean> {
      if (rows.length === 0) return false;
      const changed = await nextChange(ownerId);
      const ids = rows.map(({ id }) => id);
      await insert(ids.map((messageId) => ({ ownerId, messageId, changed })));
      await saved.removeOf(ownerId, ids, changed);
      const edits = await hiddenEdits(rows, isHidden);
      await insert(edits.map((messageId) => ({ ownerId, messageId, changed: 0 })));
      return true;
    },
  };
}

/** The messages that a person has hidden since a change number, by chat. */
export function hiddenSince(
  db: Kysely<Tables>,
): (ownerId: number, since: number) => Promise<ChangeSet["hidden"]> {
  const find = preparedQuery(db, (ownerId: number, since: number) =>
    db
      .selectFrom("hiddenMessage as h")
      .innerJoin("message as m", "m.id", "h.messageId")
      .select(["m.id", "m.chatId", "m.sendId", "m.recvId"])
      .where("h.ownerId", "=", ownerId)
      .where("h.changed", ">", since)
      .orderBy("m.id"),
  );
  return async (ownerId, since) => {
    const { rows } = await find(ownerId, since);
    return [...Map.groupBy(rows, (row) => row.chatId).values()].flatMap((rowsOfChat) => {
      const [first] = rowsOfChat;
      if (first === undefined) return [];
      return [{ ...targetOfRow(ownerId, first), ids: rowsOfChat.map(({ id }) => id) }];
    });
  };
}
