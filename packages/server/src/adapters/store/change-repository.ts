import { ChatType } from "@parley/protocol/codes";
import { noChanges } from "@parley/protocol/endpoints/changes";
import { sql, type Kysely } from "kysely";
import type { ChangeReads, ChangeWrites } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { readPairs, toPositions } from "./chat-repository.ts";
import { receiptChanges } from "./group-receipts.ts";
import { hiddenSince } from "./hidden-messages.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { preparedQuery } from "./prepared-query.ts";
import { toSystem } from "./system-message-repository.ts";
import type { Tables } from "./tables.ts";

/** Reads the change feed. */
export function changeReads(db: Kysely<Tables>): ChangeReads {
  const state = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").selectAll().where("userId", "=", userId),
  );
  const privatePositions = preparedQuery(db, (userId: number, since: number) =>
    readPairs(db).where("own.ownerId", "=", userId).where("own.changed", ">", since).orderBy("own.changed"),
  );
  const groupPositions = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("groupRead")
      .select(["groupId", "readId"])
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );
  const hidden = hiddenSince(db);
  const receipts = receiptChanges(db);
  const systemMessages = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("systemMessage")
      .selectAll()
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );
  const removals = preparedQuery(db, (userId: number, since: number) =>
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

  return {
    async listChanges(userId, since) {
      // The number is read first: changes made during these reads are reported again next time and never missed.
      const [userState] = (await state(userId)).rows;
      if (userState === undefined) return { ...noChanges("0"), next: 0, system: [] };
      const { lastChange, systemRead, systemReadChanged, clearedSystem, clearedChanged } = userState;
      // A number that was never assigned (the database was restored): report everything.
      const from = since > lastChange ? 0 : since;
      const read = (await privatePositions(userId, from)).rows.map(toPositions);
      if (systemReadChanged > from)
        read.push({ type: ChatType.SYSTEM, targetId: 0, mine: systemRead, theirs: -1 });
      for (const { groupId, readId } of (await groupPositions(userId, from)).rows)
        read.push({ type: ChatType.GROUP, targetId: groupId, mine: readId, theirs: -1 });
      const system = (await systemMessages(userId, from)).rows.filter((row) => row.seqNo > clearedSystem);
      const cleared = [
        { type: ChatType.PRIVATE, upTo: userState.clearedPrivate },
        { type: ChatType.GROUP, upTo: userState.clearedGroup },
        { type: ChatType.SYSTEM, upTo: clearedSystem },
      ];
      return {
        next: lastChange,
        read,
        cleared: clearedChanged > from ? cleared : [],
        hidden: await hidden(userId, from),
        purged: (await removals(userId, from)).rows,
        system: system.map(toSystem),
        receipts: await receipts(userId, from),
      };
    },
  };
}

/** Writes what concerns a person's whole history. */
export function changeWrites(db: Kysely<Tables>): ChangeWrites {
  const nextChange = changeCounter(db);
  const { newestUpTo } = monotonicTime(db);

  return {
    async clearMessages(userId) {
      const changed = await nextChange(userId);
      const newestId = (await newestUpTo(Number.MAX_SAFE_INTEGER))?.id ?? 0;
      await db
        .updateTable("userState")
        .set({
          clearedPrivate: newestId,
          clearedGroup: newestId,
          clearedSystem: (eb) =>
            eb
              .selectFrom("systemMessage")
              .select((e) => e.fn.coalesce(e.fn.max("seqNo"), sql<number>`0`).as("seqNo"))
              .where("userId", "=", userId),
          clearedChanged: changed,
        })
        .where("userId", "=", userId)
        .execute();
      // Rows below the cleared id are invisible anyway, so they need no entry here.
      await db
        .deleteFrom("hiddenMessage")
        .where("ownerId", "=", userId)
        .where("messageId", "<=", newestId)
        .execute();
    },
  };
}
