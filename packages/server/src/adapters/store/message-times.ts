import { MessageType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import { CLOCK_TOLERANCE_MS } from "../../ports/clock-reading.ts";
import type { MessageTimeReads, MessageTimeWrites } from "../../ports/message-time-store.ts";
import type { WriteEngine } from "./engine.ts";
import { monotonicTime } from "./monotonic-time.ts";
import type { Tables } from "./tables.ts";
import { visibilities } from "./visibility.ts";

/** How many messages are looked at for one that was received by a right clock. */
const LATER_MAX = 100_000;

const receivedAt = sql<number>`coalesce("m"."receivedAt", "m"."sendTime")`;

type Clock = Pick<WriteEngine, "clockAheadMs">;

/** Says how far times of messages lie in the future. */
export function messageTimeReads(db: Kysely<Tables>, clock: Clock): MessageTimeReads {
  const { newestUpTo } = monotonicTime(db);
  return {
    async messagesAheadMs(now) {
      const newest = await newestUpTo(Number.MAX_SAFE_INTEGER);
      return newest === undefined ? 0 : Math.max(0, newest.sendTime - (now - clock.clockAheadMs()));
    },
  };
}

/** Compares times of messages with that of a transaction, and corrects them. */
export function messageTimeWrites(db: Kysely<Tables>, clock: Clock): MessageTimeWrites {
  const timeOf = (now: number) => now - clock.clockAheadMs();

  const { firstIdAt, newestUpTo } = monotonicTime(db);
  const conditions = visibilities(db);

  async function correct(time: number): Promise<number> {
    const first = await firstIdAt(time + 1);
    const earlier = (await newestUpTo(first - 1))?.sendTime ?? 0;
    // No message may be earlier than the one before it, so each gets the earliest receipt from it on.
    const { rows } = await sql<{ id: number }>`
      update "message" set "sendTime" = "right"."time", "receivedAt" = null
      from (
        select "id", case
            when "earliest" < ${sql.lit(earlier)} then ${sql.lit(earlier)}
            when "earliest" > ${sql.lit(time)} then ${sql.lit(time)}
            else "earliest"
          end as "time"
        from (
          select "m"."id", min(${receivedAt}) over (order by "m"."id" rows between current row and unbounded following) as "earliest"
          from "message" as "m" where "m"."id" >= ${sql.lit(first)}
        ) as "future"
      ) as "right"
      where "right"."id" = "message"."id"
      returning "message"."id"`.execute(db);
    await sql`
      update "message" set "editedAt" = coalesce((
        select max("event"."sendTime") from "messageEdit" as "edit"
        join "message" as "event" on "event"."id" = "edit"."eventId"
        where "edit"."targetId" = "message"."id"
      ), ${sql.lit(time)})
      where "editedAt" > ${sql.lit(time)}`.execute(db);
    return rows.length;
  }

  return {
    async messageAge(message, now) {
      const time = timeOf(now);
      const age = time - (message.receivedAt ?? message.sendTime);
      if (age >= -CLOCK_TOLERANCE_MS) return age;
      // It was received by another clock, or before this one was set.
      const later = await db
        .selectFrom("message as m")
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
      const last = await db
        .selectFrom("message as m")
        .select(["m.id", receivedAt.as("time")])
        .where(conditions[kind].isInChat(sendId, targetId))
        .where("m.id", ">=", await firstIdAt(time - within))
        .where("m.sendId", "=", sendId)
        .where("m.type", "=", MessageType.SHAKE)
        .orderBy("m.id", "desc")
        .limit(1)
        .executeTakeFirst();
      return last === undefined ? undefined : time - last.time;
    },
    async correctMessageTimes(now) {
      const corrected = await correct(timeOf(now));
      await db
        .updateTable("report")
        .set({ sendTime: timeOf(now) })
        .where("sendTime", ">", timeOf(now))
        .execute();
      return corrected;
    },
  };
}
