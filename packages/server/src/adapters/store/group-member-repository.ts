import { GroupRole } from "@parley/protocol/codes";
import type { Kysely, Selectable } from "kysely";
import type { GroupMemberReads, GroupMemberRow, GroupMemberWrites } from "../../ports/group-store.ts";
import type { MemberChanges } from "./member-changes.ts";
import type { GroupMemberTable } from "./group-tables.ts";
import { staysOverlap } from "./group-visibility.ts";
import { memberMessageRemoval } from "./member-message-removal.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

function toMember({ firstJoinedAt: _, ...row }: Selectable<GroupMemberTable>): GroupMemberRow {
  return {
    ...row,
    isMuted: row.isMuted === 1,
    isTop: row.isTop === 1,
    quit: row.quit === 1,
    wasRemoved: row.wasRemoved === 1,
  };
}

/** Reads members and stays. */
export function groupMemberReads(db: Kysely<Tables>): GroupMemberReads {
  const member = preparedQuery(db, (groupId: number, userId: number) =>
    db.selectFrom("groupMember").selectAll().where("groupId", "=", groupId).where("userId", "=", userId),
  );
  const membersOf = preparedQuery(db, (groupId: number) =>
    db
      .selectFrom("groupMember")
      .selectAll()
      .where("groupId", "=", groupId)
      .orderBy("firstJoinedAt")
      .orderBy("userId"),
  );
  const membersSeenBy = preparedQuery(db, (userId: number, groupId: number) =>
    db
      .selectFrom("groupMember as member")
      .selectAll("member")
      .where("member.groupId", "=", groupId)
      .where((eb) =>
        eb.or([
          eb("member.userId", "=", userId),
          eb.exists(
            eb
              .selectFrom("groupStay as mine")
              .innerJoin("groupStay as theirs", "theirs.groupId", "mine.groupId")
              .select("theirs.nth")
              .where("mine.userId", "=", userId)
              .whereRef("mine.groupId", "=", "member.groupId")
              .whereRef("theirs.userId", "=", "member.userId")
              .where(staysOverlap),
          ),
        ]),
      )
      .orderBy("member.firstJoinedAt")
      .orderBy("member.userId"),
  );
  const membershipsOf = preparedQuery(db, (userId: number) =>
    db.selectFrom("groupMember").selectAll().where("userId", "=", userId).orderBy("groupId"),
  );
  const endedLevels = preparedQuery(db, (now: number, limit: number) =>
    db
      .selectFrom("groupMember")
      .selectAll()
      .where("msgRemindUntil", "<=", now)
      .orderBy("msgRemindUntil")
      .limit(limit),
  );
  const staysOf = preparedQuery(db, (groupId: number, userId: number) =>
    db
      .selectFrom("groupStay")
      .select(["fromId", "toId"])
      .where("groupId", "=", groupId)
      .where("userId", "=", userId)
      .orderBy("nth"),
  );
  return {
    async findGroupMember(groupId, userId) {
      const [row] = (await member(groupId, userId)).rows;
      return row && toMember(row);
    },
    async listGroupMembers(groupId) {
      return (await membersOf(groupId)).rows.map(toMember);
    },
    async listGroupMembersSeenBy(userId, groupId) {
      return (await membersSeenBy(userId, groupId)).rows.map(toMember);
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
    async listEndedMemberLevels(now, limit) {
      return (await endedLevels(now, limit)).rows.map(toMember);
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
  };
}

/** Writes members and stays. */
export function groupMemberWrites(db: Kysely<Tables>, memberChanges: MemberChanges): GroupMemberWrites {
  const { newestUpTo } = monotonicTime(db);
  /** The newest message over all groups. */
  const newestMessage = async () => (await newestUpTo(Number.MAX_SAFE_INTEGER)) ?? { id: 0 };
  const { findGroupMember, listGroupStays } = groupMemberReads(db);
  /** Lets other nodes know as well. */
  const countChange = preparedQuery(db, (groupId: number) =>
    db
      .updateTable("chatGroup")
      .set((eb) => ({ memberChanges: eb("memberChanges", "+", eb.lit(1)) }))
      .where("id", "=", groupId),
  );

  return {
    async upsertGroupMember(groupId, userId, role, now) {
      const before = await findGroupMember(groupId, userId);
      if (before !== undefined && !before.quit) return before;
      memberChanges.recordJoin(groupId, userId);
      await countChange(groupId);
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
          wasRemoved: 0,
          joinedAt: now,
          firstJoinedAt: now,
          stayFrom: fromId,
          ...defaults,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["groupId", "userId"])
            .doUpdateSet({ role, quit: 0, wasRemoved: 0, joinedAt: now, stayFrom: fromId }),
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
    async endGroupStay(groupId, userId, isRemoval = false) {
      memberChanges.recordLeave(groupId, userId);
      await countChange(groupId);
      await db
        .updateTable("groupStay")
        .set({ toId: (await newestMessage()).id })
        .where("groupId", "=", groupId)
        .where("userId", "=", userId)
        .where("toId", "is", null)
        .execute();
      await db
        .updateTable("groupMember")
        .set({ quit: 1, role: GroupRole.MEMBER, wasRemoved: Number(isRemoval) })
        .where("groupId", "=", groupId)
        .where("userId", "=", userId)
        .execute();
    },
    removeMessagesOfMember: memberMessageRemoval(db, newestMessage),
  };
}
