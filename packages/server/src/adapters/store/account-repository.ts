import type { AccountReads, AccountWrites } from "../../ports/account-store.ts";
import { sql, type Kysely, type Selectable } from "kysely";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import { nextId } from "./next-id.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables, UserTable } from "./tables.ts";

function toUser(row: Selectable<UserTable>): UserRow {
  const { userNameKey: _, nickNameKey: __, isManualApprove, ...user } = row;
  return { ...user, isManualApprove: isManualApprove === 1 };
}

/** Escapes the characters that have a meaning in a `like` pattern. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** Reads accounts and sessions. */
export function accountReads(db: Kysely<Tables>): AccountReads {
  const userById = preparedQuery(db, (id: number) => db.selectFrom("user").selectAll().where("id", "=", id));
  const userByKey = preparedQuery(db, (key: string) =>
    db.selectFrom("user").selectAll().where("userNameKey", "=", key),
  );
  const usersLike = preparedQuery(db, (pattern: string, limit: number) =>
    db
      .selectFrom("user")
      .selectAll()
      .where((eb) => {
        const escaped = (column: "userNameKey" | "nickNameKey") =>
          sql<boolean>`${eb.ref(column)} like ${pattern} escape '\\'`;
        return eb.or([escaped("userNameKey"), escaped("nickNameKey")]);
      })
      .where("banReason", "is", null)
      .where("unregisteredAt", "is", null)
      .orderBy("id")
      .limit(limit),
  );
  const usersAfter = preparedQuery(db, (after: number, limit: number) =>
    db.selectFrom("user").selectAll().where("id", ">", after).orderBy("id").limit(limit),
  );
  const sessionById = preparedQuery(db, (id: string) =>
    db.selectFrom("session").selectAll().where("id", "=", id),
  );
  const sessionsOf = preparedQuery(db, (userId: number, now: number) =>
    db
      .selectFrom("session")
      .selectAll()
      .where("userId", "=", userId)
      .where("expiresAt", ">", now)
      .where("endedAt", "is", null)
      .orderBy("createdAt"),
  );

  return {
    async findUser(id) {
      const [row] = (await userById(id)).rows;
      return row && toUser(row);
    },
    async findUserByName(userName) {
      const [row] = (await userByKey(userName.toLowerCase())).rows;
      return row && toUser(row);
    },
    async findUsers(ids) {
      const users = new Map<number, UserRow>();
      for (const batch of inBatches(ids)) {
        const rows = await db.selectFrom("user").selectAll().where("id", "in", batch).execute();
        for (const row of rows) users.set(row.id, toUser(row));
      }
      return users;
    },
    async searchUsers(text, limit) {
      return (await usersLike(`%${escapeLike(text.toLowerCase())}%`, limit)).rows.map(toUser);
    },
    async listUsers(after, limit) {
      return (await usersAfter(after, limit)).rows.map(toUser);
    },
    async newestUserId() {
      const newest = await db
        .selectFrom("user")
        .select((eb) => eb.fn.max<number | null>("id").as("id"))
        .executeTakeFirst();
      return newest?.id ?? 0;
    },

    async findSession(id) {
      return (await sessionById(id)).rows[0];
    },
    async listSessions(userId, now) {
      return (await sessionsOf(userId, now)).rows;
    },
  };
}

/** Writes accounts, sessions and invite codes. */
export function accountWrites(db: Kysely<Tables>): AccountWrites {
  /** A device whose session is over is told of nothing more. */
  const deleteSubscriptions = async (sessionIds: readonly string[]): Promise<void> => {
    for (const batch of inBatches(sessionIds)) {
      await db.deleteFrom("webPushSubscription").where("sessionId", "in", batch).execute();
    }
  };
  const touch = preparedQuery(db, (at: number, id: string, before: number) =>
    db.updateTable("session").set({ lastSeenAt: at }).where("id", "=", id).where("lastSeenAt", "<", before),
  );

  return {
    async insertUser(user) {
      const row: UserRow = {
        ...user,
        id: await nextId(db, "user"),
        sex: null,
        signature: null,
        birthday: null,
        mobile: null,
        email: null,
        isManualApprove: true,
        banReason: null,
        unregisteredAt: null,
      };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("user")
        .values({
          ...row,
          userNameKey: row.userName.toLowerCase(),
          nickNameKey: row.nickName.toLowerCase(),
          isManualApprove: 1,
        })
        .onConflict((conflict) => conflict.column("userNameKey").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 0n ? undefined : row;
    },
    async updateUser(id, patch) {
      const set =
        patch.nickName === undefined ? patch : { ...patch, nickNameKey: patch.nickName.toLowerCase() };
      if (isEmpty(set)) return;
      await db.updateTable("user").set(set).where("id", "=", id).execute();
    },
    async setPasswordHash(id, hash) {
      await db.updateTable("user").set({ passwordHash: hash }).where("id", "=", id).execute();
    },
    async setManualApprove(id, enabled) {
      await db
        .updateTable("user")
        .set({ isManualApprove: Number(enabled) })
        .where("id", "=", id)
        .execute();
    },
    async setBanReason(id, reason) {
      await db.updateTable("user").set({ banReason: reason }).where("id", "=", id).execute();
    },
    async setUnregistered(id, at) {
      await db.updateTable("user").set({ unregisteredAt: at }).where("id", "=", id).execute();
    },

    async insertSession(session) {
      await db.insertInto("session").values(session).execute();
    },
    async updateSession(id, patch) {
      if (isEmpty(patch)) return;
      await db.updateTable("session").set(patch).where("id", "=", id).execute();
      if (patch.endedAt != null) await deleteSubscriptions([id]);
    },
    async endSessions(userId, exceptId, reason, now) {
      const rows: Pick<SessionRow, "id">[] = await db
        .updateTable("session")
        .set({ endedAt: now, endReason: reason })
        .where("userId", "=", userId)
        .where("endedAt", "is", null)
        .$if(exceptId !== null, (query) => query.where("id", "!=", exceptId))
        .returning("id")
        .execute();
      const ids = rows.map((row) => row.id);
      await deleteSubscriptions(ids);
      return ids;
    },
    async forgetSessions(before, limit) {
      const rows: Pick<SessionRow, "id">[] = await db
        .deleteFrom("session")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("session")
            .select("id")
            .where((or) => or.or([or("expiresAt", "<", before), or("endedAt", "<", before)]))
            .where("lastSeenAt", "<", before)
            .limit(limit),
        )
        .returning("id")
        .execute();
      await deleteSubscriptions(rows.map((row) => row.id));
      return rows.length;
    },
    async touchSessions(lastSeen) {
      for (const [id, at] of lastSeen) await touch(at, id, at);
    },

    async useInviteCode(code, now) {
      const { numUpdatedRows } = await db
        .updateTable("inviteCode")
        .set((eb) => ({ usesLeft: eb("usesLeft", "-", 1) }))
        .where("code", "=", code)
        .where("usesLeft", ">", 0)
        .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", now)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async insertInviteCode(code, uses, expiresAt) {
      await db.insertInto("inviteCode").values({ code, usesLeft: uses, expiresAt }).execute();
    },
  };
}

function isEmpty(patch: object): boolean {
  return Object.values(patch).every((value) => value === undefined);
}
