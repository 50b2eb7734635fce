import { setImmediate as nextTurn } from "node:timers/promises";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { searchedText } from "@parley/protocol/searched-text";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageStore, GroupSearch } from "../../ports/group-messages.ts";
import type { Found, MessageSearch, PrivateSearch, Store } from "../../ports/store.ts";
import type { GroupMessageTable } from "./group-tables.ts";
import { isShownInGroup, isWithin, seenRanges } from "./group-visible.ts";
import { pieces, prepared } from "./prepared.ts";
import { groupVersions } from "./group-versions.ts";
import { groupRowsSeen, privateRows } from "./rows.ts";
import { mark } from "./search-filler.ts";
import type { IndexQuery, SearchIndex } from "./search-index.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";
import { clearedMarks, isShownTo } from "./visible.ts";

/** Rows looked at in one scan: a search never holds the server up for long, whatever it asks. */
const EXAMINED_MAX = 1_500;
/** Rows looked at in one turn of the event loop. */
const TURN_ROWS = 128;

/** What a scan found, the newest first, and where it had to give up. */
interface Scan<Stored> {
  rows: Stored[];
  examined: number;
  /** The last id looked at when there was more to look at than is allowed. */
  cutAt: number | null;
}

/** `catchUp` brings the index up to the newest message. */
interface Index {
  index: SearchIndex;
  catchUp(): Promise<void>;
}

/** What tells a search among one kind of messages from one among another. */
interface Searched<Search, Stored, Row> extends Index {
  /** Marks that a message must have, one of each list, to be in question at all; undefined: none can be. */
  marksOf(userId: number, search: Search): Promise<string[][] | undefined>;
  clearedUpTo(userId: number): Promise<number>;
  firstIdAt(time: number): Promise<number>;
  /** Those of these that the person sees, with the words that the person was there for, the newest first. */
  shown(userId: number, ids: readonly number[]): Promise<Stored[]>;
  toRows(userId: number, stored: readonly Stored[]): Promise<Row[]>;
}

export function privateSearch(db: Kysely<Tables>, index: Index): Pick<Store, "searchPrivate"> {
  const toRows = privateRows(db);
  const chatOf = prepared(db, (ownerId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", ownerId).where("peerId", "=", peerId),
  );
  const searchPrivate = searching<PrivateSearch, Selectable<PrivateMessageTable>, RowOf<"searchPrivate">>({
    ...index,
    async marksOf(userId, { friendId }) {
      const person = [mark.person(userId)];
      if (friendId === undefined) return [person];
      const [chat] = (await chatOf(userId, friendId)).rows;
      return chat && [person, [mark.chat(chat.chatId)]];
    },
    clearedUpTo: clearedMarks(db),
    firstIdAt: timeLine(db, "privateMessage").firstIdAt,
    shown: (userId, ids) =>
      db
        .selectFrom("privateMessage as m")
        .selectAll("m")
        .where("m.id", "in", [...ids])
        .where(isShownTo(userId))
        .orderBy("m.id", "desc")
        .execute(),
    toRows: (_, stored) => toRows(stored),
  });
  return { searchPrivate };
}

export function groupSearch(
  db: Kysely<Tables>,
  index: Index,
): Pick<GroupMessageStore, "searchGroupMessages"> {
  const ranges = seenRanges(db);
  const { asSeen } = groupVersions(db);
  const searchGroupMessages = searching<
    GroupSearch,
    Selectable<GroupMessageTable>,
    RowOf<"searchGroupMessages">
  >({
    ...index,
    async marksOf(userId, { groupId }) {
      const groups = [...(await ranges.everywhere(userId)).keys()];
      const asked = groupId === undefined ? groups : groups.filter((id) => id === groupId);
      return asked.length === 0 ? undefined : [asked.map(mark.chat)];
    },
    clearedUpTo: ranges.clearedUpTo,
    firstIdAt: timeLine(db, "groupMessage").firstIdAt,
    async shown(userId, ids) {
      const seen = await ranges.everywhere(userId);
      const rows = await db
        .selectFrom("groupMessage as m")
        .selectAll("m")
        .where("m.id", "in", [...ids])
        .where(isShownInGroup(userId))
        .orderBy("m.id", "desc")
        .execute();
      return asSeen(
        userId,
        rows.filter((row) => isWithin(seen.get(row.groupId) ?? [], row.id)),
      );
    },
    toRows: groupRowsSeen(db),
  });
  return { searchGroupMessages };
}

type RowOf<Name extends "searchPrivate" | "searchGroupMessages"> = Awaited<
  ReturnType<Store[Name]>
>["rows"][number];

/** The index finds candidates, `matches` decides. */
function searching<
  Search extends MessageSearch,
  Stored extends { id: number; type: number; content: string },
  Row extends { id: number },
>(searched: Searched<Search, Stored, Row>): (userId: number, search: Search) => Promise<Found<Row>> {
  const { index, firstIdAt } = searched;

  /** Undefined: nothing can be found. */
  async function questionOf(userId: number, search: Search): Promise<IndexQuery | undefined> {
    const terms = queryTerms(search.text);
    if (terms.length === 0 || search.types?.length === 0) return undefined;
    const marks = await searched.marksOf(userId, search);
    if (marks === undefined) return undefined;
    if (search.sendId !== undefined) marks.push([mark.sender(search.sendId)]);
    if (search.types !== undefined) marks.push(search.types.map(mark.type));
    const cleared = await searched.clearedUpTo(userId);
    const since = search.from === undefined ? 0 : await firstIdAt(search.from);
    const toId = search.to === undefined ? Number.MAX_SAFE_INTEGER : (await firstIdAt(search.to + 1)) - 1;
    return { terms, marks, fromId: Math.max(cleared + 1, since), toId, limit: EXAMINED_MAX };
  }

  async function scan(userId: number, text: string, query: IndexQuery, max: number): Promise<Scan<Stored>> {
    const ids = await index.find(query);
    const rows: Stored[] = [];
    let examined = 0;
    for (let start = 0; start < ids.length && rows.length < max; start += TURN_ROWS) {
      const part = ids.slice(start, start + TURN_ROWS);
      examined += part.length;
      const [piece = []] = pieces(part);
      for (const row of await searched.shown(userId, piece)) {
        if (rows.length < max && matches(searchedText(row.type, row.content), text)) rows.push(row);
      }
      await nextTurn();
    }
    const isCut = rows.length < max && ids.length === query.limit;
    return { rows, examined, cutAt: isCut ? (ids.at(-1) ?? null) : null };
  }

  return async (userId, search) => {
    await searched.catchUp();
    const query = await questionOf(userId, search);
    if (query === undefined) return { rows: [], total: 0, next: null, examined: 0 };
    const { text, size, totalMax, below } = search;
    const all = await scan(userId, text, query, totalMax);
    const page =
      below === undefined
        ? all
        : await scan(userId, text, { ...query, toId: Math.min(query.toId, below - 1) }, size + 1);
    const rows = page.rows.slice(0, size);
    return {
      rows: await searched.toRows(userId, rows),
      total: all.rows.length,
      next: page.rows.length > size ? (rows.at(-1)?.id ?? null) : page.cutAt,
      examined: page === all ? all.examined : all.examined + page.examined,
    };
  };
}
