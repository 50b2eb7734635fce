import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, NOON, privateRow } from "../testing/builders.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { createLoggedInClient, pushedRow, type SingleClient } from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { toChatMessage } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { MediaKind, SearchPage, SearchQuery } from "./search-query.ts";
import { createLocalDatabase, type LocalDatabase } from "../storage/local-database.ts";
import { searchLocal } from "./local-search.ts";
import { searchTermsOf } from "./search-terms.ts";

const ids = (page: { hits: SearchPage["hits"] }) => page.hits.map((hit) => hit.message.id);

async function find(single: SingleClient, query: SearchQuery): Promise<SearchPage> {
  const result = await single.client.chats.search(query);
  if (!result.ok) throw new Error(`failed: ${result.failure.kind}`);
  return result.value;
}

/** A client without a network that has stored these messages. */
async function createOfflineClient(...frames: object[]): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(...frames);
  single.ports.environment.set({ hasNetwork: false });
  return single;
}

describe("search on this device", () => {
  test("R1 a search finds Han by any part and words by their beginning, requires all parts of the query, and lists the newest first", async () => {
    const single = await createOfflineClient(
      pushedRow(1, { content: "明天下午开会" }),
      pushedRow(2, { content: "下午好，明天见" }),
      pushedRow(3, { content: "Meeting tomorrow at noon" }),
      pushedRow(4, { content: "tomorrow no MEETINGS" }),
      pushedRow(5, { content: "会开了" }),
    );
    expect(ids(await find(single, { text: "明天" }))).toEqual([2, 1]);
    expect(ids(await find(single, { text: "会" }))).toEqual([5, 1]);
    expect(ids(await find(single, { text: "开会" }))).toEqual([1]);
    expect(ids(await find(single, { text: "meeting tom" }))).toEqual([4, 3]);
    expect(await find(single, { text: "eeting" })).toEqual({ hits: [], total: 0, next: null });
    expect(await find(single, { text: "  " })).toEqual({ hits: [], total: 0, next: null });
  });

  test("R1 a message that has the character pairs of a query, but not together, is not found", async () => {
    const single = await createOfflineClient(
      pushedRow(1, { content: "明天，天气" }),
      pushedRow(2, { content: "明天气" }),
    );
    expect(ids(await find(single, { text: "明天气" }))).toEqual([2]);
  });

  test("R2 names of files, places and cards are found, the rest of a JSON content is not", async () => {
    const file = { content: JSON.stringify({ name: "budget.xlsx", size: 5, url: "/files/abc" }) };
    const location = {
      content: JSON.stringify({ latitude: 1, longitude: 2, name: "Harbour", address: "Quay 5" }),
    };
    const single = await createOfflineClient(
      pushedRow(1, { type: MessageType.FILE, ...file }),
      pushedRow(2, { type: MessageType.LOCATION, ...location }),
    );
    expect(ids(await find(single, { text: "budget" }))).toEqual([1]);
    expect(ids(await find(single, { text: "quay" }))).toEqual([2]);
    expect(ids(await find(single, { text: "files" }))).toEqual([]);
  });

  test("R3 chat, sender, kinds and time narrow the hits", async () => {
    const single = await createOfflineClient(
      pushedRow(1, { content: "red one" }),
      pushedRow(2, { content: "red two", sendId: 3, recvId: 1 }),
      pushedRow(3, { content: "red three", sendId: 1, recvId: 2, tmpId: "t" }),
      pushedRow(4, { type: MessageType.FILE, content: JSON.stringify({ name: "red.txt" }) }),
    );
    expect(ids(await find(single, { text: "red", key: FRIEND_CHAT }))).toEqual([4, 3, 1]);
    expect(ids(await find(single, { text: "red", sendId: 3 }))).toEqual([2]);
    expect(ids(await find(single, { text: "red", types: [MessageType.FILE] }))).toEqual([4]);
    expect(ids(await find(single, { text: "red", from: NOON + 2, to: NOON + 3 }))).toEqual([3, 2]);
  });

  test("R4 an edited message is found by its new words, recalled and deleted messages are not found", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(1, { content: "old words" }), pushedRow(2, { content: "secret" }));
    await single.push(pushedRow(3, { content: "private" }));
    clockOf(single.ports).advance(200);
    await flushMicrotasks();
    const quoteMessage = { id: 1, sendId: 2, content: "", type: 0, status: 1 };
    await single.push(
      pushedRow(4, { type: MessageType.EDIT, content: "fresh words", quoteMessage }),
      pushedRow(5, { type: MessageType.RECALL, content: "2" }),
    );
    const hidden = single.client.chats.deleteForMe(FRIEND_CHAT, [3]);
    await flushMicrotasks();
    await single.respond("deleteMessage", null);
    await hidden;
    single.ports.environment.set({ hasNetwork: false });
    expect(ids(await find(single, { text: "old" }))).toEqual([]);
    expect(ids(await find(single, { text: "fresh" }))).toEqual([1]);
    expect(ids(await find(single, { text: "secret" }))).toEqual([]);
    expect(ids(await find(single, { text: "private" }))).toEqual([]);
  });

  test("R5 pages of a search neither repeat nor skip a hit", async () => {
    const single = await createOfflineClient(
      ...Array.from({ length: 120 }, (_, i) => pushedRow(i + 1, { content: "same" })),
    );
    const pages: SearchPage[] = [await find(single, { text: "same" })];
    for (let next = pages[0]?.next; typeof next === "string"; next = pages.at(-1)?.next) {
      pages.push(await find(single, { text: "same", next }));
    }
    expect(pages.map((page) => page.hits.length)).toEqual([50, 50, 20]);
    expect(pages.flatMap(ids)).toEqual(Array.from({ length: 120 }, (_, i) => 120 - i));
    expect(pages.map((page) => page.total)).toEqual([120, 120, 120]);
  });
});

describe("search with the server", () => {
  const hit = (id: number) => ({ chatType: "PRIVATE", targetId: 2, message: privateRow({ id }) });

  test("R6 hits come from the server while it answers", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(7, { content: "text here" }));
    const result = find(single, { text: " text ", key: FRIEND_CHAT, types: [0, 2], from: 5 });
    await flushMicrotasks();
    expect(single.waiting()).toEqual([
      "/message/search?q=text&chatType=PRIVATE&targetId=2&types=0%2C2&from=5",
    ]);
    await single.respond("search", { hits: [hit(9), hit(8), hit(8)], total: 400, next: "8" });
    const page = await result;
    expect(page.hits.map(({ key }) => key)).toEqual([FRIEND_CHAT, FRIEND_CHAT]);
    expect(ids(page)).toEqual([9, 8]);
    expect(page.total).toBe(400);
    const second = find(single, { text: "text", next: page.next ?? "" });
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/message/search?q=text&next=8"]);
    await single.respond("search", { hits: [hit(7)], total: 400, next: null });
    expect(await second).toMatchObject({ total: 400, next: null });
  });

  test("R6 without an answer the local database is searched, and a refusal is returned", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(7, { content: "text here" }));
    const result = find(single, { text: "text" });
    await flushMicrotasks();
    single.ports.http.replyRaw("search", { kind: "failed", reason: "timeout" });
    expect(ids(await result)).toEqual([7]);
    const refused = single.client.chats.search({ text: "text" });
    await flushMicrotasks();
    await single.respond("search", null, 1_001);
    expect(await refused).toMatchObject({ ok: false, failure: { kind: "refused" } });
  });

  test("R6 an empty page of the server is not the end", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(7, { content: "text here" }));
    const first = find(single, { text: "text" });
    await flushMicrotasks();
    await single.respond("search", { hits: [], total: 0, next: "50" });
    const { next } = await first;
    const second = find(single, { text: "text", next: next ?? "" });
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/message/search?q=text&next=50"]);
    single.ports.http.replyRaw("search", { kind: "failed", reason: "offline" });
    expect(ids(await second)).toEqual([7]);
  });

  test("R6 a search begun on the server continues locally, and the other way round", async () => {
    const single = await createOfflineClient(
      ...Array.from({ length: 60 }, (_, i) => pushedRow(i + 1, { content: "same" })),
    );
    const first = await find(single, { text: "same" });
    single.ports.environment.set({ hasNetwork: true });
    const second = find(single, { text: "same", next: first.next ?? "" });
    await flushMicrotasks();
    expect(single.waiting().filter((url) => url.includes("search"))).toEqual([
      `/message/search?q=same&to=${NOON + 11}`,
    ]);
    const row = (id: number) => ({ ...hit(id), message: privateRow({ id, sendTime: NOON + id }) });
    await single.respond("search", { hits: [11, 10, 9].map(row), total: 11, next: "9" });
    const page = await second;
    expect(ids(page)).toEqual([10, 9]);
    expect(page.total).toBe(60);
    single.ports.environment.set({ hasNetwork: false });
    expect(ids(await find(single, { text: "same", next: page.next ?? "" }))).toEqual([
      8, 7, 6, 5, 4, 3, 2, 1,
    ]);
  });
});

describe("the size of a search", () => {
  const COUNT = 100_000;

  async function createBigDatabase(): Promise<LocalDatabase> {
    const database = createLocalDatabase({
      ports: createFakePorts(),
      searchTermsOf,
      onRefused: () => undefined,
      onCorruption: () => undefined,
    });
    await database.open("big");
    const messages = Array.from({ length: COUNT }, (_, i) => ({
      chatKey: `PRIVATE:${i % 7}` as ChatKey,
      message: toChatMessage(
        privateRow({ id: i + 1, content: i % 1_000 === 0 ? `needle ${i} 针` : `common ${i} 普通` }),
        1,
      ),
    }));
    database.save({ messages });
    await database.flush();
    return database;
  }

  test("R7 over 100,000 messages at most 2 % are read, however many match", async () => {
    const database = await createBigDatabase();
    for (const [text, count] of [
      ["needle", 50],
      ["针", 50],
      ["common", 50],
      ["普通", 50],
      ["needle 500", 1],
      ["nothing", 0],
    ] as const) {
      const found = await searchLocal(database, { text }, { limit: 50, after: null });
      expect(found.hits).toHaveLength(text === "needle 500" ? found.hits.length : count);
      expect(found.examined).toBeLessThanOrEqual(COUNT * 0.02);
    }
    // When almost no message passes the filter, the page ends early and says where to continue.
    const filtered = await searchLocal(database, { text: "common", sendId: 99 }, { limit: 50, after: null });
    expect(filtered).toMatchObject({ hits: [], total: 0 });
    expect(filtered.next).not.toBeNull();
    expect(filtered.examined).toBeLessThanOrEqual(COUNT * 0.02);
  });
});

describe("media of a chat", () => {
  const picture = { type: MessageType.IMAGE, content: "{}" };
  const media = (single: SingleClient, kind: MediaKind, next: string | null = null) =>
    single.client.chats.listMedia(FRIEND_CHAT, kind, next);
  async function page(single: SingleClient, kind: MediaKind, next: string | null = null) {
    const result = await media(single, kind, next);
    if (!result.ok) throw new Error(`failed: ${result.failure.kind}`);
    return result.value;
  }

  test("U60 without a connection pictures and videos, files, and links are listed, newest first", async () => {
    const single = await createOfflineClient(
      pushedRow(1, picture),
      pushedRow(2, {
        type: MessageType.FILE,
        content: JSON.stringify({ name: "http.txt", size: 1, url: "/files/x/h" }),
      }),
      pushedRow(3, { content: "see https://example.org" }),
      pushedRow(4, { type: MessageType.VIDEO, content: "{}" }),
      pushedRow(5, { content: "no link" }),
      pushedRow(6, { type: MessageType.AUDIO, content: "{}" }),
      pushedRow(7, { ...picture, sendId: 3, recvId: 1 }),
      pushedRow(8, { content: "or www.example.org" }),
    );
    expect(ids(await page(single, "pictures"))).toEqual([4, 1]);
    expect(ids(await page(single, "files"))).toEqual([2]);
    expect(ids(await page(single, "links"))).toEqual([8, 3]);
  });

  test("R164 they are found by sender and words, and listed without words", async () => {
    const file = (name: string) => ({
      type: MessageType.FILE,
      content: JSON.stringify({ name, size: 1, url: "/files/x/f" }),
    });
    const single = await createOfflineClient(
      pushedRow(1, file("red.txt")),
      pushedRow(2, file("blue.txt")),
      pushedRow(3, { ...file("red.pdf"), sendId: 1, recvId: 2, tmpId: "t" }),
      pushedRow(4, { content: "red: https://example.org" }),
      pushedRow(5, { content: "www.example.org is red" }),
      pushedRow(6, { content: "blue: http://example.org" }),
      pushedRow(7, { content: "red" }),
    );
    const key = FRIEND_CHAT;
    expect(ids(await find(single, { text: "", key, kind: "files" }))).toEqual([3, 2, 1]);
    expect(ids(await find(single, { text: "", key, kind: "files", sendId: 1 }))).toEqual([3]);
    expect(ids(await find(single, { text: "red", key, kind: "files" }))).toEqual([3, 1]);
    expect(ids(await find(single, { text: "red", key, kind: "links" }))).toEqual([5, 4]);
    expect(ids(await find(single, { text: "", key, kind: "links", to: NOON + 4 }))).toEqual([4]);
    expect(ids(await find(single, { text: "red", key, kind: "pictures" }))).toEqual([]);
  });

  test("U60 links begin with a scheme or www. and come in one order, each message once, over all pages", async () => {
    // There are more pages of texts with http than of texts with www.
    const text = (n: number) =>
      n % 10 === 0
        ? "see www.example.org"
        : n % 10 === 1
          ? "https://www.example.org"
          : `http://a.example/${n}`;
    const frames = Array.from({ length: 150 }, (_, n) => pushedRow(n + 1, { content: text(n + 1) }));
    const single = await createOfflineClient(...frames);
    const found: (number | null)[] = [];
    let next: string | null = null;
    let pages = 0;
    do {
      const current: SearchPage = await page(single, "links", next);
      found.push(...ids(current));
      next = current.next;
      pages++;
    } while (next !== null);
    expect(found).toEqual(Array.from({ length: 150 }, (_, n) => 150 - n));
    expect(pages).toBeGreaterThan(1);
  });

  test("U60 without a connection they come page by page", async () => {
    const frames = Array.from({ length: 130 }, (_, n) => pushedRow(n + 1, n % 2 === 0 ? picture : {}));
    const single = await createOfflineClient(...frames);
    const found: (number | null)[] = [];
    let next: string | null = null;
    let pages = 0;
    do {
      const current: SearchPage = await page(single, "pictures", next);
      found.push(...ids(current));
      next = current.next;
      pages++;
    } while (next !== null);
    expect(found).toEqual(Array.from({ length: 65 }, (_, n) => 129 - 2 * n));
    expect(pages).toBeGreaterThan(1);
  });

  test("U60 the server is asked for them without a text", async () => {
    const single = await createLoggedInClient();
    const result = media(single, "pictures");
    await flushMicrotasks();
    const url = new URL(
      single.waiting().find((path) => path.startsWith("/message/search"))!,
      "http://x",
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "",
      chatType: "PRIVATE",
      targetId: "2",
      types: "1,4",
    });
    const hit = { chatType: "PRIVATE", targetId: 2, message: privateRow({ id: 9, ...picture }) };
    await single.respond("/message/search", { hits: [hit], total: 1, next: null });
    expect(await result).toMatchObject({ ok: true, value: { hits: [{ message: { id: 9 } }], next: null } });
  });
});
