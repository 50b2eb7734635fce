import { sql, type Kysely } from "kysely";
import type { GroupMessageReads, GroupMessageWrites, GroupReceipt } from "../../ports/group-message-store.ts";
import { type GroupStay, isDuringStay } from "../../ports/group-store.ts";
import { changeCounter } from "./change-counter.ts";
import { isNotRemovedByModerator, isWithin, visibleRanges } from "./group-visibility.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** How many of the newest own messages with receipt per group the change feed reports; older ones come with their history pages. */
const RECEIPT_CHANGES_MAX = 500;

interface Stay extends GroupStay {
  userId: number;
  readId: number;
  quit: number;
}

/** The reads of this file. */
export type GroupReceiptReads = Pick<
  GroupMessageReads,
  "groupReadPositions" | "groupReadPosition" | "listGroupReceipts" | "listGroupReaders" | "listGroupUnread"
>;

/** Returns a function that finds how far a person has read in a group; -1 if it was never read. */
function readPosition(db: Kysely<Tables>): GroupReceiptReads["groupReadPosition"] {
  const position = preparedQuery(db, (userId: number, groupId: number) =>
    db.selectFrom("groupRead").select("readId").where("userId", "=", userId).where("groupId", "=", groupId),
  );
  return async (userId, groupId) => (await position(userId, groupId)).rows[0]?.readId ?? -1;
}

/** Reads who has read which message. Stored is one read position per member, never a row per message. */
export function groupReceiptReads(db: Kysely<Tables>): GroupReceiptReads {
  const positions = preparedQuery(db, (userId: number) =>
    db.selectFrom("groupRead").select(["groupId", "readId"]).where("userId", "=", userId),
  );
  const stays = preparedQuery(db, (groupId: number) =>
    db
      .selectFrom("groupMember as g")
      .innerJoin("groupStay as s", (join) =>
        join.onRef("s.userId", "=", "g.userId").onRef("s.groupId", "=", "g.groupId"),
      )
      .leftJoin("groupRead as r", (join) =>
        join.onRef("r.userId", "=", "g.userId").onRef("r.groupId", "=", "g.groupId"),
      )
      .select((eb) => [
        "g.userId",
        "g.quit",
        "s.fromId",
        "s.toId",
        eb.fn.coalesce("r.readId", sql.lit(-1)).as("readId"),
      ])
      .where("g.groupId", "=", groupId)
      .orderBy("g.userId"),
  );

  return {
    async groupReadPositions(userId) {
      return new Map((await positions(userId)).rows.map(({ groupId, readId }) => [groupId, readId]));
    },
    groupReadPosition: readPosition(db),
    async listGroupReceipts(groupId, ids) {
      const rows: { id: number; sendId: number }[] = [];
      for (const batch of inBatches(ids)) {
        rows.push(
          ...(await db
            .selectFrom("message")
            .select(["id", "sendId"])
            .where("id", "in", batch)
            .where("chatId", "=", groupId)
            .where("receipt", "=", sql.lit(1))
            .orderBy("id")
            .execute()),
        );
      }
      if (rows.length === 0) return [];
      const members = (await stays(groupId)).rows;
      return rows.map((row) => receiptOf(groupId, row, members));
    },
    async listGroupReaders({ id, groupId, sendId }) {
      const members = (await stays(groupId)).rows;
      return members
        .filter((stay) => isRecipient(stay, id, sendId) && stay.readId >= id)
        .map((stay) => stay.userId);
    },
    async listGroupUnread({ id, groupId, sendId }) {
      const members = (await stays(groupId)).rows;
      return members
        .filter((stay) => stay.quit === 0 && isRecipient(stay, id, sendId) && stay.readId < id)
        .map((stay) => stay.userId);
    },
  };
}

/** Whether the message falls into this stay of somebody other than the sender. */
function isRecipient(stay: Stay, id: number, sendId: number): boolean {
  return stay.userId !== sendId && isDuringStay(stay, id);
}

function receiptOf(
  groupId: number,
  { id, sendId }: { id: number; sendId: number },
  stays: readonly Stay[],
): GroupReceipt {
  let readedCount = 0;
  let receiptOk = true;
  for (const stay of stays) {
    if (!isRecipient(stay, id, sendId)) continue;
    if (stay.readId >= id) readedCount++;
    // Members who left are not waited for.
    else if (stay.quit === 0) receiptOk = false;
  }
  return { id, groupId, readedCount, receiptOk };
}

/** Writes how far people have read in groups. */
export function groupReadWrites(db: Kysely<Tables>): GroupMessageWrites {
  const nextChange = changeCounter(db);
  const ranges = visibleRanges(db);
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

/** Ids and senders of others' messages with receipt between two read positions, including messages that the reader has hidden. */
function coveredReceipts(db: Kysely<Tables>) {
  return preparedQuery(db, (userId: number, groupId: number, from: number, to: number) =>
    db
      .selectFrom("message as m")
      .select(["m.id", "m.sendId"])
      .where("m.chatId", "=", groupId)
      .where("m.receipt", "=", sql.lit(1))
      .where("m.id", ">=", from)
      .where("m.id", "<=", to)
      .where("m.sendId", "!=", userId)
      .where(isNotRemovedByModerator)
      .orderBy("m.id"),
  );
}

/** The receipts that a sender's device missed while it was away. */
export function receiptChanges(db: Kysely<Tables>) {
  const { listGroupReceipts } = groupReceiptReads(db);
  const groups = preparedQuery(db, (ownerId: number, since: number) =>
    db
      .selectFrom("groupReceipt")
      .select("groupId")
      .where("ownerId", "=", ownerId)
      .where("changed", ">", since),
  );
  const ownIds = preparedQuery(db, (userId: number, groupId: number) =>
    db
      .selectFrom("message")
      .select("id")
      .where("chatId", "=", groupId)
      .where("receipt", "=", sql.lit(1))
      .where("sendId", "=", userId)
      .orderBy("id", "desc")
      .limit(RECEIPT_CHANGES_MAX),
  );
  return async (userId: number, since: number): Promise<GroupReceipt[]> => {
    const receipts: GroupReceipt[] = [];
    for (const { groupId } of (await groups(userId, since)).rows) {
      const ids = (await ownIds(userId, groupId)).rows.map((row) => row.id);
      receipts.push(...(await listGroupReceipts(groupId, ids)));
    }
    return receipts;
  };
}
