import type { Act, Tip } from "@parley/protocol/message";
import type { Kysely, Selectable } from "kysely";
import type { HistoryPage, PrivateRow, Reads } from "../../ports/store.ts";
import { prepared } from "./prepared.ts";
import { timeLine } from "./time-line.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

/** The row as the port shows it. */
function toPrivate({ chatId: _, tip, act, ...row }: Selectable<PrivateMessageTable>): PrivateRow {
  return {
    ...row,
    // Both were written from these types by this adapter.
    tip: tip === null ? null : (JSON.parse(tip) as Tip),
    act: act === null ? null : (JSON.parse(act) as Act),
  };
}

export type MessageReads = Pick<
  Reads,
  "findPrivate" | "findPrivateByTmpId" | "listPrivate" | "privateHistory" | "newestPrivateId" | "maxReadedId"
>;

export function messageReads(db: Kysely<Tables>): MessageReads {
  const byId = prepared(db, (id: number) => db.selectFrom("privateMessage").selectAll().where("id", "=", id));
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
          .where((e) => e.or([e("m.onlyFor", "is", null), e("m.onlyFor", "=", userId)]))
          .orderBy("m.id")
          .limit(limit),
      )
      .orderBy("id"),
  );

  /** Rows of one chat that `userId` may see. */
  const chat = (userId: number, friendId: number) =>
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
      .where((eb) => eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]));

  const newest = prepared(db, (userId: number, friendId: number, limit: number) =>
    chat(userId, friendId).orderBy("m.id", "desc").limit(limit),
  );
  const before = prepared(db, (userId: number, friendId: number, id: number, limit: number) =>
    chat(userId, friendId).where("m.id", "<", id).orderBy("m.id", "desc").limit(limit),
  );
  const from = prepared(db, (userId: number, friendId: number, id: number, limit: number) =>
    chat(userId, friendId).where("m.id", ">=", id).orderBy("m.id").limit(limit),
  );
  // Older clients count pages; they are the only ones that skip rows.
  const numbered = prepared(db, (userId: number, friendId: number, skip: number, limit: number) =>
    chat(userId, friendId).orderBy("m.id", "desc").limit(limit).offset(skip),
  );
  const newestId = prepared(db, (userId: number, friendId: number) =>
    chat(userId, friendId).clearSelect().select("m.id").orderBy("m.id", "desc").limit(1),
  );
  const readOfOwn = prepared(db, (userId: number, friendId: number) =>
    chat(userId, friendId)
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
    const half = Math.floor(size / 2);
    const older = half === 0 ? [] : (await before(userId, friendId, id, half)).rows.reverse();
    return [...older, ...(await from(userId, friendId, id, size - half)).rows];
  }

  async function historyRows(userId: number, friendId: number, page: HistoryPage) {
    switch (page.from) {
      case "newest":
        return (await newest(userId, friendId, page.size)).rows;
      case "before":
        return (await before(userId, friendId, page.id, page.size)).rows;
      case "after":
        return (await from(userId, friendId, page.id + 1, page.size)).rows;
      case "around":
        return around(userId, friendId, page.id, page.size);
      case "time":
        return around(userId, friendId, await firstIdAt(page.at), page.size);
      case "page":
        return (await numbered(userId, friendId, (page.page - 1) * page.size, page.size)).rows;
    }
  }

  return {
    async findPrivate(id) {
      const [row] = (await byId(id)).rows;
      return row && toPrivate(row);
    },
    async findPrivateByTmpId(sendId, tmpId) {
      const [row] = (await byTmpId(sendId, tmpId)).rows;
      return row && toPrivate(row);
    },
    async listPrivate(userId, fromId, upTo, limit) {
      return (await ofPerson(userId, fromId, upTo, limit)).rows.map(toPrivate);
    },
    async privateHistory(userId, friendId, page) {
      return (await historyRows(userId, friendId, page)).map(toPrivate);
    },
    async newestPrivateId(userId, friendId) {
      return (await newestId(userId, friendId)).rows[0]?.id ?? 0;
    },
    async maxReadedId(userId, friendId) {
      return (await readOfOwn(userId, friendId)).rows[0]?.id ?? -1;
    },
  };
}
