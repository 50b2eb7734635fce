import type { PrivateMessageReads } from "../../ports/private-message-store.ts";
import { ChatType } from "@parley/protocol/codes";
import { sql, type Kysely } from "kysely";
import type { PullWindow } from "../../ports/stored-message.ts";
import { toldPosition } from "./chat-repository.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { isShownTo } from "./message-visibility.ts";
import { clearedPositions, privateQuotes, shownInPrivateChat } from "./private-visibility.ts";
import { messageRows } from "./message-rows.ts";

/** The first id that a pull may send: limited by its window; after the first pull it repeats some rows from before the cursor. */
export async function pullStart(
  { newestUpTo, firstIdAt, firstIdReceivedAt }: ReturnType<typeof monotonicTime>,
  { minId, overlapMs, notBefore }: PullWindow,
): Promise<number> {
  const cursor = minId === 0 ? undefined : await newestUpTo(minId);
  if (cursor !== undefined && cursor.receivedAt !== null && cursor.sendTime - overlapMs >= notBefore)
    return firstIdReceivedAt(cursor.receivedAt - overlapMs, cursor.id);
  const overlapTime = (cursor?.sendTime ?? 0) - overlapMs;
  // Usually the cursor is recent, so that the start of the window need not be searched.
  return cursor === undefined || overlapTime < notBefore
    ? firstIdAt(notBefore)
    : firstIdAt(overlapTime, cursor.id);
}

/** Ids of the private messages that this person sees, read from the indexes alone. */
export function visiblePrivateIds(db: Kysely<Tables>, userId: number) {
  return db
    .selectFrom("privateChat as c")
    .innerJoin("message as m", "m.chatId", "c.chatId")
    .select("m.id")
    .where("c.ownerId", "=", userId)
    .where(isShownTo(userId));
}

/** Returns a function that finds the oldest of the newest private messages from an id on; null if there are none. */
export function oldestOfNewestPrivate(
  db: Kysely<Tables>,
): (userId: number, fromId: number, limit: number) => Promise<number | null> {
  const oldest = preparedQuery(db, (userId: number, fromId: number, limit: number) =>
    db
      .selectFrom(
        visiblePrivateIds(db, userId)
          .where("m.id", ">=", fromId)
          .orderBy("m.id", "desc")
          .limit(limit)
          .as("newest"),
      )
      .select((eb) => eb.fn.min<number | null>("newest.id").as("id")),
  );
  return async (userId, fromId, limit) => (await oldest(userId, fromId, limit)).rows[0]?.id ?? null;
}

/** Reads what only private chats have: pulls by chat, quotes, and what the other person has read. */
export function privateMessageReads(db: Kysely<Tables>): Omit<PrivateMessageReads, "privateReadPositions"> {
  const toRows = messageRows(db, ChatType.PRIVATE);
  const messageTimes = monotonicTime(db);
  const { newestUpTo } = messageTimes;
  const clearedUpTo = clearedPositions(db);

  const oldestOfNewest = oldestOfNewestPrivate(db);

  // One index lookup per chat, however many rows follow.
  const firstOfChats = preparedQuery(db, (userId: number, fromId: number) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom("privateChat as c")
          .select((chat) =>
            chat
              .selectFrom("message as m")
              .select("m.id")
              .whereRef("m.chatId", "=", "c.chatId")
              .where("m.id", ">=", fromId)
              .where(isShownTo(userId))
              .orderBy("m.id")
              .limit(1)
              .as("id"),
          )
          .where("c.ownerId", "=", userId)
          .as("first"),
      )
      .select((eb) => eb.fn.min<number | null>("first.id").as("id")),
  );
  const anyOmitted = preparedQuery(db, (userId: number, after: number, below: number) =>
    visiblePrivateIds(db, userId)
      .clearSelect()
      .select(sql<number>`1`.as("one"))
      .where("m.id", ">", after)
      .where("m.id", "<", below)
      .limit(1),
  );

  // The ids come from the index alone; only the rows of the result are read.
  const rowsOf = preparedQuery(db, (userId: number, fromId: number, upTo: number, limit: number) =>
    db
      .selectFrom("message")
      .selectAll()
      .where("id", "in", () =>
        visiblePrivateIds(db, userId)
          .where("m.id", ">=", fromId)
          .where("m.id", "<=", upTo)
          .orderBy("m.id")
          .limit(limit),
      )
      .orderBy("id"),
  );
  const newestReadOwn = preparedQuery(db, (userId: number, friendId: number, from: number) =>
    shownInPrivateChat(db, userId, friendId, from)
      .where("m.sendId", "=", userId)
      .where("m.id", "<=", (eb) =>
        eb
          .selectFrom("privateChat")
          .select(toldPosition("privateChat").as("toldId"))
          .where("ownerId", "=", friendId)
          .where("peerId", "=", userId),
      )
      .orderBy("m.id", "desc")
      .limit(1),
  );

  async function startFirst(userId: number, window: PullWindow, cleared: number): Promise<number | null> {
    const windowFrom = Math.max(await pullStart(messageTimes, window), cleared + 1);
    return oldestOfNewest(userId, windowFrom, window.firstMax);
  }

  async function startNext(userId: number, window: PullWindow, cleared: number): Promise<number | null> {
    const fromId = await pullStart(messageTimes, window);
    return (await firstOfChats(userId, Math.max(fromId, cleared + 1))).rows[0]?.id ?? null;
  }

  return {
    seesPrivateQuote: privateQuotes(db),
    async listPrivate(userId, fromId, upTo, limit) {
      const first = Math.max(fromId, (await clearedUpTo(userId)) + 1);
      return toRows((await rowsOf(userId, first, upTo, limit)).rows);
    },
    async maxReadedId(userId, friendId) {
      return (await newestReadOwn(userId, friendId, (await clearedUpTo(userId)) + 1)).rows[0]?.id ?? -1;
    },
    async startPrivatePull(userId, window) {
      const upTo = (await newestUpTo(Number.MAX_SAFE_INTEGER))?.id ?? 0;
      const cleared = await clearedUpTo(userId);
      // All of them begin at the first of a chat, which is found without reading the others.
      const isNewest = window.minId === 0 && window.firstMax < Number.MAX_SAFE_INTEGER;
      const first = isNewest
        ? await startFirst(userId, window, cleared)
        : await startNext(userId, window, cleared);
      // A row committed during these reads has a higher id than `upTo`. It is pushed, and the next pull
      // contains it.
      const fromId = first === null || first > upTo ? upTo + 1 : first;
      const after = Math.max(window.minId, cleared);
      const isTruncated = fromId > after + 1 && (await anyOmitted(userId, after, fromId)).rows.length > 0;
      return { fromId, upTo, isTruncated };
    },
  };
}
