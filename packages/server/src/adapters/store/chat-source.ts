import { type Kysely, type Selectable, type SelectQueryBuilder, type Simplify, sql } from "kysely";
import { CHANGE_EVENT_TYPES, type DaySource, type IdRange, type PageSource } from "./history-page.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

type MessageTables = Pick<Tables, "privateMessage" | "groupMessage">;

/** Selects the rows `m` of one chat that a person sees, from one id to another. */
type SelectInRange<Table> = (
  userId: number,
  targetId: number,
  from: number,
  to: number,
) => SelectQueryBuilder<Tables & { m: Table }, "m", Selectable<Table>>;

/** A chat of which one person sees the messages in these ranges. */
type SourceOf<Row> = (
  userId: number,
  targetId: number,
  ranges: readonly IdRange[],
) => PageSource<Row> & DaySource;

/** The chats of one table, as sources of pages and days. */
export function chatSource<Name extends keyof MessageTables>(
  db: Kysely<Tables>,
  table: Name,
  inRange: SelectInRange<MessageTables[Name]>,
): SourceOf<Simplify<Selectable<MessageTables[Name]>>> {
  const { firstIdAt } = monotonicTime(db, table);
  const id = sql.ref<number>("m.id");
  const down = preparedQuery(
    db,
    (userId: number, targetId: number, from: number, to: number, limit: number, skip: number) =>
      inRange(userId, targetId, from, to).orderBy(id, "desc").limit(limit).offset(skip),
  );
  const up = preparedQuery(db, (userId: number, targetId: number, from: number, to: number, limit: number) =>
    inRange(userId, targetId, from, to).orderBy(id).limit(limit),
  );
  const count = preparedQuery(db, (userId: number, targetId: number, from: number, to: number) =>
    inRange(userId, targetId, from, to)
      .clearSelect()
      .select((eb) => eb.fn.countAll<number | string>().as("rows")),
  );
  const newestMessage = preparedQuery(db, (userId: number, targetId: number, from: number, to: number) =>
    inRange(userId, targetId, from, to)
      .clearSelect()
      .select([id.as("id"), sql.ref<number>("m.sendTime").as("sendTime")])
      .where(sql.ref<number>("m.type"), "not in", CHANGE_EVENT_TYPES)
      .orderBy(id, "desc")
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
