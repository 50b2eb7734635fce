import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "./sqlite-connection.ts";
import { SQLITE_SEARCH_TABLES, sqliteSearchIndex } from "./sqlite-search.ts";

const TABLE = "privateSearch";
const MESSAGES = 720;
const WORDS = 20;

const wordsOf = (id: number) =>
  Array.from({ length: WORDS }, (_, at) =>
    createHash("sha256")
      .update(`word ${id * WORDS + at}`)
      .digest("hex")
      .slice(0, 16),
  );

async function openIndex() {
  const folder = await mkdtemp(join(tmpdir(), "parley-index-"));
  const path = join(folder, "index.sqlite");
  const db = openConnection(path);
  onTestFinished(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });
  for (const statement of SQLITE_SEARCH_TABLES.creation(TABLE)) db.exec(statement);
  return { db, path, index: sqliteSearchIndex(TABLE, db, db) };
}

test.each([3, 5, 8, 13, 21, 34])(
  "with batches of %i messages no removed word remains in the file, also between pages, and all others are found",
  async (batch) => {
    const { db, path, index } = await openIndex();
    for (let first = 1; first <= MESSAGES; first += batch) {
      db.exec("begin");
      for (let id = first; id < first + batch; id++) await index.insert(id, wordsOf(id), ["@u1"]);
      db.exec("commit");
      await index.optimize();
    }
    const removed = Array.from({ length: MESSAGES }, (_, at) => at + 1).filter((id) => id % 3 === 0);
    db.exec("begin");
    for (const id of removed) await index.remove(id, wordsOf(id), ["@u1"]);
    db.exec("commit");
    db.exec(`insert into "${TABLE}"("${TABLE}") values ('integrity-check')`);
    const wrong: string[] = [];
    for (let id = 1; id <= MESSAGES; id++) {
      for (const text of wordsOf(id)) {
        const query = { terms: [{ text, isPrefix: false }], tags: [], fromId: 1, toId: MESSAGES, limit: 9 };
        const found = await index.find(query);
        if (found.join() !== (id % 3 === 0 ? "" : String(id))) wrong.push(`${text}: ${found.join()}`);
      }
    }
    expect(wrong).toEqual([]);
    db.pragma("wal_checkpoint(truncate)");
    const file = await readFile(path);
    // The index writes only the end of a word whose beginning equals that of the word before.
    expect(removed.flatMap(wordsOf).filter((word) => file.includes(word.slice(6)))).toEqual([]);
  },
);
