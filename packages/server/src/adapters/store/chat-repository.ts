import type { PrivateMessageReads, PrivateMessageWrites } from "../../ports/private-message-store.ts";
import { ChatType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { ReadPositions } from "../../ports/change-store.ts";
import { changeCounter } from "./change-counter.ts";
import { nextId } from "./next-id.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/**
 * How far the owner of this row of `privateChat` has read, as far as the peer was told: -1 if one of the two has switched read receipts off,
 * or without a row.
 */
export function toldPosition(row: string) {
  const column = (name: "ownerId" | "peerId" | "readId" | "toldId") => sql.ref(`${row}.${name}`);
  return sql<number>`case when ${column("ownerId")} <> ${column("peerId")} and exists (
      select 1 from "user" where "id" in (${column("ownerId")}, ${column("peerId")}) and "readReceipts" = 0
    ) then -1 else coalesce(${column("toldId")}, ${column("readId")}, -1) end`;
}

/** Selects the read positions of both people of private chats, as the row `own` sees them. */
export function readPairs(db: Kysely<Tables>) {
  return db
    .selectFrom("privateChat as own")
    .innerJoin("privateChat as other", (join) =>
      join.onRef("other.ownerId", "=", "own.peerId").onRef("other.peerId", "=", "own.ownerId"),
    )
    .select(["own.peerId as targetId", "own.readId as mine", toldPosition("other").as("theirs")]);
}

/** Turns a selected row into read positions of the port. */
export function toPositions(row: { targetId: number; mine: number; theirs: number }): ReadPositions {
  return { type: ChatType.PRIVATE, ...row };
}

/** Up to this many friends are looked up one by one; for more, all chats of the person are read. */
const SINGLE_READS_MAX = 10;

/** Reads the read positions of private chats. */
export function chatReads(db: Kysely<Tables>): Pick<PrivateMessageReads, "privateReadPositions"> {
  const allPositions = preparedQuery(db, (userId: number) => readPairs(db).where("own.ownerId", "=", userId));
  const positionsWith = preparedQuery(db, (userId: number, peerId: number) =>
    readPairs(db).where("own.ownerId", "=", userId).where("own.peerId", "=", peerId),
  );

  return {
    async privateReadPositions(userId, friendIds) {
      if (friendIds === undefined) return (await allPositions(userId)).rows.map(toPositions);
      const positions = new Map<number, ReadPositions>();
      if (friendIds.length > SINGLE_READS_MAX) {
        for (const row of (await allPositions(userId)).rows) positions.set(row.targetId, toPositions(row));
      } else {
        for (const friendId of friendIds) {
          const [row] = (await positionsWith(userId, friendId)).rows;
          if (row !== undefined) positions.set(friendId, toPositions(row));
        }
      }
      return friendIds.map(
        (targetId) => positions.get(targetId) ?? toPositions({ targetId, mine: -1, theirs: -1 }),
      );
    },
  };
}

/** The writes of this file. */
export type ChatWrites = Pick<PrivateMessageWrites, "raisePrivateRead"> & {
  /** Returns the chat id that both sides share; creates the chat if it does not exist yet. */
  openChat(userId: number, peerId: number): Promise<number>;
};

/** Writes private chats and their read positions. */
export function chatWrites(db: Kysely<Tables>): ChatWrites {
  const nextChange = changeCounter(db);
  const findChatId = preparedQuery(db, (ownerId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", ownerId).where("peerId", "=", peerId),
  );
  const raiseTold = preparedQuery(db, (ownerId: number, peerId: number, readId: number) =>
    db
      .updateTable("privateChat")
      .set({ readId, toldId: null })
      .where("ownerId", "=", ownerId)
      .where("peerId", "=", peerId)
      .where("readId", "<", readId),
  );
  const raiseUntold = preparedQuery(db, (ownerId: number, peerId: number, readId: number) =>
    db
      .updateTable("privateChat")
      .set((eb) => ({ readId, toldId: eb.fn.coalesce("toldId", "readId") }))
      .where("ownerId", "=", ownerId)
      .where("peerId", "=", peerId)
      .where("readId", "<", readId),
  );
  const withoutReceipts = preparedQuery(db, (userId: number, peerId: number) =>
    db.selectFrom("user").select("id").where("id", "in", [userId, peerId]).where("readReceipts", "=", 0),
  );
  const setChanged = preparedQuery(db, (ownerId: number, peerId: number, changed: number) =>
    db
      .updateTable("privateChat")
      .set({ changed })
      .where("ownerId", "=", ownerId)
      .where("peerId", "=", peerId),
  );

  async function openChat(userId: number, peerId: number): Promise<number> {
    const [existing] = (await findChatId(userId, peerId)).rows;
    if (existing !== undefined) return existing.chatId;
    const id = await nextId(db, "privateChat");
    const side = { id, ownerId: userId, peerId, chatId: -id, readId: -1, toldId: null, changed: 0 };
    const sides =
      userId === peerId ? [side] : [side, { ...side, id: id + 1, ownerId: peerId, peerId: userId }];
    await db.insertInto("privateChat").values(sides).execute();
    return side.chatId;
  }

  return {
    openChat,
    async raisePrivateRead(userId, friendId, messageId) {
      await openChat(userId, friendId);
      const isTold = userId === friendId || (await withoutReceipts(userId, friendId)).rows.length === 0;
      const raise = isTold ? raiseTold : raiseUntold;
      const { numAffectedRows } = await raise(userId, friendId, messageId);
      if (numAffectedRows === 0n) return "notMoved";
      // The lower id first, so that two nodes that update the same two people cannot deadlock.
      for (const ownerId of isTold ? [...new Set([userId, friendId])].sort((a, b) => a - b) : [userId]) {
        await setChanged(ownerId, ownerId === userId ? friendId : userId, await nextChange(ownerId));
      }
      return isTold ? "told" : "untold";
    },
  };
}

/** Maximum number of pairs of people whose chat id is cached. */
const CACHED_CHATS_MAX = 65_536;

/** The ids of private chats that were looked up since the last rollback. A chat keeps its id. */
export class PrivateChatIds {
  readonly #ids = new Map<string, number>();
  readonly #open: ChatWrites["openChat"];

  constructor(openChat: ChatWrites["openChat"]) {
    this.#open = openChat;
  }

  /** Undefined if it was not looked up yet. */
  find(sendId: number, recvId: number): number | undefined {
    return this.#ids.get(`${sendId}:${recvId}`);
  }

  /** Looks the id up, and creates the chat if these two have none. */
  async open(sendId: number, recvId: number): Promise<number> {
    const chatId = await this.#open(sendId, recvId);
    if (this.#ids.size >= CACHED_CHATS_MAX) this.#ids.clear();
    this.#ids.set(`${sendId}:${recvId}`, chatId);
    return chatId;
  }

  clear(): void {
    this.#ids.clear();
  }
}
