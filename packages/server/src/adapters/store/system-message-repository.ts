import type { SystemMessageReads, SystemMessageWrites, SystemRow } from "../../ports/system-message-store.ts";
import type { Kysely, Selectable } from "kysely";
import { changeCounter } from "./change-counter.ts";
import { nextId } from "./next-id.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { SystemMessageTable, Tables } from "./tables.ts";

/** A row as the port has it. */
function toSystem({ changed: _, groupRequestId: _id, ...row }: Selectable<SystemMessageTable>): SystemRow {
  return row;
}

/** Reads the system chat. */
export function systemMessageReads(db: Kysely<Tables>): SystemMessageReads {
  const after = preparedQuery(db, (userId: number, seqNo: number, limit: number) =>
    db
      .selectFrom("systemMessage")
      .selectAll()
      .where("userId", "=", userId)
      .where("seqNo", ">", seqNo)
      .orderBy("seqNo")
      .limit(limit),
  );
  const upTo = preparedQuery(db, (userId: number, seqNo: number, sentUpTo: number) =>
    db
      .selectFrom("systemMessage")
      .select(["seqNo", "sendTime"])
      .where("userId", "=", userId)
      .where("seqNo", "<=", seqNo)
      .where("sendTime", "<=", sentUpTo)
      .orderBy("seqNo", "desc")
      .limit(1),
  );
  const newest = preparedQuery(db, (userId: number) =>
    db
      .selectFrom("systemMessage")
      .select("seqNo")
      .where("userId", "=", userId)
      .orderBy("seqNo", "desc")
      .limit(1),
  );
  const state = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").selectAll().where("userId", "=", userId),
  );
  const clearedUpTo = async (userId: number) => (await state(userId)).rows[0]?.clearedSystem ?? 0;

  async function unlessCleared(
    row: Selectable<SystemMessageTable> | undefined,
  ): Promise<SystemRow | undefined> {
    if (row === undefined || row.seqNo <= (await clearedUpTo(row.userId))) return undefined;
    return toSystem(row);
  }

  return {
    async listSystem(userId, seqNo, limit) {
      const first = Math.max(seqNo, await clearedUpTo(userId));
      return (await after(userId, first, limit)).rows.map(toSystem);
    },
    async systemSeqNoBefore(userId, seqNo, overlapMs) {
      const last = (await upTo(userId, seqNo, Number.MAX_SAFE_INTEGER)).rows[0];
      if (last === undefined) return 0;
      return (await upTo(userId, last.seqNo, last.sendTime - overlapMs - 1)).rows[0]?.seqNo ?? 0;
    },
    async newestSystemSeqNo(userId) {
      return (await newest(userId)).rows[0]?.seqNo ?? 0;
    },
    async systemReadPosition(userId) {
      return (await state(userId)).rows[0]?.systemRead ?? -1;
    },
    async findSystem(id) {
      const find = db.selectFrom("systemMessage").selectAll().where("id", "=", id);
      return unlessCleared(await find.executeTakeFirst());
    },
    async findSystemByRequest(requestId) {
      const find = db.selectFrom("systemMessage").selectAll().where("requestId", "=", requestId);
      return unlessCleared(await find.executeTakeFirst());
    },
    async listSystemByGroupRequest(groupRequestId) {
      const find = db.selectFrom("systemMessage").selectAll().where("groupRequestId", "=", groupRequestId);
      const rows = await Promise.all((await find.execute()).map(unlessCleared));
      return rows.filter((row) => row !== undefined);
    },
  };
}

/** Writes the system chat. */
export function systemMessageWrites(db: Kysely<Tables>): SystemMessageWrites {
  const nextChange = changeCounter(db);
  const { newestSystemSeqNo, systemReadPosition } = systemMessageReads(db);

  return {
    async appendSystem({ requestId, groupRequestId, noticeId, ...message }) {
      const row: SystemRow = {
        id: await nextId(db, "systemMessage"),
        title: null,
        intro: null,
        coverUrl: null,
        ...message,
        seqNo: (await newestSystemSeqNo(message.userId)) + 1,
        requestId: requestId ?? null,
        noticeId: noticeId ?? null,
      };
      await db
        .insertInto("systemMessage")
        .values({ ...row, groupRequestId: groupRequestId ?? null, changed: 0 })
        .execute();
      return row;
    },
    async updateSystem(id, content) {
      const { userId } = await db
        .selectFrom("systemMessage")
        .select("userId")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const row = await db
        .updateTable("systemMessage")
        .set({ content, changed: await nextChange(userId) })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toSystem(row);
    },
    async raiseSystemRead(userId, seqNo) {
      const before = await systemReadPosition(userId);
      if (before >= seqNo) return false;
      const changed = await nextChange(userId);
      await db
        .updateTable("userState")
        .set({ systemRead: seqNo, systemReadChanged: changed })
        .where("userId", "=", userId)
        .execute();
      await db
        .updateTable("notice")
        .set((eb) => ({ readCount: eb("readCount", "+", 1) }))
        .where("id", "in", (eb) =>
          eb
            .selectFrom("systemMessage")
            .select((of) => of.ref("noticeId").$notNull().as("id"))
            .where("userId", "=", userId)
            .where("seqNo", ">", before)
            .where("seqNo", "<=", seqNo)
            .where("noticeId", "is not", null),
        )
        .execute();
      return true;
    },
  };
}

/** Returns the messages whose content changed for a person since a change number. */
export function systemMessageChanges(
  db: Kysely<Tables>,
): (userId: number, since: number, state: { clearedSystem: number }) => Promise<SystemRow[]> {
  const changed = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("systemMessage")
      .selectAll()
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );
  return async (userId, since, { clearedSystem }) =>
    (await changed(userId, since)).rows.filter((row) => row.seqNo > clearedSystem).map(toSystem);
}
