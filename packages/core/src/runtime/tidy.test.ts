import { expect, test } from "vitest";
import { FRIEND_CHAT, NOON, privateRow, systemRow } from "../testing/builders.ts";
import { clockOf, createFakePorts, type FakePortsOptions } from "../testing/fake-ports.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { settle } from "../testing/settle.ts";
import { readSystem } from "../model/incoming.ts";
import { SYSTEM_CHAT, talkMessage } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { Api } from "./api.ts";
import { createDesk } from "./desk.ts";
import { createPages } from "./pages.ts";
import { createDisk } from "./persist.ts";
import { createStateStore } from "./store.ts";
import { createTabTalk } from "./tab-talk.ts";
import { termsOf } from "./terms.ts";
import { createTidy } from "./tidy.ts";
import { createTidyWork, type TidyLimits } from "./tidy-work.ts";

const LATER_MS = 200_000;
const OTHER: ChatKey = "PRIVATE:3";
const THIRD: ChatKey = "PRIVATE:4";

async function setUp(limits: TidyLimits, options: FakePortsOptions = {}) {
  const ports = createFakePorts(options);
  const store = createStateStore();
  const disk = createDisk(ports, () => undefined);
  await disk.open("tidy");
  const desk = createDesk(store, disk);
  const me = () => 1;
  const { tell } = createTabTalk({ ports, desk, me, onDraft: () => undefined, onCleared: () => undefined });
  const work = createTidyWork({ ports, store, disk, desk, tell, limits });
  const tidy = createTidy({ ports, store, disk, work });
  const pages = createPages({ api: {} as Api, store, disk, desk, me, pageSize: 50 });
  const fill = (key: ChatKey, from: number, to: number) =>
    desk.apply(
      Array.from({ length: to - from + 1 }, (_, i) => ({
        kind: "row" as const,
        key,
        message: talkMessage(privateRow({ id: from + i }), 1),
      })),
    );
  const open = (key: ChatKey, now: number) => desk.apply([{ kind: "open", key, now }]);
  const idsOf = async (key: ChatKey) => (await disk.messagesBefore(key, Infinity, 999)).map(({ id }) => id);
  async function pass() {
    tidy.start();
    clockOf(ports).advance(LATER_MS);
    for (let i = 0; i < 20; i++) await settle();
    tidy.stop();
  }
  const knownFrom = () => store.get().chats.byKey[FRIEND_CHAT]?.book.knownFrom;
  return { ports, store, disk, desk, tidy, pages, fill, open, idsOf, pass, knownFrom };
}

test("R8 the disk keeps the newest messages of a long chat, and knows that the rest is on the server", async () => {
  const { store, desk, disk, fill, idsOf, pass } = await setUp({ perChat: 5, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 12);
  fill(OTHER, 20, 22);
  const rows = Array.from({ length: 9 }, (_, i) => readSystem(systemRow({ seqNo: i + 1 })));
  desk.apply(rows.flatMap((row) => (row.kind === "chat" ? [row.input] : [])));
  await pass();
  expect(await idsOf(FRIEND_CHAT)).toEqual([8, 9, 10, 11, 12]);
  expect(await idsOf(OTHER)).toEqual([20, 21, 22]);
  // Nobody else has what stands in the system chat.
  expect(await idsOf(SYSTEM_CHAT)).toHaveLength(9);
  expect(store.get().chats.byKey[FRIEND_CHAT]?.book.knownFrom).toBe(8);
  const stored = (await disk.chats()).find((chat) => chat.key === FRIEND_CHAT);
  expect(stored).toMatchObject({ knownFrom: 8, newest: { id: 12 } });
});

test("R8 what one tab lets go of the other tabs count on no more, and keep it so on the disk", async () => {
  const [device, storage] = [createFakeDevice(), createMemoryStorage()];
  const limits = { perChat: 5, bytes: Infinity };
  const tab = await setUp(limits, { device, storage });
  const other = await setUp(limits, { device, storage: storage.tab(false) });
  for (const { fill } of [tab, other]) fill(FRIEND_CHAT, 1, 12);
  await other.disk.flush();
  await tab.pass();
  expect(other.knownFrom()).toBe(8);
  other.fill(FRIEND_CHAT, 13, 13);
  await other.disk.flush();
  expect((await tab.disk.chats())[0]).toMatchObject({ knownFrom: 8, newest: { id: 13 } });
  const page = await other.pages.diskBelow(FRIEND_CHAT, 13);
  expect([page?.from, page?.messages.map(({ id }) => id)]).toEqual([8, [8, 9, 10, 11, 12]]);
});

test("I11 a disk that was trimmed by a tab this one has not heard is not taken for the beginning of the chat", async () => {
  const storage = createMemoryStorage();
  const limits = { perChat: 5, bytes: Infinity };
  const tab = await setUp(limits, { storage });
  const deaf = await setUp(limits, { storage: storage.tab(false) });
  for (const { fill } of [tab, deaf]) fill(FRIEND_CHAT, 1, 12);
  await deaf.disk.flush();
  await tab.pass();
  expect(deaf.knownFrom()).toBe(0);
  expect(await deaf.pages.diskBelow(FRIEND_CHAT, 8)).toBeNull();
  expect(deaf.knownFrom()).toBe(8);
  expect(await deaf.pages.diskFrom(FRIEND_CHAT, 3)).toBeNull();
  // What the server tells is there again, and counts.
  const messages = [6, 7].map((id) => talkMessage(privateRow({ id }), 1));
  const page = { messages, from: 0, to: 8, isFresh: true };
  deaf.desk.apply([{ kind: "page", key: FRIEND_CHAT, page, use: "older" }]);
  expect(await deaf.pages.diskBelow(FRIEND_CHAT, 8)).toMatchObject({
    from: 0,
    messages: [{ id: 6 }, { id: 7 }],
  });
});

test("R8 a tab that learns of the last trim alone counts on nothing that one before it has taken", async () => {
  const storage = createMemoryStorage();
  const limits = { perChat: 5, bytes: 1 };
  const tab = await setUp(limits, { storage });
  const deaf = await setUp(limits, { storage: storage.tab(false) });
  for (const { fill } of [tab, deaf]) fill(FRIEND_CHAT, 1, 12);
  await deaf.disk.flush();
  await tab.pass();
  expect(tab.knownFrom()).toBe(13);
  const messages = [2, 3, 4, 5, 6, 7].map((id) => talkMessage(privateRow({ id }), 1));
  const page = { messages, from: 2, to: 8, isFresh: true };
  tab.desk.apply([{ kind: "page", key: FRIEND_CHAT, page, use: "older" }]);
  limits.bytes = Infinity;
  await tab.pass();
  expect(await tab.pages.diskBelow(FRIEND_CHAT, 8)).toMatchObject({ from: 3, to: 8 });
  expect(await deaf.pages.diskBelow(FRIEND_CHAT, 12)).toBeNull();
  expect(deaf.knownFrom()).toBe(13);
});

test("R8 when all chats are too big, those not opened for longest go first, never the open one, an unsent message or a draft", async () => {
  const { desk, disk, fill, open, idsOf, pass } = await setUp({ perChat: 100, bytes: 7_500 });
  fill(FRIEND_CHAT, 1, 10);
  fill(OTHER, 20, 29);
  fill(THIRD, 30, 39);
  open(OTHER, NOON + 3);
  open(THIRD, NOON + 2);
  open(FRIEND_CHAT, NOON + 1);
  desk.apply([{ kind: "draft", key: THIRD, text: "unsent" }]);
  const entry = { tmpId: "t", chatKey: THIRD, type: 0, content: "hi", createdAt: 1, failed: false };
  disk.keep({ outbox: [{ ...entry, failure: null, quoteMessageId: null } as never] });
  await pass();
  expect(await idsOf(THIRD)).toEqual([]);
  expect(await idsOf(OTHER)).toHaveLength(10);
  expect(await idsOf(FRIEND_CHAT)).toHaveLength(10);
  expect(await disk.outbox()).toHaveLength(1);
  const stored = (await disk.chats()).find((chat) => chat.key === THIRD);
  expect(stored).toMatchObject({ draft: "unsent", newest: { id: 39 }, knownFrom: 40 });
});

test("R9 messages that lie there from before the index are found after a while", async () => {
  const { disk, fill, pass } = await setUp({ perChat: 1_000, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 450);
  await disk.flush();
  disk.termsOf = termsOf;
  const term = { text: "text", isPrefix: false };
  expect(await disk.placesOf(term, null)).toEqual([]);
  await pass();
  expect(await disk.placesOf(term, null)).toHaveLength(450);
  expect(await disk.value("indexed")).toBe(1);
});
