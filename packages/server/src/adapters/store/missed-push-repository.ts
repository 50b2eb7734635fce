import { ChatType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { MissedPushReads, SeenMessage } from "../../ports/missed-push-store.ts";
import { isNotRemovedByModerator } from "./group-visibility.ts";
import { isShownTo } from "./message-visibility.ts";
import { inBatches, preparedListQuery, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Reads for the search of lost pushes. */
export function missedPushReads(db: Kysely<Tables>): MissedPushReads {
  const tableOf = (type: ChatType) => (type === ChatType.SYSTEM ? "systemMessage" : "message");
  const messagesAfter = (isOfKind: "<" | ">") =>
    preparedQuery(db, (after: number, limit: number) =>
      db
        .selectFrom("message")
        .select("id")
        .where("id", ">", after)
        .where("chatId", isOfKind, sql.lit(0))
        .orderBy("id")
        .limit(limit),
    );
  const afterIn = {
    PRIVATE: messagesAfter("<"),
    GROUP: messagesAfter(">"),
    SYSTEM: preparedQuery(db, (after: number, limit: number) =>
      db.selectFrom("systemMessage").select("id").where("id", ">", after).orderBy("id").limit(limit),
    ),
  };
  const changesOf = preparedListQuery(db, (userIds: readonly number[]) =>
    db.selectFrom("userState").select(["userId", "lastChange"]).where("userId", "in", userIds),
  );

  const seenPrivate = (ids: readonly number[], userIds: readonly number[]): Promise<SeenMessage[]> =>
    db
      .selectFrom("message as m")
      .innerJoin("privateChat as c", "c.chatId", "m.chatId")
      .leftJoin("userState as u", "u.userId", "c.ownerId")
      .select(["m.id", "c.ownerId as userId"])
      .where("m.id", "in", ids)
      .where("c.ownerId", "in", userIds)
      .where((eb) => isShownTo(eb.ref("c.ownerId")))
      .where((eb) => eb.or([eb("u.clearedPrivate", "is", null), eb("u.clearedPrivate", "<", eb.ref("m.id"))]))
      .orderBy("m.id")
      .execute();

  const seenInGroups = (ids: readonly number[], userIds: readonly number[]): Promise<SeenMessage[]> =>
    db
      .selectFrom("message as m")
      .innerJoin("groupStay as s", "s.groupId", "m.chatId")
      .leftJoin("userState as u", "u.userId", "s.userId")
      .select(["m.id", "s.userId"])
      .distinct()
      .where("m.id", "in", ids)
      .where("s.userId", "in", userIds)
      .whereRef("s.fromId", "<", "m.id")
      .where((eb) => eb.or([eb("s.toId", "is", null), eb("s.toId", ">=", eb.ref("m.id"))]))
      .where((eb) => isShownTo(eb.ref("s.userId")))
      .where((eb) => isNotRemovedByModerator(eb))
      .where((eb) => eb.or([eb("u.clearedGroup", "is", null), eb("u.clearedGroup", "<", eb.ref("m.id"))]))
      .orderBy("m.id")
      .execute();

  return {
    async newestIdOf(type) {
      const newest = db.selectFrom(tableOf(type)).select("id").orderBy("id", "desc").limit(1);
      return (await newest.executeTakeFirst())?.id ?? 0;
    },
    listIdsAfter: async (type, after, limit) => (await afterIn[type](after, limit)).rows.map(({ id }) => id),
    async listSeenBy(type, ids, userIds) {
      const seen: SeenMessage[] = [];
      const find = type === ChatType.PRIVATE ? seenPrivate : seenInGroups;
      for (const idBatch of inBatches(ids)) {
        for (const userBatch of inBatches(userIds)) seen.push(...(await find(idBatch, userBatch)));
      }
      return seen;
    },
    async lastChangesOf(userIds) {
      return new Map((await changesOf(userIds)).map(({ userId, lastChange }) => [userId, lastChange]));
    },
  };
}
