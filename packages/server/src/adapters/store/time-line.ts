import type { Kysely } from "kysely";
import { prepared } from "./prepared.ts";
import type { Tables } from "./tables.ts";

interface Mark {
  id: number;
  sendTime: number;
}

/**
 * Finds messages of one kind by time without an index on time: sendTime never decreases with the id, so halving
 * the ids is enough.
 */
export function timeLine(db: Kysely<Tables>, table: "privateMessage" | "groupMessage") {
  const atOrBelow = prepared(db, (id: number) =>
    db.selectFrom(table).select(["id", "sendTime"]).where("id", "<=", id).orderBy("id", "desc").limit(1),
  );

  /** The newest message with an id up to this one, over everybody's of this kind. */
  async function newestUpTo(id: number): Promise<Mark | undefined> {
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
    let late = head.id;
    let early = 0;
    for (let stride = 1; early === 0 && late > 1; stride *= 2) {
      const mark = await newestUpTo(late - stride);
      if (mark === undefined) break;
      if (mark.sendTime < time) early = mark.id;
      else late = mark.id;
    }
    // Everything up to `early` is older than `time`, `late` is not.
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      const mark = await newestUpTo(middle);
      if (mark === undefined || mark.sendTime < time) early = middle;
      else late = mark.id;
    }
    return late;
  }

  return { newestUpTo, firstIdAt };
}
