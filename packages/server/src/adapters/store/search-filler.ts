import { indexTerms } from "@parley/protocol/search-text";
import { searchedText } from "@parley/protocol/searched-text";
import type { Kysely } from "kysely";
import { prepared } from "./prepared.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Tables } from "./tables.ts";
import { tellUnreadable } from "./unreadable.ts";

/** Rows read at once, and how long they may take: everybody's writes wait behind them. */
const BATCH_ROWS = 256;
const BATCH_MS = 4;

/** Words that begin with "@" are no words of a text. */
export const mark = {
  person: (id: number) => `@u${id}`,
  /** The number of a private chat, or the id of a group. */
  chat: (id: number) => `@c${id}`,
  sender: (id: number) => `@s${id}`,
  type: (type: number) => `@t${type}`,
};

interface Indexed {
  id: number;
  type: number;
  content: string;
  marks: readonly string[];
}

/** The messages that one index holds. */
export interface IndexedMessages {
  table: "privateMessage" | "groupMessage";
  /** Of the entry that tells up to which id the index has every message. */
  metaKey: string;
  after(db: Kysely<Tables>, limit: number): (id: number) => Promise<Indexed[]>;
  one(db: Kysely<Tables>): (id: number) => Promise<Indexed[]>;
}

const COMMON = ["id", "type", "sendId", "content", "onlyFor"] as const;

export const PRIVATE_MESSAGES: IndexedMessages = {
  table: "privateMessage",
  metaKey: "searchIndexedUpTo",
  after: (db, limit) => {
    const find = prepared(db, (id: number) =>
      privateColumns(db).where("id", ">", id).orderBy("id").limit(limit),
    );
    return async (id) => (await find(id)).rows.map(privateMarks);
  },
  one: (db) => {
    const find = prepared(db, (id: number) => privateColumns(db).where("id", "=", id));
    return async (id) => (await find(id)).rows.map(privateMarks);
  },
};

const privateColumns = (db: Kysely<Tables>) =>
  db.selectFrom("privateMessage").select([...COMMON, "chatId", "recvId"]);

function privateMarks(
  row: Omit<Indexed, "marks"> & { sendId: number; recvId: number; chatId: number; onlyFor: number | null },
): Indexed {
  const readers = row.onlyFor === null ? [...new Set([row.sendId, row.recvId])] : [row.onlyFor];
  return { ...row, marks: [...readers.map(mark.person), mark.chat(row.chatId), mark.sender(row.sendId)] };
}

/** Who sees them changes, so that is no mark. */
export const GROUP_MESSAGES: IndexedMessages = {
  table: "groupMessage",
  metaKey: "groupSearchIndexedUpTo",
  after: (db, limit) => {
    const find = prepared(db, (id: number) =>
      groupColumns(db).where("id", ">", id).orderBy("id").limit(limit),
    );
    return async (id) => (await find(id)).rows.map(groupMarks);
  },
  one: (db) => {
    const find = prepared(db, (id: number) => groupColumns(db).where("id", "=", id));
    return async (id) => (await find(id)).rows.map(groupMarks);
  },
};

const groupColumns = (db: Kysely<Tables>) => db.selectFrom("groupMessage").select([...COMMON, "groupId"]);

function groupMarks(row: Omit<Indexed, "marks"> & { sendId: number; groupId: number }): Indexed {
  return { ...row, marks: [mark.chat(row.groupId), mark.sender(row.sendId)] };
}

/** Keeps the index in step with the messages; everything here runs inside a write, on its connection. */
export function searchFiller(db: Kysely<Tables>, index: SearchIndex, messages: IndexedMessages) {
  const indexedUpTo = indexedMark(db, messages);
  const after = messages.after(db, BATCH_ROWS);
  const one = messages.one(db);

  async function add({ id, type, content, marks }: Indexed): Promise<void> {
    const terms = termsOf(id, type, content);
    if (terms.length > 0) await index.insert(id, terms, [...marks, mark.type(type)]);
  }

  /** A row that cannot be read is not found, and holds up none of those behind it. */
  function termsOf(id: number, type: number, content: string): string[] {
    try {
      return indexTerms(searchedText(type, content));
    } catch (error) {
      tellUnreadable(messages.table, id, error);
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
export function indexedMark(db: Kysely<Tables>, { metaKey }: IndexedMessages): () => Promise<number> {
  const find = prepared(db, () => db.selectFrom("meta").select("value").where("key", "=", metaKey));
  return async () => Number((await find()).rows[0]?.value ?? 0);
}
