import type { Kysely } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

interface TimedRow {
  id: number;
  sendTime: number;
}

/**
 * Finds messages of one kind by time without an index on time: sendTime never decreases with the id, so halving
 * the ids is enough.
 */
export function monotonicTime(db: Kysely<Tables>, table: "privateMessage" | "groupMessage") {
  const atOrBelow = preparedQuery(db, (id: number) =>
    db.selectFrom(table).select(["id", "sendTime"]).where("id", "<=", id).orderBy("id", "desc").limit(1),
  );

  /** The newest message with an id up to this one, over everybody's of this kind. */
  async function newestUpTo(id: number): Promise<TimedRow | undefined> {
    return (await atOrBelow(id)).rows[0];
  }

  /**
   * The lowest id above which nothing up to `upTo` was sent before `time`: that of the first message sent
   * then or later, or `upTo` + 1.
   */
  async function firstIdAt(time: number, upTo = Number.MAX_SAFE_INTEGER): Promise<number> {
    const head = await newestUpTo(upTo);
    if (head === undefined) return 1;
    if (head.sendTime < time) return head.id + 1;
    // Strides that double keep the search short for the usual case, a time close to the head.
    let upperId = head.id;
    let lowerId = 0;
    for (let stride = 1; lowerId === 0 && upperId > 1; stride *= 2) {
      const row = await newestUpTo(upperId - stride);
      if (row === undefined) break;
      if (row.sendTime < time) lowerId = row.id;
      else upperId = row.id;
    }
    // Everything up to `early` is older than `time`, `late` is not.
    while (upperId - lowerId > 1) {
      const middle = Math.floor((lowerId + upperId) / 2);
      const row = await newestUpTo(middle);
      if (row === undefined || row.sendTime < time) lowerId = middle;
      else upperId = row.id;
    }
    return upperId;
  }

  return { newestUpTo, firstIdAt };
}
