import type { Kysely } from "kysely";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import { chatSource } from "./chat-source.ts";
import { groupReceiptReads } from "./group-receipts.ts";
import { isVisibleInGroup, isWithin, visibleRanges } from "./group-visibility.ts";
import { daysWithMessages, historyPage } from "./history-page.ts";
import { inBatches, preparedListQuery, preparedQuery } from "./prepared-query.ts";
import { groupRows, visibleGroupRows } from "./message-rows.ts";
import { missedMessageReads } from "./missed-messages.ts";
import type { Tables } from "./tables.ts";

/** Reads group messages: single rows, history pages, days with messages, and who has read or missed a row. */
export function groupMessageReads(db: Kysely<Tables>): GroupMessageReads {
  const toRows = groupRows(db);
  const toVisibleRows = visibleGroupRows(db);
  const ranges = visibleRanges(db);
  const byId = preparedQuery(db, (id: number) =>
    db.selectFrom("groupMessage").selectAll().where("id", "=", id),
  );
  const byIds = preparedListQuery(db, (ids: readonly number[]) =>
    db
      .selectFrom("groupMessage")
      .selectAll()
      .where("id", "in", [...ids]),
  );
  const visibleById = preparedQuery(db, (userId: number, id: number) =>
    db.selectFrom("groupMessage as m").selectAll("m").where("m.id", "=", id).where(isVisibleInGroup(userId)),
  );
  const byTmpId = preparedQuery(db, (sendId: number, tmpId: string) =>
    db.selectFrom("groupMessage").selectAll().where("sendId", "=", sendId).where("tmpId", "=", tmpId),
  );
  const newestOf = preparedQuery(db, (groupId: number) =>
    db.selectFrom("groupMessage").select("id").where("groupId", "=", groupId).orderBy("id", "desc").limit(1),
  );
  const sourceOf = chatSource(db, "groupMessage", (userId, groupId, from, to) =>
    db
      .selectFrom("groupMessage as m")
      .selectAll("m")
      .where("m.groupId", "=", groupId)
      .where("m.id", ">=", from)
      .where("m.id", "<=", to)
      .where(isVisibleInGroup(userId)),
  );
  const chatOf = async (userId: number, groupId: number) =>
    sourceOf(userId, groupId, await ranges.inGroup(userId, groupId));

  return {
    ...groupReceiptReads(db),
    ...missedMessageReads(db),
    async findGroupMessage(id) {
      return (await toRows((await byId(id)).rows))[0];
    },
    async findGroupMessages(ids) {
      return toRows(await byIds(ids));
    },
    async findVisibleGroupMessage(userId, id) {
      const [row] = (await visibleById(userId, id)).rows;
      if (row === undefined || !isWithin(await ranges.inGroup(userId, row.groupId), id)) return undefined;
      return (await toVisibleRows(userId, [row]))[0];
    },
    async findGroupMessageByTmpId(sendId, tmpId) {
      return (await toRows((await byTmpId(sendId, tmpId)).rows))[0];
    },
    async listGroupMessages(userId, ids) {
      const rows: Awaited<ReturnType<typeof byId>>["rows"] = [];
      for (const batch of inBatches(ids)) {
        rows.push(
          ...(await db
            .selectFrom("groupMessage")
            .selectAll()
            .where("id", "in", batch)
            .orderBy("id")
            .execute()),
        );
      }
      return toVisibleRows(userId, rows);
    },
    async groupHistory(userId, groupId, page) {
      return toVisibleRows(userId, await historyPage(await chatOf(userId, groupId), page));
    },
    async groupDays(userId, groupId, starts) {
      return daysWithMessages(await chatOf(userId, groupId), starts);
    },
    async newestSeenGroupMessageId(userId, groupId) {
      const [newest] = await historyPage(await chatOf(userId, groupId), { from: "newest", size: 1 });
      return newest?.id ?? 0;
    },
    async newestGroupMessageId(groupId) {
      return (await newestOf(groupId)).rows[0]?.id ?? 0;
    },
  };
}
