import { MessageType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import { CLOCK_TOLERANCE_MS } from "../../ports/clock-reading.ts";
import type { MessageTimeKind, MessageTimeReads, MessageTimeWrites } from "../../ports/message-time-store.ts";
import type { WriteEngine } from "./engine.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { isInChatOf } from "./private-visibility.ts";
import type { Tables } from "./tables.ts";

const TABLES = {
  private: ["privateMessage", "privateEdit"],
  group: ["groupMessage", "groupEdit"],
} as const;
const KINDS: readonly MessageTimeKind[] = ["private", "group"];

/** How many messages are looked at for one that was received by a right clock. */
const LATER_MAX = 100_000;

const receivedAt = sql<number>`coalesce("m"."receivedAt", "m"."sendTime")`;

/** The columns that are used here are in both tables. */
const rowsOf = (kind: MessageTimeKind) => `${TABLES[kind][0]} as m` as "privateMessage as m";

type Clock = Pick<WriteEngine, "clockAheadMs">;

/** Says how far times of messages lie in the future. */
export function messageTimeReads(db: Kysely<Tables>, clock: Clock): MessageTimeReads {
  const sequences = KINDS.map((kind) => monotonicTime(db, TABLES[kind][0]));
  return {
    async messagesAheadMs(now) {
      const newest = await Promise.all(
        sequences.map(({ newestUpTo }) => newestUpTo(Number.MAX_SAFE_INTEGER)),
      );
      const time = now - clock.clockAheadMs();
      return Math.max(0, ...newest.map((row) => (row === undefined ? 0 : row.sendTime - time)));
    },
  };
}

/** Compares times of messages with that of a transaction, and corrects them. */
export function messageTimeWrites(db: Kysely<Tables>, clock: Clock): MessageTimeWrites {
  const timeOf = (now: number) => now - clock.clockAheadMs();

  async function correct(kind: MessageTimeKind, time: number): Promise<number> {
    const [table, edits] = TABLES[kind];
    const { firstIdAt, newestUpTo } = monotonicTime(db, table);
    const first = await firstIdAt(time + 1);
    const earlier = (await newestUpTo(first - 1))?.sendTime ?? 0;
    // No message may be earlier than the one before it, so each gets the earliest receipt from it on.
    const { rows } = await sql<{ id: number }>`
      update ${sql.table(table)} set "sendTime" = "right"."time", "receivedAt" = null
      from (
        select "id", case
            when "earliest" < ${sql.lit(earlier)} then ${sql.lit(earlier)}
            when "earliest" > ${sql.lit(time)} then ${sql.lit(time)}
            else "earliest"
          end as "time"
        from (
          select "m"."id", min(${receivedAt}) over (order by "m"."id" rows between current row and unbounded following) as "earliest"
          from ${sql.table(table)} as "m" where "m"."id" >= ${sql.lit(first)}
        ) as "future"
      ) as "right"
      where "right"."id" = ${sql.table(table)}."id"
      returning ${sql.table(table)}."id"`.execute(db);
    await sql`
      update ${sql.table(table)} set "editedAt" = coalesce((
        select max("event"."sendTime") from ${sql.table(edits)} as "edit"
        join ${sql.table(table)} as "event" on "event"."id" = "edit"."eventId"
        where "edit"."targetId" = ${sql.table(table)}."id"
      ), ${sql.lit(time)})
      where "editedAt" > ${sql.lit(time)}`.execute(db);
    return rows.length;
  }

  return {
    async messageAge(kind, message, now) {
      const time = timeOf(now);
      const age = time - (message.receivedAt ?? message.sendTime);
      if (age >= -CLOCK_TOLERANCE_MS) return age;
      // It was received by another clock, or before this one was set.
      const later = await db
        .selectFrom(rowsOf(kind))
        .select(receivedAt.as("time"))
        .where("m.id", ">", message.id)
        .where("m.id", "<=", message.id + LATER_MAX)
        .where(receivedAt, "<=", time)
        .orderBy("m.id")
        .limit(1)
        .executeTakeFirst();
      return later === undefined ? age : time - later.time;
    },
    async nudgeAge(kind, sendId, targetId, within, now) {
      const time = timeOf(now);
      const isThere =
        kind === "private"
          ? sql<boolean>`${isInChatOf(sendId, targetId)} and "m"."recvId" = ${sql.lit(targetId)}`
          : sql<boolean>`"m"."groupId" = ${sql.lit(targetId)}`;
      const last = await db
        .selectFrom(rowsOf(kind))
        .select(["m.id", receivedAt.as("time")])
        .where(isThere)
        .where("m.id", ">=", await monotonicTime(db, TABLES[kind][0]).firstIdAt(time - within))
        .where("m.sendId", "=", sendId)
        .where("m.type", "=", MessageType.SHAKE)
        .orderBy("m.id", "desc")
        .limit(1)
        .executeTakeFirst();
      return last === undefined ? undefined : time - last.time;
    },
    async correctMessageTimes(now) {
      let corrected = 0;
      for (const kind of KINDS) corrected += await correct(kind, timeOf(now));
      await db
        .updateTable("report")
        .set({ sendTime: timeOf(now) })
        .where("sendTime", ">", timeOf(now))
        .execute();
      return corrected;
    },
  };
}
