import type { Kysely } from "kysely";
import type { ChatKind } from "../../ports/stored-message.ts";
import { CHANGE_EVENT_TYPES, type DaySource, type IdRange, type PageSource } from "./history-page.ts";
import type { StoredRow } from "./message-rows.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import type { Visibility } from "./visibility.ts";

/** A chat of which one person sees the messages in these ranges. */
type SourceOf = (
  userId: number,
  targetId: number,
  ranges: readonly IdRange[],
) => PageSource<StoredRow> & DaySource;

/** The chats of one kind, as sources of pages and days. */
export function chatSource<Kind extends ChatKind>(
  db: Kysely<Tables>,
  { isInChat, isShown }: Visibility<Kind>,
): SourceOf {
  const { firstIdAt } = monotonicTime(db);
  const inRange = (userId: number, targetId: number, from: number, to: number) =>
    db
      .selectFrom("message as m")
      .where(isInChat(userId, targetId))
      .where("m.id", ">=", from)
      .where("m.id", "<=", to)
      .where(isShown(userId));
  const down = preparedQuery(
    db,
    (userId: number, targetId: number, from: number, to: number, limit: number, skip: number) =>
      inRange(userId, targetId, from, to).selectAll("m").orderBy("m.id", "desc").limit(limit).offset(skip),
  );
  const up = preparedQuery(db, (userId: number, targetId: number, from: number, to: number, limit: number) =>
    inRange(userId, targetId, from, to).selectAll("m").orderBy("m.id").limit(limit),
  );
  const count = preparedQuery(db, (userId: number, targetId: number, from: number, to: number) =>
    inRange(userId, targetId, from, to).select((eb) => eb.fn.countAll<number | string>().as("rows")),
  );
  const newestMessage = preparedQuery(db, (userId: number, targetId: number, from: number, to: number) =>
    inRange(userId, targetId, from, to)
      .select(["m.id", "m.sendTime"])
      .where("m.type", "not in", CHANGE_EVENT_TYPES)
      .orderBy("m.id", "desc")
      .limit(1),
  );

  return (userId, targetId, ranges) => ({
    ranges,
    down: async ({ from, to }, limit, skip) => (await down(userId, targetId, from, to, limit, skip)).rows,
    up: async ({ from, to }, limit) => (await up(userId, targetId, from, to, limit)).rows,
    newestMessage: async ({ from, to }) => (await newestMessage(userId, targetId, from, to)).rows[0],
    firstIdAt,
    ...(ranges.length > 1 && {
      count: async ({ from, to }: IdRange) =>
        Number((await count(userId, targetId, from, to)).rows[0]?.rows ?? 0),
    }),
  });
}
