import { setImmediate as nextTurn } from "node:timers/promises";
import { ChatType, RequestStatus, EVERYONE } from "@parley/protocol/codes";
import { MISSED_CALL_RESULTS } from "@parley/protocol/alert-level";
import { KINDS, type Kind } from "@parley/protocol/message";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type {
  FirstChatReads,
  FirstChatRow,
  FirstChatState,
  FirstChatsWindow,
} from "../../ports/first-chats-store.ts";
import { toldPosition } from "./chat-repository.ts";
import { isVisibleInGroup, visibleRanges } from "./group-visibility.ts";
import { isShownTo } from "./message-visibility.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { oldestOfNewestPrivate, visiblePrivateIds } from "./private-message-repository.ts";
import { clearedPositions } from "./private-visibility.ts";
import { systemMessageReads } from "./system-message-repository.ts";
import type { MessageTable, Tables } from "./tables.ts";
import { visibilities } from "./visibility.ts";

const KIND_ENTRIES = Object.entries(KINDS).map(([type, kind]): [number, Kind] => [Number(type), kind]);
const typesWith = (isWanted: (kind: Kind) => boolean) =>
  KIND_ENTRIES.filter(([, kind]) => kind.stored && isWanted(kind)).map(([type]) => type);
/** Rows that no list shows, and that do not move a chat up. */
const TYPES_WITHOUT_PREVIEW = typesWith((kind) => kind.preview === null);
const NEVER_UNREAD_TYPES = typesWith((kind) => kind.unread === false);
const CALL_TYPES = typesWith((kind) => kind.unread === "missed");
const REQUEST_TYPES = typesWith((kind) => kind.isRequest === true);
/** Unread requests that the system chat is read up to; more than this is not counted. */
const SYSTEM_ROWS_MAX = 500;

type WithMessage = ExpressionBuilder<Tables & { m: MessageTable }, "m">;

/** The higher of a column and a number. Both databases have a function for it, under different names. */
const atLeast = (column: string, number: number) =>
  sql<number>`case when ${sql.ref(column)} > ${number} then ${sql.ref(column)} else ${number} end`;

/** The condition that a row `m` counts as unread for this person, whatever they have read (`countsAsUnread`). */
function countsFor(eb: WithMessage, userId: number): Expression<SqlBool> {
  const isMissed = sql<SqlBool>`(${sql.join(
    [...MISSED_CALL_RESULTS].map((result) => sql`${sql.ref("m.act")} like ${`%"result":"${result}"%`}`),
    sql` or `,
  )})`;
  return eb.and([
    eb("m.sendId", "!=", userId),
    eb("m.noticeId", "is", null),
    eb("m.type", "not in", NEVER_UNREAD_TYPES),
    eb.or([eb("m.type", "not in", CALL_TYPES), isMissed]),
  ]);
}

/** Reads the top of the chat list. */
export function firstChatReads(db: Kysely<Tables>): FirstChatReads {
  const { PRIVATE, GROUP } = visibilities(db);
  const system = systemMessageReads(db);
  const clearedPrivate = clearedPositions(db);
  const ranges = visibleRanges(db);
  const oldestOfNewest = oldestOfNewestPrivate(db);
  const { firstIdAt } = monotonicTime(db);

  /** A row of each private chat, in one look-up in the index of chats each; sorted and limited before anything else is read. */
  async function newestPrivate(userId: number, fromId: number, limit: number) {
    return db
      .selectFrom((outer) =>
        outer
          .selectFrom("privateChat as c")
          .select(["c.peerId", "c.readId"])
          .select((chat) =>
            chat
              .selectFrom("message as m")
              .select("m.id")
              .whereRef("m.chatId", "=", "c.chatId")
              .where("m.id", ">=", fromId)
              .where(isShownTo(userId))
              .where("m.type", "not in", TYPES_WITHOUT_PREVIEW)
              .orderBy("m.id", "desc")
              .limit(1)
              .as("lastId"),
          )
          .where("c.ownerId", "=", userId)
          .as("newest"),
      )
      .innerJoin("message as row", "row.id", "newest.lastId")
      .leftJoin("friend as f", (join) =>
        join.on("f.ownerId", "=", userId).onRef("f.friendId", "=", "newest.peerId"),
      )
      .selectAll("row")
      .select(["newest.peerId as targetId", "newest.readId as mine"])
      .select(["f.isTop", "f.msgRemind", "f.remarkNickName as remark"])
      .orderBy((eb) => eb.fn.coalesce("f.isTop", sql<number>`0`), "desc")
      .orderBy("row.id", "desc")
      .limit(limit)
      .execute();
  }

  /** The first of the rows that a pull would send, if there are more than `max` from this id on; else this id. */
  async function privateStart(userId: number, fromId: number, max: number): Promise<number> {
    const ids = visiblePrivateIds(db, userId).where("m.id", ">=", fromId);
    // Counting ends at the limit, and most people have fewer; only the others pay for the sorting.
    const { count } = await db
      .selectFrom(ids.limit(max + 1).as("some"))
      .select((eb) => eb.fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) <= max) return fromId;
    return (await oldestOfNewest(userId, fromId, max)) ?? fromId;
  }

  async function privateState(userId: number, peerIds: readonly number[], fromId: number, unreadMax: number) {
    const unreadOf = (eb: ExpressionBuilder<Tables & { c: Tables["privateChat"] }, "c">) =>
      eb
        .selectFrom("message as m")
        .select("m.id")
        .whereRef("m.chatId", "=", "c.chatId")
        .where("m.id", ">", atLeast("c.readId", fromId - 1))
        .where(isShownTo(userId))
        .where((row) => countsFor(row as unknown as WithMessage, userId));
    return db
      .selectFrom("privateChat as c")
      .leftJoin("privateChat as other", (join) =>
        join.onRef("other.ownerId", "=", "c.peerId").onRef("other.peerId", "=", "c.ownerId"),
      )
      .select(["c.peerId as targetId", toldPosition("other").as("theirs")])
      .select((eb) => [
        eb
          .selectFrom(unreadOf(eb).limit(unreadMax).as("some"))
          .select((of) => of.fn.countAll<number | string>().as("count"))
          .as("unread"),
        unreadOf(eb).orderBy("m.id").limit(1).as("firstUnreadId"),
      ])
      .where("c.ownerId", "=", userId)
      .where("c.peerId", "in", peerIds)
      .execute();
  }

  async function listPrivate(userId: number, window: FirstChatsWindow): Promise<FirstChatRow[]> {
    const windowStart = await firstIdAt(window.notBefore);
    const start = Math.max(windowStart, (await clearedPrivate(userId)) + 1);
    let found = await newestPrivate(userId, start, window.limit);
    if (found.length === 0) return [];
    const lowest = Math.min(...found.map((row) => row.id));
    const pulledFrom = await privateStart(userId, lowest, window.privateMax);
    found = found.filter((row) => row.id >= pulledFrom);
    const states = await privateState(
      userId,
      found.map((row) => row.targetId),
      start,
      window.unreadMax,
    );
    const stateOf = new Map(states.map((state) => [state.targetId, state]));
    const rows = await PRIVATE.toRows(
      userId,
      found.map(({ targetId: _, mine: _m, isTop: _t, msgRemind: _r, remark: _n, ...row }) => row),
    );
    return found.flatMap(({ targetId, mine, isTop, msgRemind, remark }, at) => {
      const [state, row] = [stateOf.get(targetId), rows[at]];
      if (state === undefined || row === undefined) return [];
      const isSelf = targetId === userId;
      const chat: FirstChatState = {
        targetId,
        remark,
        isTop: isTop === 1,
        msgRemind,
        mine,
        theirs: state.theirs,
        // Notes to oneself are always read.
        unread: isSelf ? 0 : Number(state.unread),
        firstUnreadId: isSelf ? null : state.firstUnreadId,
        atMe: false,
        atAll: false,
      };
      return { type: ChatType.PRIVATE, ...chat, row };
    });
  }

  async function newestInGroups(userId: number, fromId: number, limit: number) {
    return db
      .selectFrom((outer) =>
        outer
          .selectFrom((inner) =>
            inner
              .selectFrom("groupStay as s")
              .select("s.groupId")
              .select((stay) =>
                stay
                  .selectFrom("message as m")
                  .select("m.id")
                  .whereRef("m.chatId", "=", "s.groupId")
                  .where("m.id", ">", atLeast("s.fromId", fromId - 1))
                  .where(
                    "m.id",
                    "<=",
                    sql<number>`coalesce(${sql.ref("s.toId")}, ${Number.MAX_SAFE_INTEGER})`,
                  )
                  .where(isVisibleInGroup(userId))
                  .where("m.type", "not in", TYPES_WITHOUT_PREVIEW)
                  .orderBy("m.id", "desc")
                  .limit(1)
                  .as("lastId"),
              )
              .where("s.userId", "=", userId)
              .as("stay"),
          )
          .select("stay.groupId")
          .select((eb) => eb.fn.max<number>("stay.lastId").as("lastId"))
          .groupBy("stay.groupId")
          .as("newest"),
      )
      .innerJoin("message as row", "row.id", "newest.lastId")
      .innerJoin("groupMember as member", (join) =>
        join.onRef("member.groupId", "=", "newest.groupId").on("member.userId", "=", userId),
      )
      .leftJoin("groupRead as read", (join) =>
        join.onRef("read.groupId", "=", "newest.groupId").on("read.userId", "=", userId),
      )
      .selectAll("row")
      .select(["member.isTop", "member.msgRemind", "member.remarkGroupName as remark", "read.readId as mine"])
      .orderBy("member.isTop", "desc")
      .orderBy("row.id", "desc")
      .limit(limit)
      .execute();
  }

  /** What counts as unread among the newest rows that a pull would send. */
  async function groupState(
    userId: number,
    groupIds: readonly number[],
    fromId: number,
    { unreadMax, groupMax }: FirstChatsWindow,
  ) {
    type Member = ExpressionBuilder<
      Tables & { member: Tables["groupMember"]; read: Tables["groupRead"] },
      "member" | "read"
    >;
    const unreadOf = (eb: Member) =>
      eb
        .selectFrom("groupStay as s")
        .innerJoin("message as m", "m.chatId", "s.groupId")
        .select(["m.id", "m.atUserIds"])
        .whereRef("s.groupId", "=", "member.groupId")
        .where("s.userId", "=", userId)
        .whereRef("m.id", ">", "s.fromId")
        .where("m.id", "<=", sql<number>`coalesce(${sql.ref("s.toId")}, ${Number.MAX_SAFE_INTEGER})`)
        .where("m.id", ">", atLeast("read.readId", fromId - 1))
        .where(isVisibleInGroup(userId))
        .where((row) => countsFor(row as unknown as WithMessage, userId));
    /** Whether the JSON array of mentions holds this id. */
    const lists = (id: number) =>
      sql<SqlBool>`',' || substr("some"."atUserIds", 2, length("some"."atUserIds") - 2) || ',' like ${`%,${id},%`}`;
    const countOf = (condition: Expression<SqlBool>) => sql`sum(case when ${condition} then 1 else 0 end)`;
    const [me, all] = [lists(userId), lists(EVERYONE)];
    const found = await db
      .selectFrom("groupMember as member")
      .leftJoin("groupRead as read", (join) =>
        join.onRef("read.groupId", "=", "member.groupId").onRef("read.userId", "=", "member.userId"),
      )
      .select("member.groupId as targetId")
      // One value, because each would read the rows again.
      .select((eb) =>
        eb
          .selectFrom(
            unreadOf(eb as unknown as Member)
              .orderBy("m.id", "desc")
              .limit(groupMax)
              .as("some"),
          )
          .select(
            sql<
              string | null
            >`count(*) || ',' || min("some"."id") || ',' || ${countOf(me)} || ',' || ${countOf(sql`${all} and not ${me}`)}`.as(
              "unread",
            ),
          )
          .as("unread"),
      )
      .where("member.userId", "=", userId)
      .where("member.groupId", "in", groupIds)
      .execute();
    return found.map(({ targetId, unread }) => {
      const [count = 0, firstId = 0, atMe = 0, atAll = 0] = (unread ?? "").split(",").map(Number);
      return {
        targetId,
        unread: Math.min(count, unreadMax),
        firstUnreadId: count === 0 ? null : firstId,
        atMe: atMe > 0,
        atAll: atAll > 0,
      };
    });
  }

  async function listGroups(userId: number, window: FirstChatsWindow): Promise<FirstChatRow[]> {
    const windowStart = await firstIdAt(window.notBefore);
    const start = Math.max(windowStart, (await ranges.clearedUpTo(userId)) + 1);
    const found = await newestInGroups(userId, start, window.limit);
    if (found.length === 0) return [];
    const states = await groupState(
      userId,
      found.map((row) => row.chatId),
      start,
      window,
    );
    const stateOf = new Map(states.map((state) => [state.targetId, state]));
    const stored = found.map(({ mine: _m, isTop: _t, msgRemind: _r, remark: _n, ...row }) => row);
    const rows = new Map((await GROUP.toRows(userId, stored)).map((row) => [row.id, row]));
    return found.flatMap(({ id, chatId: groupId, mine, isTop, msgRemind, remark }) => {
      const [state, row] = [stateOf.get(groupId), rows.get(id)];
      if (state === undefined || row === undefined) return [];
      const chat: FirstChatState = {
        targetId: groupId,
        remark,
        isTop: isTop === 1,
        msgRemind,
        mine: mine ?? -1,
        theirs: -1,
        unread: state.unread,
        firstUnreadId: state.firstUnreadId,
        atMe: state.atMe,
        atAll: state.atAll,
      };
      return { type: ChatType.GROUP, ...chat, row };
    });
  }

  /** The system chat. Whether a request in it is answered is in its content, so the unread rows are read. */
  async function listSystem(userId: number, { unreadMax }: FirstChatsWindow): Promise<FirstChatRow[]> {
    const mine = await system.systemReadPosition(userId);
    const state = await db
      .selectFrom("userState")
      .select("clearedSystem")
      .where("userId", "=", userId)
      .executeTakeFirst();
    const cleared = state?.clearedSystem ?? 0;
    const newest = db.selectFrom("systemMessage").where("userId", "=", userId).where("seqNo", ">", cleared);
    const last = await newest.select("seqNo").orderBy("seqNo", "desc").limit(1).executeTakeFirst();
    if (last === undefined) return [];
    const [row] = await system.listSystem(userId, last.seqNo - 1, 1);
    if (row === undefined) return [];
    const pinned = await newest
      .select("seqNo")
      .where("type", "in", REQUEST_TYPES)
      .limit(1)
      .executeTakeFirst();
    const unread = (await system.listSystem(userId, Math.max(mine, cleared), SYSTEM_ROWS_MAX)).filter(
      ({ type, content }) => !REQUEST_TYPES.includes(type) || isPending(content),
    );
    return [
      {
        type: ChatType.SYSTEM,
        targetId: 0,
        remark: null,
        isTop: pinned !== undefined,
        msgRemind: null,
        mine,
        theirs: -1,
        unread: Math.min(unread.length, unreadMax),
        firstUnreadId: unread[0]?.id ?? null,
        atMe: false,
        atAll: false,
        row,
      },
    ];
  }

  return {
    async listFirstChats(userId, window) {
      const chats = await listPrivate(userId, window);
      // Each part takes a while in SQLite.
      await nextTurn();
      chats.push(...(await listGroups(userId, window)));
      await nextTurn();
      chats.push(...(await listSystem(userId, window)));
      return chats.sort(compareChats).slice(0, window.limit);
    },
  };
}

/** Whether the request with this content waits for an answer. */
function isPending(content: string): boolean {
  return (JSON.parse(content) as { status: number }).status === RequestStatus.PENDING;
}

/** Pinned first, then newest first, then by key: the order of the clients. */
function compareChats(a: FirstChatRow, b: FirstChatRow): number {
  if (a.isTop !== b.isTop) return a.isTop ? -1 : 1;
  return b.row.sendTime - a.row.sendTime || (keyOf(a) < keyOf(b) ? -1 : 1);
}

function keyOf({ type, targetId }: FirstChatRow): string {
  return `${type}:${targetId}`;
}
