import type { PrivateMessageStore } from "../../ports/private-message-store.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { Kysely, Selectable } from "kysely";
import type { GroupMessageStore, GroupSearch } from "../../ports/group-message-store.ts";
import type { PrivateSearch } from "../../ports/private-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { Found, MessageSearch } from "../../ports/stored-message.ts";
import type { GroupMessageTable } from "./group-tables.ts";
import { isVisibleInGroup, isWithin, visibleRanges } from "./group-visibility.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import { groupMessageVersions } from "./group-message-versions.ts";
import { visibleGroupRows, privateRows } from "./message-rows.ts";
import { type IndexedMessages, searchTag } from "./search-backfill.ts";
import type { IndexQuery, SearchIndex } from "./search-index.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { clearedPositions, isVisibleTo } from "./private-visibility.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";

/** Maximum number of rows that one scan reads, so that no search blocks the server for long. */
const SCANNED_ROWS_MAX = 1_500;
/** Rows read in one turn of the event loop. */
const ROWS_PER_TURN = 128;

/** The matches of a scan, newest first, and where it stopped at the limit. */
interface Scan<Stored> {
  rows: Stored[];
  scannedRows: number;
  /** The last id that was read, if the limit ended the scan. */
  cutAt: number | null;
}

interface SearchSource {
  index: SearchIndex;
  /** Brings the index up to the newest message. */
  catchUp(): Promise<void>;
}

/** What differs between searches in private and group messages. */
interface SearchScope<Search, Stored, Row> extends SearchSource {
  table: IndexedMessages["table"];
  /** Index tags of which a message must have one from each list; undefined: no message can match. */
  tagsOf(userId: number, search: Search): Promise<string[][] | undefined>;
  clearedUpTo(userId: number): Promise<number>;
  firstIdAt(time: number): Promise<number>;
  /** Those of these messages that the person sees, with the texts that they may see, newest first. */
  visibleRows(userId: number, ids: readonly number[]): Promise<Stored[]>;
  toRows(userId: number, stored: readonly Stored[]): Promise<Row[]>;
}

/** Search in a person's private messages. */
export function privateSearch(
  db: Kysely<Tables>,
  searchSource: SearchSource,
): Pick<PrivateMessageStore, "searchPrivate"> {
  const toRows = privateRows(db);
  const chatOf = preparedQuery(db, (ownerId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", ownerId).where("peerId", "=", peerId),
  );
  const searchPrivate = createSearch<PrivateSearch, Selectable<PrivateMessageTable>, RowOf<"searchPrivate">>({
    ...searchSource,
    table: "privateMessage",
    async tagsOf(userId, { friendId }) {
      const person = [searchTag.person(userId)];
      if (friendId === undefined) return [person];
      const [chat] = (await chatOf(userId, friendId)).rows;
      return chat && [person, [searchTag.chat(chat.chatId)]];
    },
    clearedUpTo: clearedPositions(db),
    firstIdAt: monotonicTime(db, "privateMessage").firstIdAt,
    visibleRows: (userId, ids) =>
      db
        .selectFrom("privateMessage as m")
        .selectAll("m")
        .where("m.id", "in", [...ids])
        .where(isVisibleTo(userId))
        .orderBy("m.id", "desc")
        .execute(),
    toRows: (_, stored) => toRows(stored),
  });
  return { searchPrivate };
}

/** Search in the group messages that a person sees. */
export function groupSearch(
  db: Kysely<Tables>,
  searchSource: SearchSource,
): Pick<GroupMessageStore, "searchGroupMessages"> {
  const ranges = visibleRanges(db);
  const { asSeen } = groupMessageVersions(db);
  const searchGroupMessages = createSearch<
    GroupSearch,
    Selectable<GroupMessageTable>,
    RowOf<"searchGroupMessages">
  >({
    ...searchSource,
    table: "groupMessage",
    async tagsOf(userId, { groupId }) {
      const groups = [...(await ranges.everywhere(userId)).keys()];
      const searched = groupId === undefined ? groups : groups.filter((id) => id === groupId);
      return searched.length === 0 ? undefined : [searched.map(searchTag.chat)];
    },
    clearedUpTo: ranges.clearedUpTo,
    firstIdAt: monotonicTime(db, "groupMessage").firstIdAt,
    async visibleRows(userId, ids) {
      const visible = await ranges.everywhere(userId);
      const rows = await db
        .selectFrom("groupMessage as m")
        .selectAll("m")
        .where("m.id", "in", [...ids])
        .where(isVisibleInGroup(userId))
        .orderBy("m.id", "desc")
        .execute();
      return asSeen(
        userId,
        rows.filter((row) => isWithin(visible.get(row.groupId) ?? [], row.id)),
      );
    },
    toRows: visibleGroupRows(db),
  });
  return { searchGroupMessages };
}

type RowOf<Name extends "searchPrivate" | "searchGroupMessages"> = Awaited<
  ReturnType<Store[Name]>
>["rows"][number];

/** Creates a search: the index finds candidates, and `matches` decides. */
function createSearch<
  Search extends MessageSearch,
  Stored extends { id: number; type: number; content: string },
  Row extends { id: number },
>(searchScope: SearchScope<Search, Stored, Row>): (userId: number, search: Search) => Promise<Found<Row>> {
  const { index, firstIdAt } = searchScope;

  /** The query for the index; undefined: nothing can be found. */
  async function indexQueryOf(userId: number, search: Search): Promise<IndexQuery | undefined> {
    const terms = queryTerms(search.text);
    const isListing = search.text === "" && search.types !== undefined;
    if ((terms.length === 0 && !isListing) || search.types?.length === 0) return undefined;
    const tags = await searchScope.tagsOf(userId, search);
    if (tags === undefined) return undefined;
    if (search.sendId !== undefined) tags.push([searchTag.sender(search.sendId)]);
    if (search.types !== undefined) tags.push(search.types.map(searchTag.type));
    const cleared = await searchScope.clearedUpTo(userId);
    const since = search.from === undefined ? 0 : await firstIdAt(search.from);
    const toId = search.to === undefined ? Number.MAX_SAFE_INTEGER : (await firstIdAt(search.to + 1)) - 1;
    return { terms, tags, fromId: Math.max(cleared + 1, since), toId, limit: SCANNED_ROWS_MAX };
  }

  /** A row that was damaged after it was indexed matches nothing, so that it hides no other. */
  function isMatch({ id, type, content }: Stored, text: string): boolean {
    if (text === "") return true;
    try {
      return matches(searchableContent(type, content), text);
    } catch (error) {
      reportUnreadableRow(searchScope.table, id, error);
      return false;
    }
  }

  async function scan(userId: number, text: string, query: IndexQuery, max: number): Promise<Scan<Stored>> {
    const ids = await index.find(query);
    const rows: Stored[] = [];
    let scannedRows = 0;
    for (let start = 0; start < ids.length && rows.length < max; start += ROWS_PER_TURN) {
      const chunk = ids.slice(start, start + ROWS_PER_TURN);
      scannedRows += chunk.length;
      const [batch = []] = inBatches(chunk);
      for (const row of await searchScope.visibleRows(userId, batch)) {
        if (rows.length < max && isMatch(row, text)) rows.push(row);
      }
      await nextTurn();
    }
    const isCut = rows.length < max && ids.length === query.limit;
    return { rows, scannedRows, cutAt: isCut ? (ids.at(-1) ?? null) : null };
  }

  return async (userId, search) => {
    await searchScope.catchUp();
    const query = await indexQueryOf(userId, search);
    if (query === undefined) return { rows: [], total: 0, next: null, scannedRows: 0 };
    const { text, size, totalMax, below } = search;
    const wholeScan = await scan(userId, text, query, totalMax);
    const page =
      below === undefined
        ? wholeScan
        : await scan(userId, text, { ...query, toId: Math.min(query.toId, below - 1) }, size + 1);
    const rows = page.rows.slice(0, size);
    return {
      rows: await searchScope.toRows(userId, rows),
      total: wholeScan.rows.length,
      next: page.rows.length > size ? (rows.at(-1)?.id ?? null) : page.cutAt,
      scannedRows: page === wholeScan ? wholeScan.scannedRows : wholeScan.scannedRows + page.scannedRows,
    };
  };
}
