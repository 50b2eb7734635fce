import { type Expression, type SqlBool, expressionBuilder, sql } from "kysely";
import type { MessageColumns } from "./columns.ts";
import type { HiddenGroupTable } from "./group-message-change-tables.ts";
import type { HiddenPrivateTable, Tables } from "./tables.ts";

/** The condition that a row `m` is not only for somebody else, and that this person has not hidden it. */
export function isShownTo(
  userId: number | Expression<number>,
  hidden: "hiddenPrivate" | "hiddenGroup",
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageColumns }, "m">();
  return eb.and([
    eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]),
    eb.not(isHiddenFrom(userId, hidden)),
  ]);
}

/** The condition that a person has hidden a row `m`. */
export function isHiddenFrom(
  userId: number | Expression<number>,
  hidden: "hiddenPrivate" | "hiddenGroup",
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageColumns }, "m">();
  return eb.exists(
    eb
      .selectFrom(sql.table<HiddenPrivateTable | HiddenGroupTable>(hidden).as("hidden"))
      .select("hidden.messageId")
      .where("hidden.ownerId", "=", userId)
      .whereRef("hidden.messageId", "=", "m.id"),
  );
}
