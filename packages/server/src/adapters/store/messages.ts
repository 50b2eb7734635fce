import type { Kysely } from "kysely";
import type { HistoryPage, Reads } from "../../ports/store.ts";
import { prepared } from "./prepared.ts";
import { privateRows } from "./rows.ts";
import type { Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";
import { clearedMarks, isShownTo } from "./visible.ts";

export type MessageReads = Pick<
  Reads,
  | "findPrivate"
  | "findVisiblePrivate"
  | "findPrivateByTmpId"
  | "listPrivate"
  | "privateHistory"
  | "newestPrivateId"
  | "maxReadedId"
>;

export function messageReads(db: Kysely<Tables>): MessageReads {
  const toRows = privateRows(db);
  const clearedUpTo = clearedMarks(db);
  const byId = prepared(db, (id: number) => db.selectFrom("privateMessage").selectAll().where("id", "=", id));
  const shown = prepared(db, (userId: number, id: number) =>
    db
      .selectFrom("privateMessage as m")
      .selectAll("m")
      .where("m.id", "=", id)
      .where((eb) => eb.or([eb("m.sendId", "=", userId), eb("m.recvId", "=", userId)]))
      .where(isShownTo(userId)),
  );
  const byTmpId = prepared(db, (sendId: number, tmpId: string) =>
    db.selectFrom("privateMessage").selectAll().where("sendId", "=", sendId).where("tmpId", "=", tmpId),
  );

  // The ids come from the index alone; only the rows of the answer are read.
  const ofPerson = prepared(db, (userId: number, fromId: number, upTo: number, limit: number) =>
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
          .where(isShownTo(userId))
          .orderBy("m.id")
          .limit(limit),
      )
      .orderBy("id"),
  );

  /** Rows of one chat that `userId` may see, who has cleared up to `cleared`. */
  const chat = (userId: number, friendId: number, cleared: number) =>
    db
      .selectFrom("privateMessage as m")
      .selectAll("m")
      .where("m.chatId", "=", (eb) =>
        eb
          .selectFrom("privateChat")
          .select("chatId")
          .where("ownerId", "=", userId)
          .where("peerId", "=", friendId),
      )
      .where("m.id", ">", cleared)
      .where(isShownTo(userId));

  const newest = prepared(db, (userId: number, friendId: number, cleared: number, limit: number) =>
    chat(userId, friendId, cleared).orderBy("m.id", "desc").limit(limit),
  );
  const before = prepared(
    db,
    (userId: number, friendId: number, cleared: number, id: number, limit: number) =>
      chat(userId, friendId, cleared).where("m.id", "<", id).orderBy("m.id", "desc").limit(limit),
  );
  const after = prepared(db, (userId: number, friendId: number, id: number, limit: number) =>
    chat(userId, friendId, id).orderBy("m.id").limit(limit),
  );
  // Older clients count pages; they are the only ones that skip rows.
  const numbered = prepared(
    db,
    (userId: number, friendId: number, cleared: number, skip: number, limit: number) =>
      chat(userId, friendId, cleared).orderBy("m.id", "desc").limit(limit).offset(skip),
  );
  const newestId = prepared(db, (userId: number, friendId: number, cleared: number) =>
    chat(userId, friendId, cleared).clearSelect().select("m.id").orderBy("m.id", "desc").limit(1),
  );
  const readOfOwn = prepared(db, (userId: number, friendId: number, cleared: number) =>
    chat(userId, friendId, cleared)
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
  const { firstIdAt } = timeLine(db);

  /** `size` rows, half of them before `id`, ascending. */
  async function around(userId: number, friendId: number, id: number, size: number) {
    const cleared = await clearedUpTo(userId);
    const half = Math.floor(size / 2);
    const older = half === 0 ? [] : (await before(userId, friendId, cleared, id, half)).rows.reverse();
    return [...older, ...(await after(userId, friendId, Math.max(cleared, id - 1), size - half)).rows];
  }

  async function historyRows(userId: number, friendId: number, page: HistoryPage) {
    const cleared = await clearedUpTo(userId);
    switch (page.from) {
      case "newest":
        return (await newest(userId, friendId, cleared, page.size)).rows;
      case "before":
        return (await before(userId, friendId, cleared, page.id, page.size)).rows;
      case "after":
        return (await after(userId, friendId, Math.max(cleared, page.id), page.size)).rows;
      case "around":
        return around(userId, friendId, page.id, page.size);
      case "time":
        return around(userId, friendId, await firstIdAt(page.at), page.size);
      case "page":
        return (await numbered(userId, friendId, cleared, (page.page - 1) * page.size, page.size)).rows;
    }
  }

  return {
    async findPrivate(id) {
      return (await toRows((await byId(id)).rows))[0];
    },
    async findVisiblePrivate(userId, id) {
      if (id <= (await clearedUpTo(userId))) return undefined;
      return (await toRows((await shown(userId, id)).rows))[0];
    },
    async findPrivateByTmpId(sendId, tmpId) {
      return (await toRows((await byTmpId(sendId, tmpId)).rows))[0];
    },
    async listPrivate(userId, fromId, upTo, limit) {
      const first = Math.max(fromId, (await clearedUpTo(userId)) + 1);
      return toRows((await ofPerson(userId, first, upTo, limit)).rows);
    },
    async privateHistory(userId, friendId, page) {
      return toRows(await historyRows(userId, friendId, page));
    },
    async newestPrivateId(userId, friendId) {
      return (await newestId(userId, friendId, await clearedUpTo(userId))).rows[0]?.id ?? 0;
    },
    async maxReadedId(userId, friendId) {
      return (await readOfOwn(userId, friendId, await clearedUpTo(userId))).rows[0]?.id ?? -1;
    },
  };
}
