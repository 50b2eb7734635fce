import type { Kysely, Selectable, Updateable } from "kysely";
import type {
  CallMemberPatch,
  CallMemberRow,
  CallReads,
  CallRow,
  CallWrites,
} from "../../ports/call-store.ts";
import { inBatches, preparedListQuery } from "./prepared-query.ts";
import type { CallMemberTable, CallTable, Tables } from "./tables.ts";

function toCall({ heldCandidates, ...row }: Selectable<CallTable>): CallRow {
  // Its two ids say which of the two kinds it is.
  return { ...row, heldCandidates: JSON.parse(heldCandidates) as string[] } as CallRow;
}

function toMember({
  clientId,
  sessionId,
  failedClients,
  isCamera,
  isMicroPhone,
  isShareScreen,
  ...row
}: Selectable<CallMemberTable>): CallMemberRow {
  return {
    ...row,
    client: sessionId === null ? null : { clientId, sessionId },
    failedClients: JSON.parse(failedClients) as CallMemberRow["failedClients"],
    isCamera: isCamera === 1,
    isMicroPhone: isMicroPhone === 1,
    isShareScreen: isShareScreen === 1,
  };
}

function memberColumns({
  client,
  failedClients,
  isCamera,
  isMicroPhone,
  isShareScreen,
  ...patch
}: CallMemberPatch): Updateable<CallMemberTable> {
  return {
    ...patch,
    ...(client !== undefined && { clientId: client?.clientId ?? null, sessionId: client?.sessionId ?? null }),
    ...(failedClients !== undefined && { failedClients: JSON.stringify(failedClients) }),
    ...(isCamera !== undefined && { isCamera: Number(isCamera) }),
    ...(isMicroPhone !== undefined && { isMicroPhone: Number(isMicroPhone) }),
    ...(isShareScreen !== undefined && { isShareScreen: Number(isShareScreen) }),
  };
}

/** Reads running calls. */
export function callReads(db: Kysely<Tables>): CallReads {
  // Asked at every login of a socket.
  const membersAmong = preparedListQuery(db, (userIds: readonly number[]) =>
    db.selectFrom("callMember").select("userId").where("userId", "in", userIds).orderBy("userId"),
  );
  return {
    async findCall(key) {
      const row = await db.selectFrom("call").selectAll().where("key", "=", key).executeTakeFirst();
      return row && toCall(row);
    },
    async findCallMember(userId) {
      const row = await db
        .selectFrom("callMember")
        .selectAll()
        .where("userId", "=", userId)
        .executeTakeFirst();
      return row && toMember(row);
    },
    async listPeopleInCalls(userIds) {
      return (await membersAmong(userIds)).map(({ userId }) => userId);
    },
    async listCallMembers(callKey) {
      const rows = await db
        .selectFrom("callMember")
        .selectAll()
        .where("callKey", "=", callKey)
        .orderBy("userId")
        .execute();
      return rows.map(toMember);
    },
    async findCalls(keys) {
      const calls: CallRow[] = [];
      for (const batch of inBatches(keys)) {
        const rows = await db.selectFrom("call").selectAll().where("key", "in", batch).execute();
        calls.push(...rows.map(toCall));
      }
      return calls;
    },
    async listDueCallMembers(now, limit) {
      const rows = await db
        .selectFrom("callMember")
        .selectAll()
        .where("deadline", "<=", now)
        .orderBy("deadline")
        .limit(limit)
        .execute();
      return rows.map(toMember);
    },
  };
}

/** Writes running calls. */
export function callWrites(db: Kysely<Tables>): CallWrites {
  return {
    async insertCall(call) {
      await db
        .insertInto("call")
        .values({ ...call, heldCandidates: JSON.stringify(call.heldCandidates) })
        .execute();
    },
    async updateCall(key, { heldCandidates, ...patch }) {
      const values = {
        ...patch,
        ...(heldCandidates !== undefined && { heldCandidates: JSON.stringify(heldCandidates) }),
      };
      await db.updateTable("call").set(values).where("key", "=", key).execute();
    },
    async deleteCall(key) {
      const members = db.selectFrom("callMember").select("userId").where("callKey", "=", key);
      await db.deleteFrom("callFrame").where("userId", "in", members).execute();
      await db.deleteFrom("callMember").where("callKey", "=", key).execute();
      await db.deleteFrom("call").where("key", "=", key).execute();
    },
    async insertCallMember({ client, failedClients, isCamera, isMicroPhone, isShareScreen, ...member }) {
      await db
        .insertInto("callMember")
        .values({
          ...member,
          clientId: client?.clientId ?? null,
          sessionId: client?.sessionId ?? null,
          failedClients: JSON.stringify(failedClients),
          isCamera: Number(isCamera),
          isMicroPhone: Number(isMicroPhone),
          isShareScreen: Number(isShareScreen),
        })
        .execute();
    },
    async updateCallMember(userId, patch) {
      await db.updateTable("callMember").set(memberColumns(patch)).where("userId", "=", userId).execute();
    },
    async deleteCallMember(userId) {
      await db.deleteFrom("callFrame").where("userId", "=", userId).execute();
      await db.deleteFrom("callMember").where("userId", "=", userId).execute();
    },
    async queueCallFrame(userId, frame, max) {
      const { waiting, last } = await db
        .selectFrom("callFrame")
        .select(({ fn }) => [
          fn.countAll<number>().as("waiting"),
          fn.max<number | null>("position").as("last"),
        ])
        .where("userId", "=", userId)
        .executeTakeFirstOrThrow();
      if (waiting >= max) return;
      await db
        .insertInto("callFrame")
        .values({ userId, position: (last ?? 0) + 1, frame })
        .execute();
    },
    async takeCallFrames(userId) {
      const rows = await db
        .selectFrom("callFrame")
        .select("frame")
        .where("userId", "=", userId)
        .orderBy("position")
        .execute();
      if (rows.length > 0) await db.deleteFrom("callFrame").where("userId", "=", userId).execute();
      return rows.map(({ frame }) => frame);
    },
    async renewCallMembers(now, deadline, silentSince) {
      await db
        .updateTable("callMember")
        .set({ lastBeat: now, detachedAt: now, deadline })
        .where("sessionId", "is not", null)
        .where("lastBeat", "<=", silentSince)
        .execute();
    },
  };
}
