import { ChatType } from "@parley/protocol/codes";
import { type ChangeField, noChanges } from "@parley/protocol/endpoints/changes";
import { sql, type Kysely, type Selectable } from "kysely";
import type { ChangeReads, ChangeSet, ChangeWrites } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { prefChanges } from "./chat-prefs.ts";
import { readPairs, toPositions } from "./chat-repository.ts";
import { receiptChanges } from "./group-receipts.ts";
import { hiddenSince } from "./hidden-messages.ts";
import { removalChanges } from "./member-message-removal.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { preparedQuery } from "./prepared-query.ts";
import { savedMessageChanges, savedSince } from "./saved-messages.ts";
import { systemMessageChanges } from "./system-message-repository.ts";
import type { Tables, UserStateTable } from "./tables.ts";

/** Returns what changed for a person after a change number; `state` is the person's row. */
type ChangesOf<Field extends keyof ChangeSet> = (
  userId: number,
  since: number,
  state: Selectable<UserStateTable>,
) => Promise<ChangeSet[Field]>;

/** Who reads each field of the change feed. */
const FIELDS: {
  readonly [Field in Exclude<ChangeField, "extras">]: (db: Kysely<Tables>) => ChangesOf<Field>;
} = {
  read: readPositionChanges,
  cleared: () => clearedChanges,
  hidden: hiddenSince,
  purged: removalChanges,
  system: systemMessageChanges,
  prefs: prefChanges,
  saved: savedSince,
  receipts: receiptChanges,
};

/** Reads the change feed. */
export function changeReads(db: Kysely<Tables>): ChangeReads {
  const findState = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").selectAll().where("userId", "=", userId),
  );
  const fields = Object.entries(FIELDS).map(([field, changesOf]) => ({ field, changesOf: changesOf(db) }));

  return {
    async listChanges(userId, since) {
      // The number is read first: changes made during these reads are reported again next time and never missed.
      const [state] = (await findState(userId)).rows;
      if (state === undefined) {
        const { extras: _, extrasNext: _n, ...nothing } = noChanges("0");
        return { ...nothing, next: 0, system: [] };
      }
      // A number that was never assigned (the database was restored): report everything.
      const from = since > state.lastChange ? 0 : since;
      const changes: Record<string, unknown> = { next: state.lastChange };
      for (const { field, changesOf } of fields) changes[field] = await changesOf(userId, from, state);
      // FIELDS has every field with its type.
      return changes as unknown as ChangeSet;
    },
  };
}

/** The chats whose read positions moved. */
function readPositionChanges(db: Kysely<Tables>): ChangesOf<"read"> {
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
  return async (userId, since, { systemRead, systemReadChanged }) => {
    const read = (await privatePositions(userId, since)).rows.map(toPositions);
    if (systemReadChanged > since)
      read.push({ type: ChatType.SYSTEM, targetId: 0, mine: systemRead, theirs: -1 });
    for (const { groupId, readId } of (await groupPositions(userId, since)).rows)
      read.push({ type: ChatType.GROUP, targetId: groupId, mine: readId, theirs: -1 });
    return read;
  };
}

/** The clear marks, all three if one of them moved. */
const clearedChanges: ChangesOf<"cleared"> = async (_, since, state) =>
  state.clearedChanged > since
    ? [
        { type: ChatType.PRIVATE, upTo: state.clearedPrivate },
        { type: ChatType.GROUP, upTo: state.clearedGroup },
        { type: ChatType.SYSTEM, upTo: state.clearedSystem },
      ]
    : [];

/** Writes what concerns a person's whole history. */
export function changeWrites(db: Kysely<Tables>): ChangeWrites {
  const nextChange = changeCounter(db);
  const { newestUpTo } = monotonicTime(db);
  const saved = savedMessageChanges(db);

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
      await saved.removeUpTo(userId, newestId, changed);
    },
  };
}
