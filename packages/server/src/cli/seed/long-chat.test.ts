import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newMessage } from "../../testing/contracts/store-fixtures.ts";
import { type OpenedStore, openStore } from "../../adapters/store/open-store.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { writeLongChat } from "./long-chat.ts";

const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
const NEVER_MS = 3_600_000;

/** A store whose search index does not follow by itself. */
async function openUnindexedStore(): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), "parley-long-chat-"));
  const onFatal = (error: unknown): never => {
    throw error;
  };
  const store = await openStore({ url: join(folder, "parley.sqlite"), onFatal, searchPollMs: NEVER_MS });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return store;
}

const write = (store: OpenedStore, messages: number) =>
  writeLongChat(store, createSeededRandom(1), { messages, now: NOW, passwordHash: "hash", language: "en" });

/** The messages of the chat, without the tip at its beginning. */
async function messagesOf(store: OpenedStore, userName: string) {
  const user = await store.findUserByName(userName);
  const rows = await store.listPrivate(user?.id ?? 0, 1, Number.MAX_SAFE_INTEGER, 5_000);
  return rows.filter(({ tip }) => tip === null);
}

test("the long chat is spread over five years, in order, in both languages, with texts of both sides", async () => {
  const store = await openUnindexedStore();
  const { userNames, from, to } = await write(store, 1_200);
  expect(userNames).toEqual(["longchat", "longfriend"]);
  expect([from, to]).toEqual([NOW - 5 * 365 * DAY, NOW]);
  const rows = await messagesOf(store, "longchat");
  expect(rows).toHaveLength(1_200);
  const times = rows.map(({ sendTime }) => sendTime);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBe(NOW);
  expect(times[0]).toBeLessThan(NOW - 3 * 365 * DAY);
  // Three days of about 550 messages each, so that a short chat has pages like those of a long one.
  const gaps = times.filter((time, index) => time - (times[index - 1] ?? time) > DAY);
  expect(gaps).toHaveLength(2);
  expect(new Set(rows.map(({ sendId }) => sendId)).size).toBe(2);
  expect(rows.some(({ content }) => /^\p{Script=Han}/u.test(content))).toBe(true);
  expect(rows.some(({ content }) => /^[\x20-\x7e]+$/.test(content))).toBe(true);
  const numbered = rows.filter(({ content }) => content.startsWith("This is message"));
  expect(numbered.map(({ content }) => content)).toEqual([
    "This is message 500. 这是第 500 条消息。",
    "This is message 1000. 这是第 1000 条消息。",
  ]);
});

test("both have read the long chat", async () => {
  const store = await openUnindexedStore();
  await write(store, 30);
  const [a, b] = [await store.findUserByName("longchat"), await store.findUserByName("longfriend")];
  for (const [reader, friend] of [
    [a, b],
    [b, a],
  ]) {
    const ofFriend = (await messagesOf(store, "longchat")).filter(({ sendId }) => sendId === friend?.id);
    expect(await store.maxReadedId(friend?.id ?? 0, reader?.id ?? 0)).toBe(ofFriend.at(-1)?.id);
  }
});

test("the search index knows the whole chat as soon as it was completed", async () => {
  const store = await openUnindexedStore();
  await write(store, 1_000);
  await store.indexMessages();
  const user = await store.findUserByName("longchat");
  const commits = store.stats().commits;
  for (const text of ["1000", "第 1000 条"]) {
    const found = await store.searchMessages("PRIVATE", user?.id ?? 0, { text, size: 5, totalMax: 10 });
    expect(found.rows, text).toHaveLength(1);
  }
  // Nothing was left to index.
  expect(store.stats().commits).toBe(commits);
});

test("in a store with messages the long chat begins after the newest one, and another one gets new people", async () => {
  const store = await openUnindexedStore();
  await store.appendPrivate(newMessage(1, 2, { sendTime: NOW - DAY }));
  const first = await write(store, 5);
  expect([first.from, first.to]).toEqual([NOW - DAY, NOW]);
  const second = await write(store, 5);
  expect(second).toEqual({ userNames: ["longchat2", "longfriend2"], from: NOW, to: NOW });
  expect(await messagesOf(store, "longchat2")).toHaveLength(5);
});
