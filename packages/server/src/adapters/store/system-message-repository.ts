import type { SystemMessageReads, SystemMessageWrites } from "../../ports/system-message-store.ts";
import type { ChangeReads } from "../../ports/change-store.ts";
import { ChatType } from "@parley/protocol/codes";
import type { Kysely, Selectable } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import type { SystemRow } from "../../ports/system-message-store.ts";
import { changeCounter } from "./change-counter.ts";
import { readPairs, toPositions } from "./chat-repository.ts";
import { groupChanges } from "./group-message-changes.ts";
import { hiddenMessageChanges } from "./hidden-messages.ts";
import { nextId } from "./next-id.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { SystemMessageTable, Tables } from "./tables.ts";

const NO_CHANGES: ChangeSet = {
  next: 0,
  read: [],
  cleared: [],
  hidden: [],
  purged: [],
  system: [],
  receipts: [],
};

function toSystem({ changed: _, groupRequestId: _id, ...row }: Selectable<SystemMessageTable>): SystemRow {
  return row;
}

/** Reads the system chat and the change feed. */
export function systemMessageReads(db: Kysely<Tables>): SystemMessageReads & ChangeReads {
  const after = preparedQuery(db, (userId: number, seqNo: number, limit: number) =>
    db
      .selectFrom("systemMessage")
      .selectAll()
      .where("userId", "=", userId)
      .where("seqNo", ">", seqNo)
      .orderBy("seqNo")
      .limit(limit),
  );
  const newest = preparedQuery(db, (userId: number) =>
    db
      .selectFrom("systemMessage")
      .select("seqNo")
      .where("userId", "=", userId)
      .orderBy("seqNo", "desc")
      .limit(1),
  );
  const hiddenSince = hiddenMessageChanges(db);
  const groupsSince = groupChanges(db);
  const state = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").selectAll().where("userId", "=", userId),
  );
  const positionsSince = preparedQuery(db, (userId: number, since: number) =>
    readPairs(db).where("own.ownerId", "=", userId).where("own.changed", ">", since).orderBy("own.changed"),
  );
  const messagesSince = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("systemMessage")
      .selectAll()
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );

  const removedSince = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("groupPurgeNews as n")
      .innerJoin("groupPurge as p", (join) =>
        join.onRef("p.groupId", "=", "n.groupId").onRef("p.userId", "=", "n.userId"),
      )
      .select(["p.groupId", "p.userId", "p.upTo"])
      .where("n.ownerId", "=", userId)
      .where("n.changed", ">", since)
      .orderBy("n.changed"),
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

    async listChanges(userId, since) {
      // The number is read first: changes made during these reads are reported again next time and never missed.
      const [userState] = (await state(userId)).rows;
      if (userState === undefined) return NO_CHANGES;
      // A number that was never assigned (the database was restored): report everything.
      const from = since > userState.lastChange ? 0 : since;
      const read = (await positionsSince(userId, from)).rows.map(toPositions);
      if (userState.systemReadChanged > from) {
        read.push({ type: ChatType.SYSTEM, targetId: 0, mine: userState.systemRead, theirs: -1 });
      }
      const changed = (await messagesSince(userId, from)).rows.map(toSystem);
      const system = changed.filter((row) => row.seqNo > userState.clearedSystem);
      const purged = (await removedSince(userId, from)).rows;
      const { cleared, hidden } = await hiddenSince(userId, userState, from);
      const groups = await groupsSince(userId, from);
      return {
        next: userState.lastChange,
        read: [...read, ...groups.read],
        cleared,
        hidden: [...hidden, ...groups.hidden],
        purged,
        system,
        receipts: groups.receipts,
      };
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
      if ((await systemReadPosition(userId)) >= seqNo) return false;
      const changed = await nextChange(userId);
      await db
        .updateTable("userState")
        .set({ systemRead: seqNo, systemReadChanged: changed })
        .where("userId", "=", userId)
        .execute();
      return true;
    },
  };
}
