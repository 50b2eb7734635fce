import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { newMessage } from "../../testing/contracts/store-fixtures.ts";
import { type OpenedStore, openStore } from "./open-store.ts";

const NEVER_MS = 3_600_000;
const PEOPLE = 200;
const WORDS =
  "我们 今天 去 上海 东边 吃饭 然后 回家 睡觉 meeting at noon please send the document 好的 明天 周末 电影".split(
    " ",
  );

const onFatal = (error: Error): never => {
  throw error;
};

async function open(searchPollMs: number) {
  const path = await mkdtemp(join(tmpdir(), "parley-search-"));
  const url = join(path, "parley.sqlite");
  const store = await openStore({ url, onFatal, searchPollMs });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await store.close();
    await rm(path, { recursive: true, force: true });
  });
  return { store, url };
}

const search = (store: OpenedStore, userId: number, text: string) =>
  store.searchMessages("PRIVATE", userId, { text, size: 50, totalMax: 1_000 });

/** Makes the store's clock advance by this much at each reading. */
function advanceClockBy(msPerReading: number): void {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (time += msPerReading));
}

/** Common words; every 500th message also contains the rare word. */
function textOf(n: number): string {
  const words = Array.from({ length: 6 }, (_, i) => WORDS[(n * 7 + i * 13) % WORDS.length]);
  if (n % 500 === 0) words.push("大海捞针 needle");
  return words.join(n % 2 === 0 ? " " : "，");
}

test("among 100,000 messages a search reads at most 2 % of the rows", async () => {
  const rows = 100_000;
  const { store } = await open(NEVER_MS);
  for (let start = 0; start < rows; start += 2_000) {
    const numbers = Array.from({ length: 2_000 }, (_, i) => start + i);
    await Promise.all(
      numbers.map((n) => {
        const [from, to] = [(n % PEOPLE) + 1, ((n * 31 + 17) % PEOPLE) + 1];
        return store.appendPrivate(newMessage(from, to, { content: textOf(n) }));
      }),
    );
  }
  // The first searches bring the index up to the newest message.
  await expect.poll(async () => (await search(store, 1, "needle")).total).toBe(100);
  for (const text of [
    "needle",
    "大海捞针",
    "上海",
    "海",
    "m",
    "noon 上海",
    "的",
    "nowhere",
    "needle 上海 去",
  ]) {
    for (const userId of [1, 18, 150]) {
      const { scannedRows, total, rows: page } = await search(store, userId, text);
      expect(scannedRows, `${userId} ${text}`).toBeLessThanOrEqual(rows * 0.02);
      expect(page.length, `${userId} ${text}`).toBe(Math.min(total, 50));
    }
  }
  expect((await search(store, 1, "上海")).total).toBeGreaterThan(100);
}, 120_000);

test("the index is filled in the background without a search", async () => {
  const { store, url } = await open(1);
  for (let n = 1; n <= 20; n++) await store.appendPrivate(newMessage(1, 2, { content: `word${n}` }));
  const db = new Database(url, { readonly: true });
  const indexedUpTo = db.prepare("select value from meta where key = 'searchIndexedUpTo'").pluck();
  await expect.poll(() => indexedUpTo.get()).toBe("20");
  db.close();
});

test("an indexing batch ends when its time is over, and other writes can run before the next batch", async () => {
  const { store } = await open(NEVER_MS);
  for (let n = 0; n < 10; n++) await store.appendPrivate(newMessage(1, 2, { content: "word" }));
  const before = store.stats().commits;
  advanceClockBy(10);
  expect((await search(store, 1, "word")).total).toBe(10);
  expect(store.stats().commits - before).toBeGreaterThanOrEqual(10);
});

test("a search stops waiting for the index backlog after a limit, and the next search continues", async () => {
  const { store } = await open(NEVER_MS);
  for (let n = 0; n < 10; n++) await store.appendPrivate(newMessage(1, 2, { content: "word" }));
  advanceClockBy(400);
  const first = (await search(store, 1, "word")).total;
  expect(first).toBeLessThan(10);
  expect((await search(store, 1, "word")).total).toBeGreaterThan(first);
});

test("messages that were stored before the index existed are found", async () => {
  const { store, url } = await open(NEVER_MS);
  const { row } = await store.appendPrivate(newMessage(1, 2, { content: "old word" }));
  await search(store, 1, "word");
  const db = new Database(url);
  db.exec(
    "delete from meta where key = 'searchIndexedUpTo'; insert into messageSearch(messageSearch) values ('delete-all')",
  );
  db.close();
  expect((await search(store, 1, "word")).rows).toEqual([row]);
});

test("a message that was damaged after it was indexed hides no other from a search", async () => {
  const { store, url } = await open(NEVER_MS);
  const { row: first } = await store.appendPrivate(newMessage(1, 2, { content: "a word" }));
  const { row: damaged } = await store.appendPrivate(newMessage(1, 2, { content: "another word" }));
  expect((await search(store, 1, "word")).rows).toEqual([damaged, first]);
  const db = new Database(url);
  db.exec(`update message set content = x'80ff00' where id = ${damaged.id}`);
  db.close();
  expect((await search(store, 1, "word")).rows).toEqual([first]);
});

test("no word of recalled messages remains in the file after the index has merged its pages", async () => {
  const { store, url } = await open(NEVER_MS);
  const word = (seed: number) => createHash("sha256").update(`word ${seed}`).digest("hex").slice(0, 16);
  const words = (from: number) => Array.from({ length: 20 }, (_, at) => word(from + at));
  const recalled: { id: number; words: string[] }[] = [];
  for (let round = 0; round < 12; round++) {
    const texts = Array.from({ length: 60 }, (_, at) => words(1_200 * round + 20 * at));
    const appended = await Promise.all(
      texts.map((text) => store.appendPrivate(newMessage(1, 2, { content: text.join(" ") }))),
    );
    recalled.push(...[3, 17, 40].map((at) => ({ id: appended[at]!.row.id, words: texts[at]! })));
    await search(store, 1, "nothing");
  }
  for (const { id } of recalled) {
    const tip = { key: "recalled" as const, params: { name: "Ana" } };
    await store.write((tx) => tx.recallMessage({ id, noticeId: 1, content: "", tip }));
  }
  await store.close();
  const file = await readFile(url);
  // The index writes only the end of a word whose beginning equals that of the word before.
  const remains = (text: string) => file.includes(text.slice(6));
  expect(recalled.flatMap((message) => message.words.filter(remains))).toEqual([]);
});

test("pages reach the oldest hit of a search that finds more than it may count", async () => {
  const { store } = await open(NEVER_MS);
  await Promise.all(
    Array.from({ length: 1_900 }, () => store.appendPrivate(newMessage(1, 2, { content: "词" }))),
  );
  let found = await search(store, 1, "词");
  expect([found.total, found.rows[0]?.id]).toEqual([1_000, 1_900]);
  const ids = found.rows.map((row) => row.id);
  while (found.next !== null) {
    const below = found.next;
    found = await store.searchMessages("PRIVATE", 1, { text: "词", size: 50, totalMax: 1_000, below });
    ids.push(...found.rows.map((row) => row.id));
  }
  expect(ids).toEqual(Array.from({ length: 1_900 }, (_, i) => 1_900 - i));
});

test("a search scans non-matching candidates up to a limit, and the next page continues from there", async () => {
  const { store } = await open(NEVER_MS);
  const first = await store.appendPrivate(newMessage(1, 2, { content: "上海海东" }));
  const target = await store.appendPrivate(newMessage(1, 2, { content: "上海东" }));
  await Promise.all(
    Array.from({ length: 1_600 }, () => store.appendPrivate(newMessage(1, 2, { content: "上海 海东" }))),
  );
  const none = await search(store, 1, "上海东");
  expect(none).toMatchObject({ rows: [], total: 0, next: 103, scannedRows: 1_500 });
  const below = none.next ?? 0;
  const found = await store.searchMessages("PRIVATE", 1, {
    text: "上海东",
    size: 50,
    totalMax: 1_000,
    below,
  });
  expect([found.rows, found.next]).toEqual([[target.row], null]);
  expect(first.row.id).toBe(1);
});
