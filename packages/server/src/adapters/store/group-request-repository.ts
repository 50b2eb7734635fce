import { GroupRole, RequestStatus } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { GroupRequestReads, GroupRequestWrites } from "../../ports/group-store.ts";
import { nextId } from "./next-id.ts";
import type { Tables } from "./tables.ts";

/** Reads requests to join groups. */
export function groupRequestReads(db: Kysely<Tables>): GroupRequestReads {
  const pending = db
    .selectFrom("groupRequest as r")
    .selectAll("r")
    .where("r.status", "=", RequestStatus.PENDING);
  // Dissolving a group closes its requests. One that is pending all the same is shown to nobody, because nobody could answer it.
  const answerable = pending
    .innerJoin("chatGroup as g", "g.id", "r.groupId")
    .where("g.dissolvedAt", "is", null);

  return {
    findGroupRequest: (id) =>
      db.selectFrom("groupRequest").selectAll().where("id", "=", id).executeTakeFirst(),
    findPendingGroupRequest: (groupId, sendId) =>
      pending.where("r.groupId", "=", groupId).where("r.sendId", "=", sendId).executeTakeFirst(),
    async listPendingGroupRequests(userId) {
      const administered = await answerable
        .innerJoin("groupMember as m", "m.groupId", "r.groupId")
        .where("m.userId", "=", userId)
        .where("m.quit", "=", 0)
        .where("m.role", "in", [GroupRole.ADMIN, GroupRole.OWNER])
        .orderBy("r.id", "desc")
        .execute();
      const administeredIds = new Set(administered.map((row) => row.id));
      const ownRequests = await answerable
        .where((eb) =>
          eb.or([
            eb.and([eb("r.sendId", "=", userId), eb("r.inviterId", "is", null)]),
            eb("r.inviterId", "=", userId),
          ]),
        )
        .orderBy("r.id", "desc")
        .execute();
      return [...administered, ...ownRequests.filter((row) => !administeredIds.has(row.id))];
    },
    listPendingRequestsOfGroup: (groupId) =>
      pending.where("r.groupId", "=", groupId).orderBy("r.id").execute(),
    listPendingGroupRequestsAbout: (userId) =>
      pending
        .where((eb) => eb.or([eb("r.sendId", "=", userId), eb("r.inviterId", "=", userId)]))
        .orderBy("r.id")
        .execute(),
    async countPendingGroupRequests(userId) {
      const ownRequests = answerable.where("r.sendId", "=", userId).where("r.inviterId", "is", null);
      return (await ownRequests.clearSelect().select("r.id").execute()).length;
    },
  };
}

/** Writes requests to join groups. */
export function groupRequestWrites(db: Kysely<Tables>): GroupRequestWrites {
  return {
    async insertGroupRequest(request) {
      const row = { id: await nextId(db, "groupRequest"), ...request };
      await db.insertInto("groupRequest").values(row).execute();
      return row;
    },
    async setGroupRequestStatus(id, status) {
      await db.updateTable("groupRequest").set({ status }).where("id", "=", id).execute();
    },
  };
}
