import { indexTerms } from "@parley/protocol/search-text";
import { searchedText } from "@parley/protocol/searched-text";
import type { Kysely } from "kysely";
import { prepared } from "./prepared.ts";
import type { SearchIndex } from "./search-index.ts";
import type { PrivateMessageTable, Tables } from "./tables.ts";

type Indexed = Pick<
  PrivateMessageTable,
  "id" | "chatId" | "type" | "sendId" | "recvId" | "content" | "onlyFor"
>;

const COLUMNS = ["id", "chatId", "type", "sendId", "recvId", "content", "onlyFor"] as const;
const META_KEY = "searchIndexedUpTo";
/** Rows read at once, and how long they may take: everybody's writes wait behind them. */
const BATCH_ROWS = 256;
const BATCH_MS = 4;

/** Words that begin with "@" are no words of a text. */
export const mark = {
  person: (id: number) => `@u${id}`,
  chat: (id: number) => `@c${id}`,
  sender: (id: number) => `@s${id}`,
  type: (type: number) => `@t${type}`,
};

/** Keeps the index in step with the messages; everything here runs inside a write, on its connection. */
export function searchFiller(db: Kysely<Tables>, index: SearchIndex) {
  const indexedUpTo = indexedMark(db);
  const after = prepared(db, (id: number) =>
    db.selectFrom("privateMessage").select(COLUMNS).where("id", ">", id).orderBy("id").limit(BATCH_ROWS),
  );
  const one = prepared(db, (id: number) =>
    db.selectFrom("privateMessage").select(COLUMNS).where("id", "=", id),
  );

  async function add(row: Indexed): Promise<void> {
    const terms = indexTerms(searchedText(row.type, row.content));
    if (terms.length === 0) return;
    const readers = row.onlyFor === null ? [...new Set([row.sendId, row.recvId])] : [row.onlyFor];
    const marks = [mark.chat(row.chatId), mark.sender(row.sendId), mark.type(row.type)];
    await index.insert(row.id, terms, [...readers.map(mark.person), ...marks]);
  }

  return {
    /** Takes in some of what is new. Answers whether there is more. */
    async fill(): Promise<boolean> {
      const end = performance.now() + BATCH_MS;
      const { rows } = await after(await indexedUpTo());
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
        .values({ key: META_KEY, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
      return last !== rows.at(-1)?.id || rows.length === BATCH_ROWS;
    },

    /** Of a row whose content is another one now. What is not taken in yet will be, as it stands then. */
    async update(id: number): Promise<void> {
      if (id > (await indexedUpTo())) return;
      await index.remove(id);
      const [row] = (await one(id)).rows;
      if (row !== undefined) await add(row);
    },
  };
}

/** Up to which id the index has every message. */
export function indexedMark(db: Kysely<Tables>): () => Promise<number> {
  const find = prepared(db, () => db.selectFrom("meta").select("value").where("key", "=", META_KEY));
  return async () => Number((await find()).rows[0]?.value ?? 0);
}
