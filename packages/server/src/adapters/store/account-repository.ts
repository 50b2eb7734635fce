import type {
  AccountReads,
  AccountWrites,
  SessionReads,
  SessionWrites,
  UserRow,
} from "../../ports/account-store.ts";
import { FindableBy } from "@parley/protocol/codes";
import { sql, type Kysely, type Selectable } from "kysely";
import { nextId } from "./next-id.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables, UserTable } from "./tables.ts";

function toUser(row: Selectable<UserTable>): UserRow {
  const {
    userNameKey: _,
    nickNameKey: __,
    isManualApprove,
    readReceipts,
    lastSeenShown,
    isAdmin,
    ...user
  } = row;
  return {
    ...user,
    isManualApprove: isManualApprove === 1,
    readReceipts: readReceipts === 1,
    lastSeenShown: lastSeenShown === 1,
    isAdmin: isAdmin === 1,
  };
}

/** Escapes the characters that have a meaning in a `like` pattern. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** Reads accounts. */
export function accountReads(db: Kysely<Tables>): Omit<AccountReads, keyof SessionReads> {
  const userById = preparedQuery(db, (id: number) => db.selectFrom("user").selectAll().where("id", "=", id));
  const userByKey = preparedQuery(db, (key: string) =>
    db.selectFrom("user").selectAll().where("userNameKey", "=", key),
  );
  const usersLike = preparedQuery(db, (pattern: string, key: string, limit: number) =>
    db
      .selectFrom("user")
      .selectAll()
      .where((eb) => {
        const escaped = (column: "userNameKey" | "nickNameKey") =>
          sql<boolean>`${eb.ref(column)} like ${pattern} escape '\\'`;
        return eb.or([
          eb.and([
            eb("findableBy", "=", FindableBy.ANY_NAME),
            eb.or([escaped("userNameKey"), escaped("nickNameKey")]),
          ]),
          eb.and([eb("findableBy", "=", FindableBy.USER_NAME), eb("userNameKey", "=", key)]),
        ]);
      })
      .where("banReason", "is", null)
      .where("unregisteredAt", "is", null)
      .orderBy("id")
      .limit(limit),
  );
  const usersAfter = preparedQuery(db, (after: number, limit: number) =>
    db.selectFrom("user").selectAll().where("id", ">", after).orderBy("id").limit(limit),
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
      const key = text.toLowerCase();
      return (await usersLike(`%${escapeLike(key)}%`, key, limit)).rows.map(toUser);
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
  };
}

/** Writes accounts and invite codes. */
export function accountWrites(db: Kysely<Tables>): Omit<AccountWrites, keyof SessionWrites> {
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
        findableBy: FindableBy.ANY_NAME,
        readReceipts: true,
        lastSeenShown: true,
        banReason: null,
        unregisteredAt: null,
        isAdmin: false,
      };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("user")
        .values({
          ...row,
          userNameKey: row.userName.toLowerCase(),
          nickNameKey: row.nickName.toLowerCase(),
          isManualApprove: 1,
          readReceipts: 1,
          lastSeenShown: 1,
          isAdmin: 0,
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
    async setFindableBy(id, by) {
      await db.updateTable("user").set({ findableBy: by }).where("id", "=", id).execute();
    },
    async setReadReceipts(id, enabled) {
      await db
        .updateTable("user")
        .set({ readReceipts: Number(enabled) })
        .where("id", "=", id)
        .execute();
    },
    async setLastSeenShown(id, enabled) {
      await db
        .updateTable("user")
        .set({ lastSeenShown: Number(enabled) })
        .where("id", "=", id)
        .execute();
    },
    async setBanReason(id, reason) {
      await db.updateTable("user").set({ banReason: reason }).where("id", "=", id).execute();
    },
    async setUnregistered(id, at) {
      await db.updateTable("user").set({ unregisteredAt: at }).where("id", "=", id).execute();
      await db.deleteFrom("savedMessage").where("userId", "=", id).execute();
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

/** Whether a patch changes nothing. */
export function isEmpty(patch: object): boolean {
  return Object.values(patch).every((value) => value === undefined);
}
