import { sql, type Kysely, type Selectable } from "kysely";
import type {
  GroupMemberReads,
  GroupMemberWrites,
  GroupReads,
  GroupRow,
  GroupWrites,
} from "../../ports/group-store.ts";
import { escapeLike } from "./account-repository.ts";
import type { ChatGroupTable } from "./group-tables.ts";
import { groupMemberReads } from "./group-member-repository.ts";
import { nextId } from "./next-id.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";

function toGroup({ nameKey: _, memberChanges: _changes, ...row }: Selectable<ChatGroupTable>): GroupRow {
  return {
    ...row,
    isAllMuted: row.isAllMuted === 1,
    isFindable: row.isFindable === 1,
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

/** Reads groups. */
export function groupReads(db: Kysely<Tables>): Omit<GroupReads, keyof GroupMemberReads> {
  const groupById = preparedQuery(db, (id: number) =>
    db.selectFrom("chatGroup").selectAll().where("id", "=", id),
  );
  const creationOf = preparedQuery(db, (makerId: number, tmpId: string) =>
    db.selectFrom("groupMaking").select("groupId").where("makerId", "=", makerId).where("tmpId", "=", tmpId),
  );
  const groupsLike = preparedQuery(db, (pattern: string, limit: number, userId: number) =>
    db
      .selectFrom("chatGroup")
      .selectAll()
      .where((eb) => sql<boolean>`${eb.ref("nameKey")} like ${pattern} escape '\\'`)
      .where((eb) =>
        eb.or([
          eb("isFindable", "=", eb.lit(1)),
          eb("id", "in", eb.selectFrom("groupMember").select("groupId").where("userId", "=", userId)),
        ]),
      )
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
    async searchGroups(text, limit, userId) {
      const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
      const exact = id === undefined ? [] : (await groupById(id)).rows;
      const isMine =
        id !== undefined && (await groupMemberReads(db).findGroupMember(id, userId)) !== undefined;
      const live = exact.filter((row) => row.dissolvedAt === null && (row.isFindable === 1 || isMine));
      const named = (await groupsLike(`%${escapeLike(text.toLowerCase())}%`, limit, userId)).rows;
      return [...live, ...named.filter((row) => row.id !== id)].slice(0, limit).map(toGroup);
    },
  };
}

/** Writes groups. */
export function groupWrites(db: Kysely<Tables>): Omit<GroupWrites, keyof GroupMemberWrites> {
  return {
    async insertGroup({ tmpId, joinMode, isFindable, ...group }) {
      const row: Selectable<ChatGroupTable> = {
        ...group,
        joinMode,
        isFindable: Number(isFindable),
        id: await nextId(db, "chatGroup"),
        nameKey: group.name.toLowerCase(),
        notice: null,
        isAllMuted: 0,
        inviteRole: 1,
        editRole: 2,
        attrRole: 2,
        attributes: "{}",
        banReason: null,
        isLarge: 0,
        dissolvedAt: null,
        memberChanges: 0,
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
    async updateGroup(id, { isAllMuted, joinMode, isFindable, isLarge, attributes, ...patch }) {
      const set = {
        ...patch,
        ...(patch.name !== undefined && { nameKey: patch.name.toLowerCase() }),
        ...(isAllMuted !== undefined && { isAllMuted: Number(isAllMuted) }),
        ...(joinMode !== undefined && { joinMode }),
        ...(isFindable !== undefined && { isFindable: Number(isFindable) }),
        ...(isLarge !== undefined && { isLarge: Number(isLarge) }),
        ...(attributes !== undefined && { attributes: JSON.stringify(attributes) }),
      };
      if (Object.keys(set).length === 0) return;
      await db.updateTable("chatGroup").set(set).where("id", "=", id).execute();
    },
  };
}
