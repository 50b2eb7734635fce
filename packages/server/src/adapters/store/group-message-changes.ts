import { ChatType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { GroupMessageWrites } from "../../ports/group-message-store.ts";
import type { ChangeSet } from "../../ports/store.ts";
import { changeCounter } from "./change-counter.ts";
import { groupMessageReads } from "./group-message-repository.ts";
import { coveredReceipts, receiptChanges } from "./group-receipts.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { isVisibleInGroup, isWithin, visibleRanges } from "./group-visibility.ts";
import { affectedRows } from "./hidden-messages.ts";
import { type MessageChangeParts, messageChangeWrites } from "./message-changes.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** What happens to messages of groups after they were sent. */
export function groupMessageChangeWrites(
  db: Kysely<Tables>,
  parts: MessageChangeParts,
): Omit<GroupMessageWrites, "appendGroup"> {
  const nextChange = changeCounter(db);
  const ranges = visibleRanges(db);
  const messages = groupMessageReads(db);
  const versions = groupMessageVersions(db);
  const changes = messageChangeWrites(db, "group", parts);
  const covered = coveredReceipts(db);
  const position = preparedQuery(db, (userId: number, groupId: number) =>
    db.selectFrom("groupRead").select("readId").where("groupId", "=", groupId).where("userId", "=", userId),
  );
  const setPosition = preparedQuery(db, (userId: number, groupId: number, readId: number, changed: number) =>
    db
      .insertInto("groupRead")
      .values({ userId, groupId, readId, changed })
      .onConflict((conflict) => conflict.columns(["groupId", "userId"]).doUpdateSet({ readId, changed })),
  );
  const setReceipt = preparedQuery(db, (ownerId: number, groupId: number, changed: number) =>
    db
      .insertInto("groupReceipt")
      .values({ ownerId, groupId, changed })
      .onConflict((conflict) => conflict.columns(["ownerId", "groupId"]).doUpdateSet({ changed })),
  );

  /** `changed`: 0 for what `/user/changes` does not tell. */
  async function insertHidden(
    groupId: number,
    changed: number,
    hidden: readonly { ownerId: number; messageId: number }[],
  ) {
    for (const piece of inBatches(hidden)) {
      await db
        .insertInto("hiddenGroup")
        .values(piece.map((one) => ({ ...one, groupId, changed })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  return {
    async recallGroup(recall) {
      await parts.secureDelete(() => versions.forgetFirstText(recall.id));
      await changes.recall(recall);
    },

    async editGroup(edit) {
      const [target] = await db
        .selectFrom("groupMessage")
        .select(["id", "groupId", "content", "editedAt"])
        .where("id", "=", edit.id)
        .execute();
      if (target === undefined) return;
      if (target.editedAt === null) await versions.keepFirstText(target);
      await changes.edit(edit);
      const { groupId } = target;
      const hiddenBefore = [
        ...(await messages.listGroupHiders(edit.id)),
        ...(await messages.listGroupLatecomers(groupId, edit.id)),
      ];
      await insertHidden(
        groupId,
        0,
        hiddenBefore.map((ownerId) => ({ ownerId, messageId: edit.eventId })),
      );
    },

    async hideGroupMessages(userId, groupId, ids) {
      const seen = await ranges.inGroup(userId, groupId);
      const rows = await db
        .selectFrom("groupMessage as m")
        .select(["m.id", "m.quoteId"])
        .where("m.id", "in", [...ids])
        .where("m.groupId", "=", groupId)
        .where(isVisibleInGroup(userId))
        .execute();
      const shown = rows.filter((row) => isWithin(seen, row.id));
      if (shown.length === 0) return false;
      const changed = await nextChange(userId);
      const own = (messageId: number) => ({ ownerId: userId, messageId });
      await insertHidden(
        groupId,
        changed,
        shown.map((row) => own(row.id)),
      );
      // The events of their edits hold their text as well, but no client shows one: nobody need be told.
      const events = await db
        .selectFrom("groupEdit")
        .select(["eventId", "targetId"])
        .where("targetId", "in", affectedRows(shown))
        .execute();
      const hiddenBefore = new Map<number, boolean>();
      for (const { targetId } of events) {
        if (hiddenBefore.has(targetId)) continue;
        hiddenBefore.set(targetId, (await messages.listGroupHiders(targetId)).includes(userId));
      }
      const unseen = events.filter((event) => hiddenBefore.get(event.targetId));
      await insertHidden(
        groupId,
        0,
        unseen.map((event) => own(event.eventId)),
      );
      return true;
    },

    async raiseGroupRead(userId, groupId, messageId) {
      const before = (await position(userId, groupId)).rows[0]?.readId ?? -1;
      if (messageId <= before) return undefined;
      await setPosition(userId, groupId, messageId, await nextChange(userId));
      // Whoever has read it counts as a reader, whatever he hides or clears.
      const seen = await ranges.ofStays(userId, groupId);
      const { rows } = await covered(userId, groupId, before + 1, messageId);
      const read = rows.filter((row) => isWithin(seen, row.id));
      // The lower id first, as everywhere: two nodes never wait for each other.
      for (const ownerId of [...new Set(read.map((row) => row.sendId))].sort((a, b) => a - b)) {
        await setReceipt(ownerId, groupId, await nextChange(ownerId));
      }
      return read;
    },
  };
}

/** What of this a device that was away has missed. */
export function groupChanges(db: Kysely<Tables>) {
  const receipts = receiptChanges(db);
  const positions = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("groupRead")
      .select(["groupId", "readId"])
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );
  const hiddenSince = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("hiddenGroup")
      .select(["groupId", "messageId"])
      .where("ownerId", "=", userId)
      .where("changed", ">", since)
      .orderBy("messageId"),
  );
  return async (userId: number, since: number): Promise<Pick<ChangeSet, "read" | "hidden" | "receipts">> => {
    const hidden = new Map<number, number[]>();
    for (const { groupId, messageId } of (await hiddenSince(userId, since)).rows) {
      const known = hidden.get(groupId);
      if (known === undefined) hidden.set(groupId, [messageId]);
      else known.push(messageId);
    }
    return {
      read: (await positions(userId, since)).rows.map(({ groupId, readId }) => ({
        type: ChatType.GROUP,
        targetId: groupId,
        mine: readId,
        theirs: -1,
      })),
      hidden: [...hidden].map(([targetId, ids]) => ({ type: ChatType.GROUP, targetId, ids })),
      receipts: await receipts(userId, since),
    };
  };
}
