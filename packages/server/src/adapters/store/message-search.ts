import { setImmediate as nextTurn } from "node:timers/promises";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { Kysely } from "kysely";
import type { MessageStore, RowOf } from "../../ports/message-store.ts";
import type { ChatKind, Found, MessageSearch } from "../../ports/stored-message.ts";
import type { StoredRow } from "./message-rows.ts";
import { monotonicTime } from "./monotonic-time.ts";
import { inBatches } from "./prepared-query.ts";
import { searchTag } from "./search-backfill.ts";
import type { IndexQuery, SearchIndex } from "./search-index.ts";
import type { Tables } from "./tables.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";
import { type Visibility, visibilities } from "./visibility.ts";

/** Maximum number of rows that one scan reads, so that no search blocks the server for long. */
const SCANNED_ROWS_MAX = 1_500;
/** Rows read in one turn of the event loop. */
const ROWS_PER_TURN = 128;

/** The matches of a scan, newest first, and where it stopped at the limit. */
interface Scan {
  rows: StoredRow[];
  scannedRows: number;
  /** The last id that was read, if the limit ended the scan. */
  cutAt: number | null;
}

interface SearchSource {
  index: SearchIndex;
  /** Brings the index up to the newest message. */
  catchUp(): Promise<void>;
}

/** Search in the messages that a person sees. */
export function messageSearch(
  db: Kysely<Tables>,
  source: SearchSource,
): Pick<MessageStore, "searchMessages"> {
  const { PRIVATE, GROUP } = visibilities(db);
  const searches: { [Kind in ChatKind]: Search<Kind> } = {
    PRIVATE: createSearch(db, source, PRIVATE),
    GROUP: createSearch(db, source, GROUP),
  };
  return { searchMessages: (kind, userId, search) => searches[kind](userId, search) };
}

type Search<Kind extends ChatKind> = (userId: number, search: MessageSearch) => Promise<Found<RowOf<Kind>>>;

/** Creates a search: the index finds candidates, and `matches` decides. */
function createSearch<Kind extends ChatKind>(
  db: Kysely<Tables>,
  { index, catchUp }: SearchSource,
  visibility: Visibility<Kind>,
): Search<Kind> {
  const { firstIdAt } = monotonicTime(db);

  /** Those of these messages that the person sees, with the texts that they may see, newest first. */
  async function visibleRows(userId: number, ids: readonly number[]): Promise<readonly StoredRow[]> {
    const rows = await db
      .selectFrom("message as m")
      .selectAll("m")
      .where("m.id", "in", [...ids])
      .where(visibility.isShown(userId))
      .orderBy("m.id", "desc")
      .execute();
    return visibility.withSeenTexts(userId, await visibility.withinRanges(userId, rows));
  }

  /** The query for the index; undefined: nothing can be found. */
  async function indexQueryOf(userId: number, search: MessageSearch): Promise<IndexQuery | undefined> {
    const terms = queryTerms(search.text);
    const isListing = search.text === "" && search.types !== undefined;
    if ((terms.length === 0 && !isListing) || search.types?.length === 0) return undefined;
    const tags = await visibility.searchTags(userId, search.targetId);
    if (tags === undefined) return undefined;
    if (search.sendId !== undefined) tags.push([searchTag.sender(search.sendId)]);
    if (search.types !== undefined) tags.push(search.types.map(searchTag.type));
    const cleared = await visibility.clearedUpTo(userId);
    const since = search.from === undefined ? 0 : await firstIdAt(search.from);
    const toId = search.to === undefined ? Number.MAX_SAFE_INTEGER : (await firstIdAt(search.to + 1)) - 1;
    return { terms, tags, fromId: Math.max(cleared + 1, since), toId, limit: SCANNED_ROWS_MAX };
  }

  /** A row that was damaged after it was indexed matches nothing, so that it hides no other. */
  function isMatch({ id, type, content }: StoredRow, text: string): boolean {
    if (text === "") return true;
    try {
      return matches(searchableContent(type, content), text);
    } catch (error) {
      reportUnreadableRow("message", id, error);
      return false;
    }
  }

  async function scan(userId: number, text: string, query: IndexQuery, max: number): Promise<Scan> {
    const ids = await index.find(query);
    const rows: StoredRow[] = [];
    let scannedRows = 0;
    for (let start = 0; start < ids.length && rows.length < max; start += ROWS_PER_TURN) {
      const chunk = ids.slice(start, start + ROWS_PER_TURN);
      scannedRows += chunk.length;
      const [batch = []] = inBatches(chunk);
      for (const row of await visibleRows(userId, batch)) {
        if (rows.length < max && isMatch(row, text)) rows.push(row);
      }
      await nextTurn();
    }
    const isCut = rows.length < max && ids.length === query.limit;
    return { rows, scannedRows, cutAt: isCut ? (ids.at(-1) ?? null) : null };
  }

  return async (userId, search) => {
    await catchUp();
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
      rows: await visibility.toRows(userId, rows),
      total: wholeScan.rows.length,
      next: page.rows.length > size ? (rows.at(-1)?.id ?? null) : page.cutAt,
      scannedRows: page === wholeScan ? wholeScan.scannedRows : wholeScan.scannedRows + page.scannedRows,
    };
  };
}
