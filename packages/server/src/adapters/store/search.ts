import { setImmediate as nextTurn } from "node:timers/promises";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { searchedText } from "@parley/protocol/searched-text";
import type { Kysely, Selectable } from "kysely";
import type { PrivateFound, PrivateSearch, Store } from "../../ports/store.ts";
import { pieces, prepared } from "./prepared.ts";
import { privateRows } from "./rows.ts";
import { mark } from "./search-filler.ts";
import type { IndexQuery, SearchIndex } from "./search-index.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";
import { clearedMarks, isShownTo } from "./visible.ts";

/** Rows looked at in one scan: a search never holds the server up for long, whatever it asks. */
const EXAMINED_MAX = 1_500;
/** Rows looked at in one turn of the event loop. */
const TURN_ROWS = 128;

const NOTHING: PrivateFound = { rows: [], total: 0, next: null, examined: 0 };

/** What a scan found, the newest first, and where it had to give up. */
interface Scan {
  rows: Selectable<PrivateMessageTable>[];
  examined: number;
  /** The last id looked at when there was more to look at than is allowed. */
  cutAt: number | null;
}

/** The index finds candidates, `matches` decides. `catchUp` brings the index up to the newest message. */
export function searchReads(
  db: Kysely<Tables>,
  index: SearchIndex,
  catchUp: () => Promise<void>,
): Pick<Store, "searchPrivate"> {
  const toRows = privateRows(db);
  const clearedUpTo = clearedMarks(db);
  const { firstIdAt } = timeLine(db);
  const chatOf = prepared(db, (ownerId: number, peerId: number) =>
    db.selectFrom("privateChat").select("chatId").where("ownerId", "=", ownerId).where("peerId", "=", peerId),
  );

  /** Undefined: nothing can be found. */
  async function questionOf(userId: number, search: PrivateSearch): Promise<IndexQuery | undefined> {
    const terms = queryTerms(search.text);
    if (terms.length === 0 || search.types?.length === 0) return undefined;
    const marks = [[mark.person(userId)]];
    if (search.friendId !== undefined) {
      const [chat] = (await chatOf(userId, search.friendId)).rows;
      if (chat === undefined) return undefined;
      marks.push([mark.chat(chat.chatId)]);
    }
    if (search.sendId !== undefined) marks.push([mark.sender(search.sendId)]);
    if (search.types !== undefined) marks.push(search.types.map(mark.type));
    const cleared = await clearedUpTo(userId);
    const since = search.from === undefined ? 0 : await firstIdAt(search.from);
    const toId = search.to === undefined ? Number.MAX_SAFE_INTEGER : (await firstIdAt(search.to + 1)) - 1;
    return { terms, marks, fromId: Math.max(cleared + 1, since), toId, limit: EXAMINED_MAX };
  }

  async function scan(userId: number, text: string, query: IndexQuery, max: number): Promise<Scan> {
    const ids = await index.find(query);
    const rows: Scan["rows"] = [];
    let examined = 0;
    for (let start = 0; start < ids.length && rows.length < max; start += TURN_ROWS) {
      const part = ids.slice(start, start + TURN_ROWS);
      examined += part.length;
      for (const row of await shown(userId, part)) {
        if (rows.length < max && matches(searchedText(row.type, row.content), text)) rows.push(row);
      }
      await nextTurn();
    }
    const isCut = rows.length < max && ids.length === query.limit;
    return { rows, examined, cutAt: isCut ? (ids.at(-1) ?? null) : null };
  }

  async function shown(userId: number, ids: readonly number[]) {
    const [piece = []] = pieces(ids);
    return db
      .selectFrom("privateMessage as m")
      .selectAll("m")
      .where("m.id", "in", piece)
      .where(isShownTo(userId))
      .orderBy("m.id", "desc")
      .execute();
  }

  return {
    async searchPrivate(userId, search) {
      await catchUp();
      const query = await questionOf(userId, search);
      if (query === undefined) return NOTHING;
      const { text, size, totalMax, below } = search;
      const all = await scan(userId, text, query, totalMax);
      const page =
        below === undefined
          ? all
          : await scan(userId, text, { ...query, toId: Math.min(query.toId, below - 1) }, size + 1);
      const rows = page.rows.slice(0, size);
      return {
        rows: await toRows(rows),
        total: all.rows.length,
        next: page.rows.length > size ? (rows.at(-1)?.id ?? null) : page.cutAt,
        examined: page === all ? all.examined : all.examined + page.examined,
      };
    },
  };
}
