import { indexTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { Kysely } from "kysely";
import { preparedQuery } from "./prepared-query.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Tables } from "./tables.ts";
import { reportUnreadableRow } from "./unreadable-rows.ts";

/** Rows read at once, and how long they may take: everybody's writes wait behind them. */
const BATCH_ROWS = 256;
const BATCH_MS = 4;

/** Words that begin with "@" are no words of a text. */
export const searchTag = {
  person: (id: number) => `@u${id}`,
  /** The number of a private chat, or the id of a group. */
  chat: (id: number) => `@c${id}`,
  sender: (id: number) => `@s${id}`,
  type: (type: number) => `@t${type}`,
};

interface IndexedRow {
  id: number;
  type: number;
  content: string;
  tags: readonly string[];
}

/** The messages that one index holds. */
export interface IndexedMessages {
  table: "privateMessage" | "groupMessage";
  /** Of the entry that tells up to which id the index has every message. */
  metaKey: string;
  after(db: Kysely<Tables>, limit: number): (id: number) => Promise<IndexedRow[]>;
  one(db: Kysely<Tables>): (id: number) => Promise<IndexedRow[]>;
}

const COMMON = ["id", "type", "sendId", "content", "onlyFor"] as const;

export const PRIVATE_MESSAGES: IndexedMessages = {
  table: "privateMessage",
  metaKey: "searchIndexedUpTo",
  after: (db, limit) => {
    const find = preparedQuery(db, (id: number) =>
      privateColumns(db).where("id", ">", id).orderBy("id").limit(limit),
    );
    return async (id) => (await find(id)).rows.map(privateTags);
  },
  one: (db) => {
    const find = preparedQuery(db, (id: number) => privateColumns(db).where("id", "=", id));
    return async (id) => (await find(id)).rows.map(privateTags);
  },
};

const privateColumns = (db: Kysely<Tables>) =>
  db.selectFrom("privateMessage").select([...COMMON, "chatId", "recvId"]);

function privateTags(
  row: Omit<IndexedRow, "tags"> & { sendId: number; recvId: number; chatId: number; onlyFor: number | null },
): IndexedRow {
  const readers = row.onlyFor === null ? [...new Set([row.sendId, row.recvId])] : [row.onlyFor];
  return {
    ...row,
    tags: [...readers.map(searchTag.person), searchTag.chat(row.chatId), searchTag.sender(row.sendId)],
  };
}

/** Who sees them changes, so that is no mark. */
export const GROUP_MESSAGES: IndexedMessages = {
  table: "groupMessage",
  metaKey: "groupSearchIndexedUpTo",
  after: (db, limit) => {
    const find = preparedQuery(db, (id: number) =>
      groupColumns(db).where("id", ">", id).orderBy("id").limit(limit),
    );
    return async (id) => (await find(id)).rows.map(groupTags);
  },
  one: (db) => {
    const find = preparedQuery(db, (id: number) => groupColumns(db).where("id", "=", id));
    return async (id) => (await find(id)).rows.map(groupTags);
  },
};

const groupColumns = (db: Kysely<Tables>) => db.selectFrom("groupMessage").select([...COMMON, "groupId"]);

function groupTags(row: Omit<IndexedRow, "tags"> & { sendId: number; groupId: number }): IndexedRow {
  return { ...row, tags: [searchTag.chat(row.groupId), searchTag.sender(row.sendId)] };
}

/** Keeps the index in step with the messages; everything here runs inside a write, on its connection. */
export function searchBackfill(db: Kysely<Tables>, index: SearchIndex, messages: IndexedMessages) {
  const indexedUpTo = indexedPosition(db, messages);
  const after = messages.after(db, BATCH_ROWS);
  const one = messages.one(db);

  async function add({ id, type, content, tags }: IndexedRow): Promise<void> {
    const terms = termsOf(id, type, content);
    if (terms.length > 0) await index.insert(id, terms, [...tags, searchTag.type(type)]);
  }

  /** A row that cannot be read is not found, and holds up none of those behind it. */
  function termsOf(id: number, type: number, content: string): string[] {
    try {
      return indexTerms(searchableContent(type, content));
    } catch (error) {
      reportUnreadableRow(messages.table, id, error);
      return [];
    }
  }

  return {
    /** Takes in some of what is new. Answers whether there is more. */
    async fill(): Promise<boolean> {
      const end = performance.now() + BATCH_MS;
      const rows = await after(await indexedUpTo());
      let last = 0;
      for (const row of rows) {
        await add(row);
        last = row.id;
        if (performance.now() >= end) break;
      }
      if (last === 0) return false;
      const value = String(last);
      await db
        .insertInto("meta")
        .values({ key: messages.metaKey, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
      return last !== rows.at(-1)?.id || rows.length === BATCH_ROWS;
    },

    /** Of a row whose content is another one now. What is not taken in yet will be, as it stands then. */
    async update(id: number): Promise<void> {
      if (id > (await indexedUpTo())) return;
      await index.remove(id);
      const [row] = await one(id);
      if (row !== undefined) await add(row);
    },
  };
}

/** Up to which id the index has every message. */
export function indexedPosition(db: Kysely<Tables>, { metaKey }: IndexedMessages): () => Promise<number> {
  const find = preparedQuery(db, () => db.selectFrom("meta").select("value").where("key", "=", metaKey));
  return async () => Number((await find()).rows[0]?.value ?? 0);
}
