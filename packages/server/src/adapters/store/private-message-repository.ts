import type { PrivateMessageReads } from "../../ports/private-message-store.ts";
import { MessageType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import { chatSource } from "./chat-source.ts";
import { daysWithMessages, historyPage } from "./history-page.ts";
import { preparedListQuery, preparedQuery } from "./prepared-query.ts";
import { privateRows } from "./message-rows.ts";
import type { Tables } from "./tables.ts";
import { clearedPositions, isInChatOf, isVisibleTo } from "./private-visibility.ts";

/** Reads private messages: single rows, history pages, and days with messages. */
export function privateMessageReads(
  db: Kysely<Tables>,
): Omit<PrivateMessageReads, "startPrivatePull" | "privateReadPositions"> {
  const toRows = privateRows(db);
  const clearedUpTo = clearedPositions(db);
  const byId = preparedQuery(db, (id: number) =>
    db.selectFrom("privateMessage").selectAll().where("id", "=", id),
  );
  const visibleById = preparedQuery(db, (userId: number, id: number) =>
    db
      .selectFrom("privateMessage as m")
      .selectAll("m")
      .where("m.id", "=", id)
      .where((eb) => eb.or([eb("m.sendId", "=", userId), eb("m.recvId", "=", userId)]))
      .where(isVisibleTo(userId)),
  );
  const byIds = preparedListQuery(db, (ids: readonly number[]) =>
    db
      .selectFrom("privateMessage")
      .selectAll()
      .where("id", "in", [...ids]),
  );
  const byTmpId = preparedQuery(db, (sendId: number, tmpId: string) =>
    db.selectFrom("privateMessage").selectAll().where("sendId", "=", sendId).where("tmpId", "=", tmpId),
  );

  // The ids come from the index alone; only the rows of the result are read.
  const rowsOf = preparedQuery(db, (userId: number, fromId: number, upTo: number, limit: number) =>
    db
      .selectFrom("privateMessage")
      .selectAll()
      .where("id", "in", (eb) =>
        eb
          .selectFrom("privateChat as c")
          .innerJoin("privateMessage as m", "m.chatId", "c.chatId")
          .select("m.id")
          .where("c.ownerId", "=", userId)
          .where("m.id", ">=", fromId)
          .where("m.id", "<=", upTo)
          .where(isVisibleTo(userId))
          .orderBy("m.id")
          .limit(limit),
      )
      .orderBy("id"),
  );

  /** Rows of one chat that `userId` sees; `from` must lie above the id up to which they cleared their history. */
  const chat = (userId: number, friendId: number, from: number) =>
    db
      .selectFrom("privateMessage as m")
      .selectAll("m")
      .where(isInChatOf(userId, friendId))
      .where("m.id", ">=", from)
      .where(isVisibleTo(userId));

  const sourceOf = chatSource(db, "privateMessage", (userId, friendId, from, to) =>
    chat(userId, friendId, from).where("m.id", "<=", to),
  );
  const chatOf = async (userId: number, friendId: number) =>
    sourceOf(userId, friendId, [{ from: (await clearedUpTo(userId)) + 1, to: Number.MAX_SAFE_INTEGER }]);
  const newestId = preparedQuery(db, (userId: number, friendId: number, from: number) =>
    chat(userId, friendId, from).clearSelect().select("m.id").orderBy("m.id", "desc").limit(1),
  );
  const newestReadOwn = preparedQuery(db, (userId: number, friendId: number, from: number) =>
    chat(userId, friendId, from)
      .clearSelect()
      .select("m.id")
      .where("m.sendId", "=", userId)
      .where("m.id", "<=", (eb) =>
        eb
          .selectFrom("privateChat")
          .select("readId")
          .where("ownerId", "=", friendId)
          .where("peerId", "=", userId),
      )
      .orderBy("m.id", "desc")
      .limit(1),
  );
  const quoteOf = preparedQuery(db, (userId: number, friendId: number, from: number, id: number) =>
    chat(userId, friendId, from)
      .clearSelect()
      .select("m.id")
      .where("m.quoteId", "=", id)
      .where("m.type", "!=", MessageType.EDIT)
      .where("m.noticeId", "is", null)
      .limit(1),
  );

  return {
    async findPrivate(id) {
      return (await toRows((await byId(id)).rows))[0];
    },
    async findPrivates(ids) {
      return toRows(await byIds(ids));
    },
    async findVisiblePrivate(userId, id) {
      if (id <= (await clearedUpTo(userId))) return undefined;
      return (await toRows((await visibleById(userId, id)).rows))[0];
    },
    async seesPrivateQuote(userId, friendId, id) {
      const from = Math.max(id, await clearedUpTo(userId)) + 1;
      return (await quoteOf(userId, friendId, from, id)).rows.length > 0;
    },
    async findPrivateByTmpId(sendId, tmpId) {
      return (await toRows((await byTmpId(sendId, tmpId)).rows))[0];
    },
    async listPrivate(userId, fromId, upTo, limit) {
      const first = Math.max(fromId, (await clearedUpTo(userId)) + 1);
      return toRows((await rowsOf(userId, first, upTo, limit)).rows);
    },
    async privateHistory(userId, friendId, page) {
      return toRows(await historyPage(await chatOf(userId, friendId), page));
    },
    async privateDays(userId, friendId, starts) {
      return daysWithMessages(await chatOf(userId, friendId), starts);
    },
    async newestPrivateId(userId, friendId) {
      return (await newestId(userId, friendId, (await clearedUpTo(userId)) + 1)).rows[0]?.id ?? 0;
    },
    async maxReadedId(userId, friendId) {
      return (await newestReadOwn(userId, friendId, (await clearedUpTo(userId)) + 1)).rows[0]?.id ?? -1;
    },
  };
}
