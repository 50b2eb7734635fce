import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "./sqlite-connection.ts";
import { SEARCH_TABLE as TABLE } from "./search-index.ts";
import { CREATE_SQLITE_SEARCH, sqliteSearchIndex } from "./sqlite-search.ts";

const MESSAGES = 720;
const WORDS = 20;

/** Words of which many begin alike, as those of one language do. */
const wordsOf = (id: number) =>
  Array.from({ length: WORDS }, (_, at) => {
    const hash = createHash("sha256")
      .update(`word ${id * WORDS + at}`)
      .digest("hex");
    return ["password", "上海", "", "ü"][at % 4] + hash.slice(0, 12);
  });

/** The separators between the pages of the index, a character for each byte. */
const separatorsOf = (db: Database) =>
  (db.prepare(`select term from "${TABLE}_idx"`).pluck().all() as Buffer[]).map((term) =>
    term.subarray(1).toString("latin1").replace(/\0+$/, ""),
  );

async function openIndex() {
  const folder = await mkdtemp(join(tmpdir(), "parley-index-"));
  const path = join(folder, "index.sqlite");
  const db = openConnection(path);
  onTestFinished(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });
  for (const statement of CREATE_SQLITE_SEARCH) db.exec(statement);
  return { db, path, index: sqliteSearchIndex(db, db) };
}

test.each([3, 13, 34])(
  "with batches of %i messages no removed word remains in the file, also between pages, and all others are found",
  async (batch) => {
    const { db, path, index } = await openIndex();
    for (let first = 1; first <= MESSAGES; first += batch) {
      db.exec("begin");
      for (let id = first; id < Math.min(first + batch, MESSAGES + 1); id++)
        await index.insert(id, wordsOf(id), ["@u1"]);
      db.exec("commit");
      await index.optimize();
    }
    const ids = Array.from({ length: MESSAGES }, (_, at) => at + 1);
    const isRemoved = (id: number) => id % 8 !== 0;
    const removed = ids.filter(isRemoved);
    db.exec("begin");
    for (const id of removed) await index.remove(id, wordsOf(id), ["@u1"]);
    db.exec("commit");
    db.exec(`insert into "${TABLE}"("${TABLE}") values ('integrity-check')`);
    const wrong: string[] = [];
    for (const id of ids) {
      for (const text of wordsOf(id)) {
        const query = { terms: [{ text, isPrefix: false }], tags: [], fromId: 1, toId: MESSAGES, limit: 9 };
        const found = await index.find(query);
        if (found.join() !== (isRemoved(id) ? "" : String(id))) wrong.push(`${text}: ${found.join()}`);
      }
    }
    expect(wrong).toEqual([]);
    const kept = ids.filter((id) => !isRemoved(id)).flatMap(wordsOf);
    const keptBytes = kept.map((word) => Buffer.from(word).toString("latin1"));
    const strange = separatorsOf(db).filter((text) => !keptBytes.some((word) => word.startsWith(text)));
    expect(strange).toEqual([]);
    db.pragma("wal_checkpoint(truncate)");
    const file = await readFile(path);
    // The index writes only the end of a word whose beginning equals that of the word before.
    expect(removed.flatMap(wordsOf).filter((word) => file.includes(word.slice(-8)))).toEqual([]);
  },
);
