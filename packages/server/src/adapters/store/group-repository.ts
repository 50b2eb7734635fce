import { GroupRole } from "@parley/protocol/codes";
import { sql, type Kysely, type Selectable } from "kysely";
import type { GroupMemberRow, GroupReads, GroupRow, GroupWrites } from "../../ports/group-store.ts";
import { escapeLike } from "./account-repository.ts";
import type { MemberChanges } from "./group-appender.ts";
import { membersChangeCounter } from "./change-counter.ts";
import type { ChatGroupTable, GroupMemberTable } from "./group-tables.ts";
import { nextId } from "./next-id.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { fileRelease } from "./message-files.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";

function toGroup({ nameKey: _, ...row }: Selectable<ChatGroupTable>): GroupRow {
  return {
    ...row,
    isAllMuted: row.isAllMuted === 1,
    joinApproval: row.joinApproval === 1,
    isLarge: row.isLarge === 1,
    attributes: attributesOf(row),
  };
}

/** Damaged attributes must not make the whole group unreadable. */
function attributesOf({
  id,
  attributes,
}: Pick<Selectable<ChatGroupTable>, "id" | "attributes">): Record<string, string> {
  try {
    // This adapter wrote the value from this type.
    return JSON.parse(attributes) as Record<string, string>;
  } catch (error) {
    reportUnreadableRow("chatGroup", id, error);
    return {};
  }
}

function toMember({ firstJoinedAt: _, ...row }: Selectable<GroupMemberTable>): GroupMemberRow {
  return { ...row, isMuted: row.isMuted === 1, isTop: row.isTop === 1, quit: row.quit === 1 };
}

/** Reads groups, members and stays. */
export function groupReads(db: Kysely<Tables>): GroupReads {
  const groupById = preparedQuery(db, (id: number) =>
    db.selectFrom("chatGroup").selectAll().where("id", "=", id),
  );
  const member = preparedQuery(db, (groupId: number, userId: number) =>
    db.selectFrom("groupMember").selectAll().where("groupId", "=", groupId).where("userId", "=", userId),
  );
  const creationOf = preparedQuery(db, (makerId: number, tmpId: string) =>
    db.selectFrom("groupMaking").select("groupId").where("makerId", "=", makerId).where("tmpId", "=", tmpId),
  );
  const membersOf = preparedQuery(db, (groupId: number) =>
    db
      .selectFrom("groupMember")
      .selectAll()
      .where("groupId", "=", groupId)
      .orderBy("firstJoinedAt")
      .orderBy("userId"),
  );
  const membershipsOf = preparedQuery(db, (userId: number) =>
    db.selectFrom("groupMember").selectAll().where("userId", "=", userId).orderBy("groupId"),
  );
  const staysOf = preparedQuery(db, (groupId: number, userId: number) =>
    db
      .selectFrom("groupStay")
      .select(["fromId", "toId"])
      .where("groupId", "=", groupId)
      .where("userId", "=", userId)
      .orderBy("nth"),
  );
  const groupsLike = preparedQuery(db, (pattern: string, limit: number) =>
    db
      .selectFrom("chatGroup")
      .selectAll()
      .where((eb) => sql<boolean>`${eb.ref("nameKey")} like ${pattern} escape '\\'`)
      .where("dissolvedAt", "is", null)
      .orderBy("id")
      .limit(limit),
  );
  return {
    async findGroup(id) {
      const [row] = (await groupById(id)).rows;
      return row && toGroup(row);
    },
    async findMadeGroup(makerId, tmpId) {
      return (await creationOf(makerId, tmpId)).rows[0]?.groupId;
    },
    async findGroups(ids) {
      const groups = new Map<number, GroupRow>();
      for (const batch of inBatches(ids)) {
        const rows = await db.selectFrom("chatGroup").selectAll().where("id", "in", batch).execute();
        for (const row of rows) groups.set(row.id, toGroup(row));
      }
      return groups;
    },
    async findGroupMember(groupId, userId) {
      const [row] = (await member(groupId, userId)).rows;
      return row && toMember(row);
    },
    async listGroupMembers(groupId) {
      return (await membersOf(groupId)).rows.map(toMember);
    },
    async countGroupMembers(groupIds) {
      const counts = new Map(groupIds.map((id) => [id, 0]));
      for (const batch of inBatches(groupIds)) {
        const rows = await db
          .selectFrom("groupMember")
          .select((eb) => ["groupId", eb.fn.countAll<number | string>().as("count")])
          .where("groupId", "in", batch)
          .where("quit", "=", 0)
          .groupBy("groupId")
          .execute();
        for (const { groupId, count } of rows) counts.set(groupId, Number(count));
      }
      return counts;
    },
    async listMembershipsOf(userId) {
      return (await membershipsOf(userId)).rows.map(toMember);
    },
    async listGroupPeers(userId, among) {
      const peerIds: number[] = [];
      for (const batch of inBatches(among)) {
        const rows = await db
          .selectFrom("groupMember as mine")
          .innerJoin("groupMember as theirs", "theirs.groupId", "mine.groupId")
          .innerJoin("chatGroup as g", "g.id", "mine.groupId")
          .select("theirs.userId")
          .distinct()
          .where("mine.userId", "=", userId)
          .where("mine.quit", "=", 0)
          .where("g.dissolvedAt", "is", null)
          .where("theirs.userId", "in", batch)
          .where("theirs.quit", "=", 0)
          .execute();
        peerIds.push(...rows.map((row) => row.userId));
      }
      return peerIds.filter((id) => id !== userId);
    },
    async listGroupStays(groupId, userId) {
      return (await staysOf(groupId, userId)).rows;
    },
    async searchGroups(text, limit) {
      const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
      const exact = id === undefined ? [] : (await groupById(id)).rows;
      const live = exact.filter((row) => row.dissolvedAt === null);
      const named = (await groupsLike(`%${escapeLike(text.toLowerCase())}%`, limit)).rows;
      return [...live, ...named.filter((row) => row.id !== id)].slice(0, limit).map(toGroup);
    },
  };
}

/** Writes groups, members and stays. */
export function groupWrites(db: Kysely<Tables>, memberChanges: MemberChanges): GroupWrites {
  const incrementMembers = membersChangeCounter(db);
  const release = fileRelease(db);
  const { newestUpTo } = monotonicTime(db, "groupMessage");
  /** The newest message over all groups. */
  const newestMessage = async () => (await newestUpTo(Number.MAX_SAFE_INTEGER)) ?? { id: 0 };
  const { findGroupMember, listGroupStays } = groupReads(db);
  const recordRemoval = preparedQuery(db, (groupId: number, userId: number) =>
    db
      .insertInto("groupPurgeNews")
      .columns(["ownerId", "groupId", "userId", "changed"])
      .expression((eb) =>
        eb
          .selectFrom("groupMember as m")
          .innerJoin("userState as s", "s.userId", "m.userId")
          .select((row) => [
            "m.userId as ownerId",
            "m.groupId",
            row.cast<number>(row.val(userId), "bigint").as("userId"),
            "s.lastChange",
          ])
          .where("m.groupId", "=", groupId),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["ownerId", "groupId", "userId"])
          .doUpdateSet((eb) => ({ changed: eb.ref("excluded.changed") })),
      ),
  );

  return {
    async insertGroup({ tmpId, ...group }) {
      const row: Selectable<ChatGroupTable> = {
        ...group,
        id: await nextId(db, "chatGroup"),
        nameKey: group.name.toLowerCase(),
        notice: null,
        isAllMuted: 0,
        inviteRole: 1,
        editRole: 2,
        attrRole: 2,
        joinApproval: 0,
        attributes: "{}",
        banReason: null,
        isLarge: 0,
        dissolvedAt: null,
      };
      await db.insertInto("chatGroup").values(row).execute();
      if (tmpId) {
        await db
          .insertInto("groupMaking")
          .values({ makerId: group.ownerId, tmpId, groupId: row.id })
          .execute();
      }
      return toGroup(row);
    },
    async updateGroup(id, { isAllMuted, joinApproval, isLarge, attributes, ...patch }) {
      const set = {
        ...patch,
        ...(patch.name !== undefined && { nameKey: patch.name.toLowerCase() }),
        ...(isAllMuted !== undefined && { isAllMuted: Number(isAllMuted) }),
        ...(joinApproval !== undefined && { joinApproval: Number(joinApproval) }),
        ...(isLarge !== undefined && { isLarge: Number(isLarge) }),
        ...(attributes !== undefined && { attributes: JSON.stringify(attributes) }),
      };
      if (Object.keys(set).length === 0) return;
      await db.updateTable("chatGroup").set(set).where("id", "=", id).execute();
    },
    async upsertGroupMember(groupId, userId, role, now) {
      const before = await findGroupMember(groupId, userId);
      if (before !== undefined && !before.quit) return before;
      memberChanges.recordJoin(groupId, userId);
      const stays = await listGroupStays(groupId, userId);
      const fromId = (await newestMessage()).id;
      await db
        .insertInto("groupStay")
        .values({ groupId, userId, nth: stays.length + 1, fromId, toId: null })
        .execute();
      const defaults = { remarkNickName: null, remarkGroupName: null, isTop: 0, msgRemind: 0, isMuted: 0 };
      const row = await db
        .insertInto("groupMember")
        .values({
          groupId,
          userId,
          role,
          quit: 0,
          joinedAt: now,
          firstJoinedAt: now,
          stayFrom: fromId,
          ...defaults,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["groupId", "userId"])
            .doUpdateSet({ role, quit: 0, joinedAt: now, stayFrom: fromId }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toMember(row);
    },
    async updateGroupMember(groupId, userId, { isMuted, isTop, ...patch }) {
      const set = {
        ...patch,
        ...(isMuted !== undefined && { isMuted: Number(isMuted) }),
        ...(isTop !== undefined && { isTop: Number(isTop) }),
      };
      if (Object.keys(set).length === 0) return;
      await db
        .updateTable("groupMember")
        .set(set)
        .where("groupId", "=", groupId)
        .where("userId", "=", userId)
        .execute();
    },
    async endGroupStay(groupId, userId) {
      memberChanges.recordLeave(groupId, userId);
      await db
        .updateTable("groupStay")
        .set({ toId: (await newestMessage()).id })
        .where("groupId", "=", groupId)
        .where("userId", "=", userId)
        .where("toId", "is", null)
        .execute();
      await db
        .updateTable("groupMember")
        .set({ quit: 1, role: GroupRole.MEMBER })
        .where("groupId", "=", groupId)
        .where("userId", "=", userId)
        .execute();
    },
    async removeMessagesOfMember(groupId, userId) {
      const upTo = (await newestMessage()).id;
      await db
        .insertInto("groupPurge")
        .values({ groupId, userId, upTo })
        .onConflict((conflict) => conflict.columns(["groupId", "userId"]).doUpdateSet({ upTo }))
        .execute();
      await release.ofMember(groupId, userId, upTo);
      await incrementMembers(groupId);
      await recordRemoval(groupId, userId);
      return upTo;
    },
  };
}
