import { sql, type Kysely } from "kysely";
import type { PullWindow, Reads } from "../../ports/store.ts";
import { prepared } from "./prepared.ts";
import { timeLine } from "./time-line.ts";
import type { Tables } from "./tables.ts";

export type PullReads = Pick<Reads, "startPrivatePull">;

export function pullReads(db: Kysely<Tables>): PullReads {
  const { newestUpTo, firstIdAt } = timeLine(db);

  /** Ids of the rows that this person can see, from the indexes alone. */
  const idsOf = (userId: number) =>
    db
      .selectFrom("privateChat as c")
      .innerJoin("privateMessage as m", "m.chatId", "c.chatId")
      .select("m.id")
      .where("c.ownerId", "=", userId)
      .where((eb) => eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]));

  // One probe a chat, however many rows follow.
  const firstOfChats = prepared(db, (userId: number, fromId: number) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom("privateChat as c")
          .select((chat) =>
            chat
              .selectFrom("privateMessage as m")
              .select("m.id")
              .whereRef("m.chatId", "=", "c.chatId")
              .where("m.id", ">=", fromId)
              .where((e) => e.or([e("m.onlyFor", "is", null), e("m.onlyFor", "=", userId)]))
              .orderBy("m.id")
              .limit(1)
              .as("id"),
          )
          .where("c.ownerId", "=", userId)
          .as("first"),
      )
      .select((eb) => eb.fn.min<number | null>("first.id").as("id")),
  );
  const newestIds = prepared(db, (userId: number, fromId: number, limit: number) =>
    db
      .selectFrom(() =>
        idsOf(userId).where("m.id", ">=", fromId).orderBy("m.id", "desc").limit(limit).as("newest"),
      )
      .select((eb) => eb.fn.min<number | null>("newest.id").as("id")),
  );
  const anyBetween = prepared(db, (userId: number, after: number, below: number) =>
    idsOf(userId)
      .clearSelect()
      .select(sql<number>`1`.as("one"))
      .where("m.id", ">", after)
      .where("m.id", "<", below)
      .limit(1),
  );

  async function firstPull(
    userId: number,
    windowFrom: number,
    firstMax: number,
  ): Promise<number | undefined> {
    return (await newestIds(userId, windowFrom, firstMax)).rows[0]?.id ?? undefined;
  }

  async function nextPull(
    userId: number,
    window: PullWindow,
    windowFrom: number,
  ): Promise<number | undefined> {
    const cursor = await newestUpTo(window.minId);
    const overlapFrom =
      cursor === undefined ? 1 : await firstIdAt(cursor.sendTime - window.overlapMs, cursor.id);
    return (await firstOfChats(userId, Math.max(overlapFrom, windowFrom))).rows[0]?.id ?? undefined;
  }

  return {
    async startPrivatePull(userId, window) {
      const upTo = (await newestUpTo(Number.MAX_SAFE_INTEGER))?.id ?? 0;
      const windowFrom = await firstIdAt(window.notBefore);
      const first =
        window.minId === 0
          ? await firstPull(userId, windowFrom, window.firstMax)
          : await nextPull(userId, window, windowFrom);
      // A row committed while this was looked up has a higher id than `upTo`: it is pushed, and the next pull has it.
      const fromId = first === undefined || first > upTo ? upTo + 1 : first;
      const left = (await anyBetween(userId, window.minId, fromId)).rows.length > 0;
      return { fromId, upTo, isTruncated: left };
    },
  };
}
