import type { Kysely } from "kysely";
import type { GroupMessageWrites } from "../../ports/group-message-store.ts";
import { changeCounter } from "./change-counter.ts";
import { coveredReceipts, readPosition } from "./group-receipts.ts";
import { groupFirstTexts } from "./group-first-texts.ts";
import { isVisibleInGroup, isWithin, visibleRanges } from "./group-visibility.ts";
import { hiddenMessages } from "./hidden-messages.ts";
import { type MessageChangeParts, messageChangeWrites } from "./message-changes.ts";
import { missedMessageReads } from "./missed-messages.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Writes that change group messages after they were sent: recalls, edits, hidden messages and read positions. */
export function groupMessageChangeWrites(
  db: Kysely<Tables>,
  parts: MessageChangeParts,
): Omit<GroupMessageWrites, "appendGroup"> {
  const nextChange = changeCounter(db);
  const ranges = visibleRanges(db);
  const { listGroupHiders, listGroupLatecomers } = missedMessageReads(db);
  const firstTexts = groupFirstTexts(db);
  const changes = messageChangeWrites(db, "group", parts);
  const { hide, hideEdits } = hiddenMessages(db, "group");
  const covered = coveredReceipts(db);
  const position = readPosition(db);
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

  return {
    async recallGroup(recall) {
      await firstTexts.delete(recall.id);
      await changes.recall(recall);
    },

    async editGroup(edit) {
      const [target] = await db
        .selectFrom("groupMessage")
        .select(["id", "groupId", "content", "editedAt"])
        .where("id", "=", edit.id)
        .execute();
      if (target === undefined) return;
      if (target.editedAt === null) await firstTexts.save(target);
      await changes.edit(edit);
      const { groupId } = target;
      const excludedIds = [
        ...(await listGroupHiders(edit.id)),
        ...(await listGroupLatecomers(groupId, edit.id)),
      ];
      await hideEdits(
        excludedIds.map((ownerId) => ({ ownerId, messageId: edit.eventId, targetId: groupId })),
      );
    },

    async hideGroupMessages(userId, groupId, ids) {
      const visible = await ranges.inGroup(userId, groupId);
      const rows = await db
        .selectFrom("groupMessage as m")
        .select(["m.id", "m.quoteId"])
        .where("m.id", "in", [...ids])
        .where("m.groupId", "=", groupId)
        .where(isVisibleInGroup(userId))
        .execute();
      const shown = rows.filter((row) => isWithin(visible, row.id));
      return hide(userId, groupId, shown, async (id) => (await listGroupHiders(id)).includes(userId));
    },

    async raiseGroupRead(userId, groupId, messageId) {
      const before = await position(userId, groupId);
      if (messageId <= before) return undefined;
      await setPosition(userId, groupId, messageId, await nextChange(userId));
      // A person who has read a message counts as a reader, even after hiding or clearing it.
      const stays = await ranges.ofStays(userId, groupId);
      const { rows } = await covered(userId, groupId, before + 1, messageId);
      const read = rows.filter((row) => isWithin(stays, row.id));
      // The lower id first, as everywhere, so that two nodes cannot deadlock.
      for (const ownerId of [...new Set(read.map((row) => row.sendId))].sort((a, b) => a - b)) {
        await setReceipt(ownerId, groupId, await nextChange(ownerId));
      }
      return read;
    },
  };
}
