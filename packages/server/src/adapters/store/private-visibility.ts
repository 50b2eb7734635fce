import { type Expression, type Kysely, type SqlBool, expressionBuilder } from "kysely";
import { isShownTo } from "./message-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

/** The condition that a person may see a row `m` of their own chats. It does not check the cleared position, which is a lower bound of ids. */
export function isVisibleTo(userId: number): Expression<SqlBool> {
  return isShownTo(userId, "hiddenPrivate");
}

/** Returns the id up to which a person has cleared private messages; 0: never. */
export function clearedPositions(db: Kysely<Tables>): (userId: number) => Promise<number> {
  const find = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").select("clearedPrivate").where("userId", "=", userId),
  );
  return async (userId) => (await find(userId)).rows[0]?.clearedPrivate ?? 0;
}

/** The condition that a row `m` belongs to the chat of two people. */
export function isInChatOf(userId: number, friendId: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: PrivateMessageTable }, "m">();
  const chatId = eb
    .selectFrom("privateChat")
    .select("chatId")
    .where("ownerId", "=", userId)
    .where("peerId", "=", friendId);
  return eb("m.chatId", "=", chatId);
}
