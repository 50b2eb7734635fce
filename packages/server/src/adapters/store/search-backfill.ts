import { ChatType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { indexTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { Kysely } from "kysely";
import { kindOfChat } from "./message-rows.ts";
import { setMeta } from "./meta.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Tables } from "./tables.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";

/** Maximum rows and time of one batch: all other writes wait for it. */
const BATCH_ROWS = 256;
const BATCH_MS = 4;

/** Index entries that describe a message. They begin with "@", which no word of a text does. */
export const searchTag = {
  person: (id: number) => `@u${id}`,
  /** Terms contain no minus, so the ids of private chats, which are negative, have a letter of their own. */
  chat: (id: number) => (id < 0 ? `@p${-id}` : `@g${id}`),
  sender: (id: number) => `@s${id}`,
  type: (type: number) => `@t${type}`,
};

interface IndexedRow {
  id: number;
  type: number;
  content: string;
  tags: readonly string[];
}

/** The key in `meta` of the id up to which the index has every message. */
export const INDEXED_POSITION_KEY = "searchIndexedUpTo";

/**
 * Reads messages between two ids, both included. Private messages are tagged with the people who may read them; those of groups are not,
 * because the members change.
 */
function messagesBetween(
  db: Kysely<Tables>,
): (from: number, to: number, limit: number) => Promise<IndexedRow[]> {
  const find = preparedQuery(db, (from: number, to: number, limit: number) =>
    db
      .selectFrom("message")
      .select(["id", "chatId", "type", "sendId", "recvId", "content", "onlyFor"])
      .where("id", ">=", from)
      .where("id", "<=", to)
      .orderBy("id")
      .limit(limit),
  );
  return async (from, to, limit) =>
    (await find(from, to, limit)).rows.map((row) => {
      const readers = row.onlyFor === null ? [...new Set([row.sendId, row.recvId])] : [row.onlyFor];
      const people = kindOfChat(row) === ChatType.PRIVATE ? readers.map(searchTag.person) : [];
      return { ...row, tags: [...people, searchTag.chat(row.chatId), searchTag.sender(row.sendId)] };
    });
}

/** Keeps the index up to date. All functions must run inside a write, on its connection. */
export function searchBackfill(db: Kysely<Tables>, index: SearchIndex) {
  const indexedUpTo = indexedPosition(db);
  const between = messagesBetween(db);

  async function put(action: "insert" | "remove", row: IndexedRow): Promise<void> {
    const entry = entryOf(row);
    if (entry !== undefined) await index[action](row.id, entry.terms, entry.tags);
  }

  return {
    /** Indexes a batch of new messages. Returns whether there are more. */
    async fill(): Promise<boolean> {
      const end = performance.now() + BATCH_MS;
      const rows = await between((await indexedUpTo()) + 1, Number.MAX_SAFE_INTEGER, BATCH_ROWS);
      let last = 0;
      for (const row of rows) {
        await put("insert", row);
        last = row.id;
        if (performance.now() >= end) break;
      }
      if (last === 0) return false;
      await setMeta(db, INDEXED_POSITION_KEY, String(last));
      return last !== rows.at(-1)?.id || rows.length === BATCH_ROWS;
    },

    /** Indexes a row again that `change` changes. A row that is not indexed yet will be later, with its current content. */
    async reindex(id: number, change: () => Promise<void>): Promise<void> {
      if (id > (await indexedUpTo())) return change();
      for (const row of await between(id, id, 1)) await put("remove", row);
      await change();
      for (const row of await between(id, id, 1)) await put("insert", row);
    },
  };
}

/** What the index has of a message. */
interface IndexEntry {
  terms: string[];
  tags: string[];
}

/** Undefined for a message that no search finds. */
function entryOf({ id, type, content, tags }: IndexedRow): IndexEntry | undefined {
  const terms = termsOf(id, type, content);
  // Messages with files are listed by their kind alone.
  if (terms.length === 0 && kindOf(type)?.fileFields === undefined) return undefined;
  return { terms, tags: [...tags, searchTag.type(type)] };
}

/** An unreadable row gets no terms, so that it does not block the rows after it. */
function termsOf(id: number, type: number, content: string): string[] {
  try {
    return indexTerms(searchableContent(type, content));
  } catch (error) {
    reportUnreadableRow("message", id, error);
    return [];
  }
}

/**
 * Indexes all messages of a database that nobody else uses, in one transaction. `insertAll` puts a batch into the empty index, by the ids of the
 * messages.
 */
export async function indexAll(
  db: Kysely<Tables>,
  insertAll: (entries: ReadonlyMap<number, IndexEntry>) => Promise<void>,
): Promise<void> {
  const between = messagesBetween(db);
  let last = 0;
  for (;;) {
    const rows = await between(last + 1, Number.MAX_SAFE_INTEGER, BATCH_ROWS);
    if (rows.length === 0) break;
    const entries = new Map<number, IndexEntry>();
    for (const row of rows) {
      const entry = entryOf(row);
      if (entry !== undefined) entries.set(row.id, entry);
      last = row.id;
    }
    await insertAll(entries);
  }
  if (last > 0) await setMeta(db, INDEXED_POSITION_KEY, String(last));
}

/** Returns a function that reads the id up to which the index has every message. */
export function indexedPosition(db: Kysely<Tables>): () => Promise<number> {
  const find = preparedQuery(db, () =>
    db.selectFrom("meta").select("value").where("key", "=", INDEXED_POSITION_KEY),
  );
  return async () => Number((await find()).rows[0]?.value ?? 0);
}
