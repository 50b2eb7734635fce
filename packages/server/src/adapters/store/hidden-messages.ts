import { ChatType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

const KINDS = {
  private: { hidden: "hiddenPrivate", target: "peerId", edits: "privateEdit", type: ChatType.PRIVATE },
  group: { hidden: "hiddenGroup", target: "groupId", edits: "groupEdit", type: ChatType.GROUP },
} as const;

/** A message that one person deleted for themselves, or an edit that they must not see. */
interface HiddenMessage {
  ownerId: number;
  messageId: number;
  /** The other person or the group. */
  targetId: number;
}

/** Hides messages of one kind from single persons. It cannot be undone. */
export function hiddenMessages(db: Kysely<Tables>, kind: keyof typeof KINDS) {
  const { hidden: table, target, edits } = KINDS[kind];
  const nextChange = changeCounter(db);

  async function insert(rows: readonly HiddenMessage[], changed: number): Promise<void> {
    for (const batch of inBatches(rows)) {
      await db
        .insertInto(table)
        .values(batch.map(({ targetId, ...row }) => ({ ...row, [target]: targetId, changed })))
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
      .selectFrom(edits)
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
    /** Hides edits that clients never show, so that the change feed need not report them. */
    hideEdits: (rows: readonly HiddenMessage[]) => insert(rows, 0),

    /**
     * Hides rows of one chat that a person sees, and the edits that contain their texts. `isHidden` says whether the person then sees
     * neither a message nor a quote of it. Returns whether there were rows.
     */
    async hide(
      ownerId: number,
      targetId: number,
      rows: readonly { id: number; quoteId: number | null }[],
      isHidden: (id: number) => Promise<boolean>,
    ): Promise<boolean> {
      if (rows.length === 0) return false;
      const toHidden = (messageId: number) => ({ ownerId, messageId, targetId });
      await insert(
        rows.map((row) => toHidden(row.id)),
        await nextChange(ownerId),
      );
      await insert((await hiddenEdits(rows, isHidden)).map(toHidden), 0);
      return true;
    },
  };
}

/** The messages of one kind that a person has hidden since a change number, by chat. */
export function hiddenSince(db: Kysely<Tables>, kind: keyof typeof KINDS) {
  const { hidden, target, type } = KINDS[kind];
  const find = preparedQuery(db, (ownerId: number, since: number) =>
    db
      .selectFrom(hidden)
      .select((eb) => [eb.ref(target).as("targetId"), "messageId"])
      .where("ownerId", "=", ownerId)
      .where("changed", ">", since)
      .orderBy("messageId"),
  );
  return async (ownerId: number, since: number): Promise<ChangeSet["hidden"]> => {
    const { rows } = await find(ownerId, since);
    return [...Map.groupBy(rows, (row) => row.targetId)].map(([targetId, rowsOfChat]) => ({
      type,
      targetId,
      ids: rowsOfChat.map((row) => row.messageId),
    }));
  };
}
