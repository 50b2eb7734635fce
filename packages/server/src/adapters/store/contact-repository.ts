import type { ContactReads, ContactWrites } from "../../ports/contact-store.ts";
import { RequestStatus } from "@parley/protocol/codes";
import type { Kysely, Selectable } from "kysely";
import type { FriendRow } from "../../ports/contact-store.ts";
import { nextId } from "./next-id.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { FriendTable, Tables } from "./tables.ts";

function toFriend(row: Selectable<FriendTable>): FriendRow {
  return { ...row, isTop: row.isTop === 1, isDeleted: row.isDeleted === 1 };
}

/** Reads friends, friend requests and blocks. */
export function contactReads(db: Kysely<Tables>): ContactReads {
  const friendsOf = preparedQuery(db, (ownerId: number) =>
    db.selectFrom("friend").selectAll().where("ownerId", "=", ownerId).orderBy("friendId"),
  );
  const friend = preparedQuery(db, (ownerId: number, friendId: number) =>
    db.selectFrom("friend").selectAll().where("ownerId", "=", ownerId).where("friendId", "=", friendId),
  );
  const endedLevels = preparedQuery(db, (now: number, limit: number) =>
    db
      .selectFrom("friend")
      .selectAll()
      .where("msgRemindUntil", "<=", now)
      .orderBy("msgRemindUntil")
      .limit(limit),
  );
  const ownersOf = preparedQuery(db, (friendId: number) =>
    db.selectFrom("friend").select("ownerId").where("friendId", "=", friendId).where("isDeleted", "=", 0),
  );
  const blocked = preparedQuery(db, (ownerId: number) =>
    db.selectFrom("block").select("otherId").where("ownerId", "=", ownerId).orderBy("createdAt"),
  );
  const blockers = preparedQuery(db, (otherId: number) =>
    db.selectFrom("block").select("ownerId").where("otherId", "=", otherId),
  );
  const block = preparedQuery(db, (ownerId: number, otherId: number) =>
    db.selectFrom("block").select("otherId").where("ownerId", "=", ownerId).where("otherId", "=", otherId),
  );
  const pending = db.selectFrom("friendRequest").selectAll().where("status", "=", RequestStatus.PENDING);

  return {
    async listFriends(ownerId) {
      return (await friendsOf(ownerId)).rows.map(toFriend);
    },
    async findFriend(ownerId, friendId) {
      const [row] = (await friend(ownerId, friendId)).rows;
      return row && toFriend(row);
    },
    async listEndedFriendLevels(now, limit) {
      return (await endedLevels(now, limit)).rows.map(toFriend);
    },
    async listFriendIdsOf(userId) {
      return (await ownersOf(userId)).rows.map((row) => row.ownerId);
    },

    findRequest: (id) => db.selectFrom("friendRequest").selectAll().where("id", "=", id).executeTakeFirst(),
    findPendingRequest: (sendId, recvId) =>
      pending.where("sendId", "=", sendId).where("recvId", "=", recvId).executeTakeFirst(),
    async listPendingRequests(userId) {
      const received = await pending.where("recvId", "=", userId).orderBy("id", "desc").execute();
      const sent = await pending.where("sendId", "=", userId).orderBy("id", "desc").execute();
      return [...received, ...sent];
    },
    async countPendingRequests(side, userId) {
      const { count } = await db
        .selectFrom("friendRequest")
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .where("status", "=", RequestStatus.PENDING)
        .where(side === "sent" ? "sendId" : "recvId", "=", userId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async friendSources(userId, friendId) {
      const approved = db
        .selectFrom("friendRequest")
        .select(["id", "sendId", "recvId", "source"])
        .where("status", "=", RequestStatus.APPROVED)
        .where("source", "is not", null);
      const between = (own: "sendId" | "recvId", other: "sendId" | "recvId") => {
        const mine = approved.where(own, "=", userId);
        return friendId === undefined ? mine : mine.where(other, "=", friendId);
      };
      const rows = await between("sendId", "recvId")
        .unionAll(between("recvId", "sendId"))
        .orderBy("id")
        .execute();
      return new Map(
        rows.flatMap(({ sendId, recvId, source }) =>
          source === null ? [] : [[sendId === userId ? recvId : sendId, source] as const],
        ),
      );
    },

    async isBlocked(ownerId, otherId) {
      return (await block(ownerId, otherId)).rows.length > 0;
    },
    async listBlocked(ownerId) {
      return (await blocked(ownerId)).rows.map((row) => row.otherId);
    },
    async listBlockers(userId) {
      return (await blockers(userId)).rows.map((row) => row.ownerId);
    },
  };
}

/** Writes friends, friend requests and blocks. */
export function contactWrites(db: Kysely<Tables>): ContactWrites {
  return {
    async upsertFriend(ownerId, friendId) {
      const row = await db
        .insertInto("friend")
        .values({ ownerId, friendId, remarkNickName: null, isTop: 0, msgRemind: 1, isDeleted: 0 })
        .onConflict((conflict) => conflict.columns(["ownerId", "friendId"]).doUpdateSet({ isDeleted: 0 }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toFriend(row);
    },
    async updateFriend(ownerId, friendId, { isTop, isDeleted, ...patch }) {
      const set = {
        ...patch,
        ...(isTop !== undefined && { isTop: Number(isTop) }),
        ...(isDeleted !== undefined && { isDeleted: Number(isDeleted) }),
      };
      if (Object.keys(set).length === 0) return;
      await db
        .updateTable("friend")
        .set(set)
        .where("ownerId", "=", ownerId)
        .where("friendId", "=", friendId)
        .execute();
    },
    async insertRequest({ source = null, ...request }) {
      const row = { id: await nextId(db, "friendRequest"), ...request, source };
      await db.insertInto("friendRequest").values(row).execute();
      return row;
    },
    async setRequestStatus(id, status) {
      await db.updateTable("friendRequest").set({ status }).where("id", "=", id).execute();
    },
    async block(ownerId, otherId, now) {
      await db
        .insertInto("block")
        .values({ ownerId, otherId, createdAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async unblock(ownerId, otherId) {
      await db.deleteFrom("block").where("ownerId", "=", ownerId).where("otherId", "=", otherId).execute();
    },
  };
}
