import { MessageType } from "@parley/protocol/codes";
import { type Expression, type Kysely, type SqlBool, expressionBuilder } from "kysely";
import { isShownTo } from "./message-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { MessageTable, Tables } from "./tables.ts";

/** Returns the id up to which a person has cleared private messages; 0: never. */
export function clearedPositions(db: Kysely<Tables>): (userId: number) => Promise<number> {
  const find = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").select("clearedPrivate").where("userId", "=", userId),
  );
  return async (userId) => (await find(userId)).rows[0]?.clearedPrivate ?? 0;
}

/** The condition that a row `m` belongs to the chat of two people. */
export function isInChatOf(userId: number, friendId: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageTable }, "m">();
  const chatId = eb
    .selectFrom("privateChat")
    .select("chatId")
    .where("ownerId", "=", userId)
    .where("peerId", "=", friendId);
  return eb("m.chatId", "=", chatId);
}

/** The rows of a private chat that a person sees, from an id on that lies above those that they cleared. */
export function shownInPrivateChat(db: Kysely<Tables>, userId: number, friendId: number, from: number) {
  return db
    .selectFrom("message as m")
    .select("m.id")
    .where(isInChatOf(userId, friendId))
    .where("m.id", ">=", from)
    .where(isShownTo(userId));
}

/** Returns whether a person sees, in the chat with that friend, a row that quotes this one. */
export function privateQuotes(
  db: Kysely<Tables>,
): (userId: number, friendId: number, id: number) => Promise<boolean> {
  const clearedUpTo = clearedPositions(db);
  const quoteOf = preparedQuery(db, (userId: number, friendId: number, from: number, id: number) =>
    shownInPrivateChat(db, userId, friendId, from)
      .where("m.quoteId", "=", id)
      .where("m.type", "!=", MessageType.EDIT)
      .where("m.noticeId", "is", null)
      .limit(1),
  );
  return async (userId, friendId, id) => {
    const from = Math.max(id, await clearedUpTo(userId)) + 1;
    return (await quoteOf(userId, friendId, from, id)).rows.length > 0;
  };
}
