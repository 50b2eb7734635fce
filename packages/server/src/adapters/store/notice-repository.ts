import type { NoticeReads, NoticeWrites } from "../../ports/notice-store.ts";
import type { Kysely } from "kysely";
import type { NoticeRow } from "../../ports/notice-store.ts";
import { nextId } from "./next-id.ts";
import type { Tables } from "./tables.ts";

/** Reads notices of administrators. */
export function noticeReads(db: Kysely<Tables>): NoticeReads {
  return {
    findNotice: (id) => db.selectFrom("notice").selectAll().where("id", "=", id).executeTakeFirst(),
    listUnfinishedNotices: () =>
      db
        .selectFrom("notice")
        .selectAll()
        .whereRef("reachedUserId", "<", "lastUserId")
        .orderBy("id")
        .execute(),
  };
}

/** Writes notices of administrators. */
export function noticeWrites(db: Kysely<Tables>): NoticeWrites {
  return {
    async insertNotice(notice) {
      const row: NoticeRow = { id: await nextId(db, "notice"), ...notice, receivedCount: 0, readCount: 0 };
      await db.insertInto("notice").values(row).execute();
      return row;
    },
    async addNoticeReceivers(id, count) {
      await db
        .updateTable("notice")
        .set((eb) => ({ receivedCount: eb("receivedCount", "+", count) }))
        .where("id", "=", id)
        .execute();
    },
    async setNoticeReached(id, userId) {
      await db.updateTable("notice").set({ reachedUserId: userId }).where("id", "=", id).execute();
    },
  };
}
