import type { ChatPrefs } from "@parley/protocol/chat-prefs";
import { ChatType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { ChangeSet } from "../../ports/change-store.ts";
import type { ChatPrefReads, ChatPrefWrites } from "../../ports/chat-pref-store.ts";
import { changeCounter } from "./change-counter.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** This adapter wrote the text from this type. */
const parsePrefs = (text: string): ChatPrefs => JSON.parse(text) as ChatPrefs;

/** Reads what people have set for chats. */
export function chatPrefReads(db: Kysely<Tables>): ChatPrefReads {
  const friendRow = preparedQuery(db, (userId: number, friendId: number) =>
    db.selectFrom("friend").select("friendId").where("ownerId", "=", userId).where("friendId", "=", friendId),
  );
  const chatRow = preparedQuery(db, (userId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", userId).where("peerId", "=", peerId),
  );
  const memberRow = preparedQuery(db, (userId: number, groupId: number) =>
    db
      .selectFrom("groupMember")
      .select("groupId")
      .where("userId", "=", userId)
      .where("groupId", "=", groupId),
  );
  const changesOf = prefChanges(db);

  return {
    async hasChat(userId, { type, targetId }) {
      if (type === ChatType.SYSTEM) return targetId === 0;
      const queries = type === ChatType.GROUP ? [memberRow] : [friendRow, chatRow];
      for (const find of queries) if ((await find(userId, targetId)).rows.length > 0) return true;
      return false;
    },
    listChatPrefs: async (userId) => (await changesOf(userId, 0)).map(({ v: _, ...ofChat }) => ofChat),
  };
}

/** Writes what people set for chats. */
export function chatPrefWrites(db: Kysely<Tables>): ChatPrefWrites {
  const nextChange = changeCounter(db);
  const find = preparedQuery(db, (userId: number, type: ChatType, targetId: number) =>
    db
      .selectFrom("chatPref")
      .select(["changed", "prefs"])
      .where("userId", "=", userId)
      .where("type", "=", type)
      .where("targetId", "=", targetId),
  );
  const store = preparedQuery(
    db,
    (userId: number, type: ChatType, targetId: number, changed: number, prefs: string) =>
      db
        .insertInto("chatPref")
        .values({ userId, type, targetId, changed, prefs })
        .onConflict((conflict) =>
          conflict.columns(["userId", "type", "targetId"]).doUpdateSet({ changed, prefs }),
        ),
  );

  return {
    async setChatPrefs(userId, { type, targetId }, set) {
      const [row] = (await find(userId, type, targetId)).rows;
      const before = parsePrefs(row?.prefs ?? "{}");
      const isSame = Object.entries(set).every(
        ([name, value]) => JSON.stringify(value ?? null) === JSON.stringify(before[name] ?? null),
      );
      if (isSame) return { current: { v: row?.changed ?? 0, prefs: before }, isNew: false };
      const v = await nextChange(userId);
      const prefs = { ...before, ...set };
      await store(userId, type, targetId, v, JSON.stringify(prefs));
      return { current: { v, prefs }, isNew: true };
    },
  };
}

/** What a person has set since a change number, the earliest first. */
export function prefChanges(
  db: Kysely<Tables>,
): (userId: number, since: number) => Promise<ChangeSet["prefs"]> {
  const find = preparedQuery(db, (userId: number, since: number) =>
    db
      .selectFrom("chatPref")
      .select(["type", "targetId", "changed as v", "prefs"])
      .where("userId", "=", userId)
      .where("changed", ">", since)
      .orderBy("changed"),
  );
  return async (userId, since) =>
    (await find(userId, since)).rows.map((row) => ({ ...row, prefs: parsePrefs(row.prefs) }));
}
