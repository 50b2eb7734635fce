import type { Kysely } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

interface TimedRow {
  id: number;
  sendTime: number;
  receivedAt: number | null;
}

/**
 * Finds messages by time without an index on time: sendTime never decreases with the id, so a
 * binary search over the ids is enough.
 */
export function monotonicTime(db: Kysely<Tables>) {
  const atOrBelow = preparedQuery(db, (id: number) =>
    db
      .selectFrom("message")
      .select(["id", "sendTime", "receivedAt"])
      .where("id", "<=", id)
      .orderBy("id", "desc")
      .limit(1),
  );

  /** The newest message of all chats with an id up to this one. */
  async function newestUpTo(id: number): Promise<TimedRow | undefined> {
    return (await atOrBelow(id)).rows[0];
  }

  /**
   * The id of the first message up to `upTo` that was sent at `time` or later; without one, the id after the
   * newest message.
   */
  async function firstIdAt(time: number, upTo = Number.MAX_SAFE_INTEGER): Promise<number> {
    const newest = await newestUpTo(upTo);
    if (newest === undefined) return 1;
    if (newest.sendTime < time) return newest.id + 1;
    // Doubling strides keep the search short in the usual case, a time close to the newest message.
    let upperId = newest.id;
    let lowerId = 0;
    for (let stride = 1; lowerId === 0 && upperId > 1; stride *= 2) {
      const row = await newestUpTo(upperId - stride);
      if (row === undefined) break;
      if (row.sendTime < time) lowerId = row.id;
      else upperId = row.id;
    }
    // Everything up to `lowerId` is older than `time`; `upperId` is not.
    while (upperId - lowerId > 1) {
      const middle = Math.floor((lowerId + upperId) / 2);
      const row = await newestUpTo(middle);
      if (row === undefined || row.sendTime < time) lowerId = middle;
      else upperId = row.id;
    }
    return upperId;
  }

  const receivedBefore = preparedQuery(db, (time: number, upTo: number) =>
    db
      .selectFrom("message")
      .select("id")
      .where("id", "<=", upTo)
      .where((eb) => eb(eb.fn.coalesce("receivedAt", "sendTime"), "<", time))
      .orderBy("id", "desc")
      .limit(1),
  );

  /**
   * The id of the first of the messages up to `upTo` that were all received at `time` or later. Reads all of them: meant for a short time,
   * and for messages that keep the time of a clock that was ahead, among which `firstIdAt` finds no difference.
   */
  async function firstIdReceivedAt(time: number, upTo: number): Promise<number> {
    return ((await receivedBefore(time, upTo)).rows[0]?.id ?? 0) + 1;
  }

  return { newestUpTo, firstIdAt, firstIdReceivedAt };
}
