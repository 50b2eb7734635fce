import type { ExpressionBuilder, Kysely } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

/** The condition that a person may see a row `m` of their own chats. It does not check the cleared position, which is a lower bound of ids. */
export function isVisibleTo(
  userId: number,
): (eb: ExpressionBuilder<Tables & { m: PrivateMessageTable }, "m">) => ReturnType<typeof eb.and> {
  return (eb) =>
    eb.and([
      eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]),
      eb.not(
        eb.exists(
          eb
            .selectFrom("hiddenPrivate as h")
            .select("h.messageId")
            .where("h.ownerId", "=", userId)
            .whereRef("h.messageId", "=", "m.id"),
        ),
      ),
    ]);
}

/** Returns the id up to which a person has cleared private messages; 0: never. */
export function clearedPositions(db: Kysely<Tables>): (userId: number) => Promise<number> {
  const find = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").select("clearedPrivate").where("userId", "=", userId),
  );
  return async (userId) => (await find(userId)).rows[0]?.clearedPrivate ?? 0;
}
