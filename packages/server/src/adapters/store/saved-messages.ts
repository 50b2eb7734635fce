import type { SavedChange } from "@parley/protocol/saved-message";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import type { SavedEntry, SavedMessageReads, SavedMessageWrites } from "../../ports/saved-message-store.ts";
import { changeCounter, incrementOfAll } from "./change-counter.ts";
import { type StoredRow, targetOfRow } from "./message-rows.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { SavedMessageTable, Tables } from "./tables.ts";
import { visibilities, visibleRows } from "./visibility.ts";

/** What the table and the message say of a saved message. */
type SavedRow = Pick<StoredRow, "chatId" | "sendId" | "recvId"> &
  Pick<SavedMessageTable, "at" | "note" | "tags"> & { id: number; v: number };

/** What stays of a message that is saved no longer. */
const REMOVED = { at: null, note: "", tags: "[]" } as const;

const savedRows = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom("savedMessage as s")
    .innerJoin("message as m", "m.id", "s.messageId")
    .select(["s.messageId as id", "s.changed as v", "s.at", "s.note", "s.tags"])
    .select(["m.chatId", "m.sendId", "m.recvId"])
    .where("s.userId", "=", userId);

function toChange(userId: number, { id, v, at, note, tags, ...row }: SavedRow): SavedChange {
  // This adapter wrote the tags from this type.
  const words = { note, tags: JSON.parse(tags) as string[] };
  return { id, v, saved: at === null ? null : { ...targetOfRow(userId, row), at, ...words } };
}

/** Reads what people have saved. */
export function savedMessageReads(db: Kysely<Tables>): SavedMessageReads {
  const chats = visibilities(db);
  const visible = {
    PRIVATE: visibleRows(db, "PRIVATE", chats.PRIVATE),
    GROUP: visibleRows(db, "GROUP", chats.GROUP),
  };
  const page = preparedQuery(db, (userId: number, before: number, limit: number) =>
    savedRows(db, userId)
      .where("s.at", "is not", null)
      .where("s.changed", "<", before)
      .orderBy("s.changed", "desc")
      .limit(limit),
  );
  const count = preparedQuery(db, (userId: number) =>
    db
      .selectFrom("savedMessage")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("userId", "=", userId)
      .where("at", "is not", null),
  );
  const find = preparedQuery(db, (userId: number, id: number) =>
    savedRows(db, userId).where("s.messageId", "=", id),
  );

  return {
    async listSaved(userId, before, limit) {
      const entries = (await page(userId, before, limit)).rows
        .map((row) => toChange(userId, row))
        .filter((change): change is SavedEntry => change.saved !== null);
      const ids = entries.map(({ id }) => id);
      const { PRIVATE, GROUP } = chats;
      return {
        entries,
        rows: {
          PRIVATE: await PRIVATE.toRows(userId, await visible.PRIVATE(userId, ids)),
          GROUP: await GROUP.toRows(userId, await visible.GROUP(userId, ids)),
        },
      };
    },
    countSaved: async (userId) => (await count(userId)).rows[0]?.count ?? 0,
    async findSaved(userId, id) {
      const [row] = (await find(userId, id)).rows;
      return row === undefined ? { id, v: 0, saved: null } : toChange(userId, row);
    },
  };
}

/** Writes what people save. */
export function savedMessageWrites(db: Kysely<Tables>): SavedMessageWrites {
  const nextChange = changeCounter(db);
  const { removeOf } = savedMessageChanges(db);
  const find = preparedQuery(db, (userId: number, id: number) =>
    db
      .selectFrom("savedMessage")
      .select("at")
      .where("userId", "=", userId)
      .where("messageId", "=", id)
      .where("at", "is not", null),
  );
  const isSaved = async (userId: number, id: number) => (await find(userId, id)).rows.length > 0;

  return {
    async setSaved(userId, id, { note, tags }, now) {
      const changed = await nextChange(userId);
      const [before] = (await find(userId, id)).rows;
      const values = { changed, at: before?.at ?? now, note, tags: JSON.stringify(tags) };
      const message = await db.selectFrom("message").select("chatId").where("id", "=", id).executeTakeFirst();
      if (message === undefined) return;
      await db
        .insertInto("savedMessage")
        .values({ userId, messageId: id, chatId: message.chatId, ...values })
        .onConflict((conflict) => conflict.columns(["userId", "messageId"]).doUpdateSet(values))
        .execute();
    },
    async removeSaved(userId, id) {
      if (!(await isSaved(userId, id))) return false;
      await removeOf(userId, [id], await nextChange(userId));
      return true;
    },
  };
}

/** What a person has saved or no longer has, and what changed of it, since a change number; the earliest first. */
export function savedSince(
  db: Kysely<Tables>,
): (userId: number, since: number) => Promise<ChangeSet["saved"]> {
  const find = preparedQuery(db, (userId: number, since: number) =>
    savedRows(db, userId).where("s.changed", ">", since).orderBy("s.changed").orderBy("s.messageId"),
  );
  return async (userId, since) => (await find(userId, since)).rows.map((row) => toChange(userId, row));
}

/** Which saved messages a change concerns. */
type Condition = (eb: ExpressionBuilder<Tables, "savedMessage">) => Expression<SqlBool>;

/** What happens to saved messages by other writes. */
export function savedMessageChanges(db: Kysely<Tables>) {
  /** Gives everybody who has saved one of these a change number, in the same order on all nodes. */
  async function incrementSavers(condition: Condition): Promise<void> {
    const savers = db
      .selectFrom("savedMessage")
      .select("userId")
      .where("at", "is not", null)
      .where(condition);
    await incrementOfAll(db, savers).execute();
  }

  /** Gives these the newest change number of their people, and returns who they are. */
  async function change(condition: Condition, patch: Partial<typeof REMOVED>): Promise<number[]> {
    const rows = await db
      .updateTable("savedMessage")
      .set((eb) => ({
        ...patch,
        changed: eb
          .selectFrom("userState as u")
          .select("u.lastChange")
          .whereRef("u.userId", "=", "savedMessage.userId")
          .$asScalar()
          .$notNull(),
      }))
      .where("at", "is not", null)
      .where(condition)
      .returning("userId")
      .execute();
    return [...new Set(rows.map(({ userId }) => userId))];
  }

  return {
    /** A message is recalled for everybody, or has other words. Returns who has saved it. */
    async ofMessage(
      { id, chatId }: Pick<StoredRow, "id" | "chatId">,
      what: "remove" | "reword",
    ): Promise<number[]> {
      const isIt: Condition = (eb) => eb.and([eb("chatId", "=", chatId), eb("messageId", "=", id)]);
      await incrementSavers(isIt);
      return change(isIt, what === "remove" ? REMOVED : {});
    },
    /** What a member has written in a group is removed for everybody, who have got a change number for that. Returns who had saved some of it. */
    removeOfMember: (groupId: number, userId: number): Promise<number[]> =>
      change(
        (eb) =>
          eb.and([
            eb("chatId", "=", groupId),
            eb("messageId", "in", (sub) =>
              sub
                .selectFrom("savedMessage as s")
                .innerJoin("message as m", "m.id", "s.messageId")
                .select("s.messageId")
                .where("s.chatId", "=", groupId)
                .where("m.sendId", "=", userId),
            ),
          ]),
        REMOVED,
      ),
    /** Removes these messages from those that a person has saved. */
    async removeOf(userId: number, ids: readonly number[], changed: number): Promise<void> {
      for (const batch of inBatches(ids))
        await db
          .updateTable("savedMessage")
          .set({ ...REMOVED, changed })
          .where("userId", "=", userId)
          .where("messageId", "in", batch)
          .where("at", "is not", null)
          .execute();
    },
    /** Removes all up to this id from those that a person has saved. */
    async removeUpTo(userId: number, id: number, changed: number): Promise<void> {
      await db
        .updateTable("savedMessage")
        .set({ ...REMOVED, changed })
        .where("userId", "=", userId)
        .where("messageId", "<=", id)
        .where("at", "is not", null)
        .execute();
    },
  };
}
