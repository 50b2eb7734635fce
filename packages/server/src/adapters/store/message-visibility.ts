import { type Expression, type SqlBool, expressionBuilder } from "kysely";
import type { MessageTable, Tables } from "./tables.ts";

/** The condition that a row `m` is not only for somebody else, and that this person has not hidden it. */
export function isShownTo(userId: number | Expression<number>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageTable }, "m">();
  return eb.and([
    eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]),
    eb.not(isHiddenFrom(userId)),
  ]);
}

/** The condition that a person has hidden a row `m`. */
export function isHiddenFrom(userId: number | Expression<number>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageTable }, "m">();
  return eb.exists(
    eb
      .selectFrom("hiddenMessage as hidden")
      .select("hidden.messageId")
      .where("hidden.ownerId", "=", userId)
      .whereRef("hidden.messageId", "=", "m.id"),
  );
}
