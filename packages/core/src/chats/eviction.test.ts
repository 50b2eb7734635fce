import { expect, test, vi } from "vitest";
import { FRIEND_CHAT, NOON, privateRow, systemRow } from "../testing/builders.ts";
import { clockOf, createFakePorts, type FakePortsOptions } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { readSystemRow } from "../model/connection/read-frame.ts";
import { SYSTEM_CHAT, toChatMessage } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import { createChatStore } from "./chat-store.ts";
import { createPageLoader } from "./page-loader.ts";
import { createLocalDatabase } from "../storage/local-database.ts";
import { bindToSession, createScope } from "../session-scope.ts";
import { createStateStore } from "../state-store.ts";
import { createTabSync } from "../storage/tab-sync.ts";
import { searchTermsOf } from "../search/search-terms.ts";
import { createEviction } from "./eviction.ts";

const LATER_MS = 200_000;
const OTHER: ChatKey = "PRIVATE:3";
const THIRD: ChatKey = "PRIVATE:4";

async function setUp(
  limits: { perChat: number; bytes?: number } | undefined,
  options: FakePortsOptions = {},
) {
  const ports = createFakePorts(options);
  const stateStore = createStateStore();
  const index = { termsOf: (_: ChatMessage): readonly string[] => [] };
  const database = createLocalDatabase({
    ports,
    searchTermsOf: (message) => index.termsOf(message),
    onRefused: () => undefined,
    onCorruption: () => undefined,
  });
  await database.open("eviction");
  const me = 1;
  const chatStore = createChatStore({
    stateStore,
    database,
    me,
    onRows: () => undefined,
    onInputs: () => undefined,
    onPreviewNeeded: () => undefined,
    onLocalEchoOutsideWindow: () => undefined,
  });
  const { broadcast } = createTabSync({
    ports,
    chatStore,
    me,
    onDraft: () => undefined,
    onCleared: () => undefined,
  });
  const pageLoader = createPageLoader({
    ports,
    api: {} as Api,
    stateStore,
    database,
    chatStore,
    me,
    pageSize: 50,
  });
  const fill = (key: ChatKey, from: number, to: number) =>
    chatStore.dispatch(
      Array.from({ length: to - from + 1 }, (_, i) => ({
        kind: "row" as const,
        key,
        message: toChatMessage(privateRow({ id: from + i }), 1),
      })),
    );
  const open = (key: ChatKey, now: number) => chatStore.dispatch([{ kind: "open", key, now }]);
  const idsOf = async (key: ChatKey) =>
    (await database.messagesBefore(key, Infinity, 999)).map(({ id }) => id);
  const deps = { me, stateStore, database, chatStore, broadcast, ...(limits && { limits }) };
  const eviction = createEviction({ ...deps, ports });
  async function runEviction() {
    const session = createScope();
    const bound = bindToSession({ ports, stateStore, api: {} as Api }, session);
    createEviction({ ...deps, ports: bound.ports }).start();
    clockOf(ports).advance(LATER_MS);
    for (let i = 0; i < 20; i++) await flushMicrotasks();
    session.end();
  }
  const knownFrom = () => stateStore.get().chats.byKey[FRIEND_CHAT]?.sync.knownFrom;
  return {
    ports,
    stateStore,
    database,
    chatStore,
    index,
    pageLoader,
    fill,
    open,
    idsOf,
    eviction,
    runEviction,
    knownFrom,
  };
}

test("R8 a run that fails is not the last one", async () => {
  const { ports, database, fill, idsOf, eviction } = await setUp({ perChat: 5, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 12);
  const sizes = vi.spyOn(database, "sizes").mockRejectedValueOnce(new Error("refused"));
  eviction.start();
  for (let run = 1; run <= 2; run++) {
    clockOf(ports).advance(run * 2 * 3_600_000);
    for (let i = 0; i < 20; i++) await flushMicrotasks();
  }
  expect(sizes.mock.calls.length).toBeGreaterThan(1);
  expect(await idsOf(FRIEND_CHAT)).toEqual([8, 9, 10, 11, 12]);
});

test("R8 the local database keeps the newest messages of a long chat and knows that the rest is on the server", async () => {
  const { stateStore, chatStore, database, fill, idsOf, runEviction } = await setUp({
    perChat: 5,
    bytes: Infinity,
  });
  fill(FRIEND_CHAT, 1, 12);
  fill(OTHER, 20, 22);
  const rows = Array.from({ length: 9 }, (_, i) => readSystemRow(systemRow({ seqNo: i + 1 })));
  chatStore.dispatch(rows.flatMap((row) => (row.kind === "chat" ? [row.input] : [])));
  await runEviction();
  expect(await idsOf(FRIEND_CHAT)).toEqual([8, 9, 10, 11, 12]);
  expect(await idsOf(OTHER)).toEqual([20, 21, 22]);
  // The messages of the system chat exist nowhere else.
  expect(await idsOf(SYSTEM_CHAT)).toHaveLength(9);
  expect(stateStore.get().chats.byKey[FRIEND_CHAT]?.sync.knownFrom).toBe(8);
  const stored = (await database.chats()).find((chat) => chat.key === FRIEND_CHAT);
  expect(stored).toMatchObject({ sync: { knownFrom: 8, newest: { id: 12 } } });
});

test("R8 of a chat of a million messages 2,000 stay on the device, however many were pulled or read", async () => {
  const { database, fill, open, runEviction, knownFrom } = await setUp(undefined);
  open(FRIEND_CHAT, NOON);
  const newest = 1_000_000;
  fill(FRIEND_CHAT, newest - 4_999, newest);
  await database.flush();
  const sizeOf = async () => (await database.sizes(1)).map(({ chatKey, count }) => ({ chatKey, count }));
  expect(await sizeOf()).toEqual([{ chatKey: FRIEND_CHAT, count: 5_000 }]);
  await runEviction();
  expect(await sizeOf()).toEqual([{ chatKey: FRIEND_CHAT, count: 2_000 }]);
  expect(knownFrom()).toBe(newest - 1_999);
});

test("R8 messages evicted by one tab are no longer known to the other tabs, also after they save", async () => {
  const [device, storage] = [createFakeTabs(), createMemoryStorage()];
  const limits = { perChat: 5, bytes: Infinity };
  const tab = await setUp(limits, { device, storage });
  const other = await setUp(limits, { device, storage: storage.tab(false) });
  for (const { fill } of [tab, other]) fill(FRIEND_CHAT, 1, 12);
  await other.database.flush();
  await tab.runEviction();
  expect(other.knownFrom()).toBe(8);
  other.fill(FRIEND_CHAT, 13, 13);
  await other.database.flush();
  expect((await tab.database.chats())[0]).toMatchObject({ sync: { knownFrom: 8, newest: { id: 13 } } });
  const page = await other.pageLoader.local(FRIEND_CHAT, "older", 13);
  expect([page?.from, page?.messages.map(({ id }) => id)]).toEqual([8, [8, 9, 10, 11, 12]]);
});

test("I11 after another tab's eviction that this tab did not hear of, the oldest stored message is not the beginning of the chat", async () => {
  const storage = createMemoryStorage();
  const limits = { perChat: 5, bytes: Infinity };
  const tab = await setUp(limits, { storage });
  const isolated = await setUp(limits, { storage: storage.tab(false) });
  for (const { fill } of [tab, isolated]) fill(FRIEND_CHAT, 1, 12);
  await isolated.database.flush();
  await tab.runEviction();
  expect(isolated.knownFrom()).toBe(0);
  expect(await isolated.pageLoader.local(FRIEND_CHAT, "older", 8)).toBeNull();
  expect(isolated.knownFrom()).toBe(8);
  expect(await isolated.pageLoader.local(FRIEND_CHAT, "newer", 3)).toBeNull();
  // Rows that the server sends are stored again and count as known.
  const messages = [6, 7].map((id) => toChatMessage(privateRow({ id }), 1));
  const page = { messages, from: 0, to: 8, isFromServer: true };
  isolated.chatStore.dispatch([{ kind: "page", key: FRIEND_CHAT, page, purpose: "older" }]);
  expect(await isolated.pageLoader.local(FRIEND_CHAT, "older", 8)).toMatchObject({
    from: 0,
    messages: [{ id: 6 }, { id: 7 }],
  });
});

test("R8 a tab that hears only of the last eviction does not rely on rows that an earlier one removed", async () => {
  const storage = createMemoryStorage();
  const limits = { perChat: 5, bytes: 1 };
  const tab = await setUp(limits, { storage });
  const isolated = await setUp(limits, { storage: storage.tab(false) });
  for (const { fill } of [tab, isolated]) fill(FRIEND_CHAT, 1, 12);
  await isolated.database.flush();
  await tab.runEviction();
  expect(tab.knownFrom()).toBe(13);
  const messages = [2, 3, 4, 5, 6, 7].map((id) => toChatMessage(privateRow({ id }), 1));
  const page = { messages, from: 2, to: 8, isFromServer: true };
  tab.chatStore.dispatch([{ kind: "page", key: FRIEND_CHAT, page, purpose: "older" }]);
  limits.bytes = Infinity;
  await tab.runEviction();
  expect(await tab.pageLoader.local(FRIEND_CHAT, "older", 8)).toMatchObject({ from: 3, to: 8 });
  expect(await isolated.pageLoader.local(FRIEND_CHAT, "older", 12)).toBeNull();
  expect(isolated.knownFrom()).toBe(13);
});

test("R8 when all chats are too big, the least recently opened go first, never the open one, an unsent message or a draft", async () => {
  const { chatStore, database, fill, open, idsOf, runEviction } = await setUp({ perChat: 100, bytes: 7_500 });
  fill(FRIEND_CHAT, 1, 10);
  fill(OTHER, 20, 29);
  fill(THIRD, 30, 39);
  open(OTHER, NOON + 3);
  open(THIRD, NOON + 2);
  open(FRIEND_CHAT, NOON + 1);
  chatStore.dispatch([{ kind: "draft", key: THIRD, text: "unsent" }]);
  const entry = { tmpId: "t", chatKey: THIRD, type: 0, content: "hi", createdAt: 1, failed: false };
  database.save({ outbox: [{ ...entry, failure: null, quoteMessageId: null } as never] });
  await runEviction();
  expect(await idsOf(THIRD)).toEqual([]);
  expect(await idsOf(OTHER)).toHaveLength(10);
  expect(await idsOf(FRIEND_CHAT)).toHaveLength(10);
  expect(await database.outbox()).toHaveLength(1);
  const stored = (await database.chats()).find((chat) => chat.key === THIRD);
  expect(stored).toMatchObject({ draft: "unsent", sync: { newest: { id: 39 }, knownFrom: 40 } });
});

test("R9 messages saved with other search terms are found after reindexing", async () => {
  const { database, index, fill, runEviction } = await setUp({ perChat: 1_000, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 450);
  await database.flush();
  index.termsOf = searchTermsOf;
  const term = { text: "text", isPrefix: false };
  expect(await database.messagesWithTerm(term, null)).toEqual([]);
  await runEviction();
  expect(await database.messagesWithTerm(term, null)).toHaveLength(450);
  expect(await database.value("indexed")).toBe(1);
});

test("ST2 clearing removes all messages but those of the system chat; drafts, unsent messages and the chats themselves stay", async () => {
  const { chatStore, database, eviction, fill, open, idsOf, pageLoader, stateStore } = await setUp({
    perChat: 100,
  });
  fill(FRIEND_CHAT, 1, 10);
  fill(OTHER, 20, 29);
  open(FRIEND_CHAT, NOON);
  const system = readSystemRow(systemRow({ seqNo: 1 }));
  chatStore.dispatch([
    ...(system.kind === "chat" ? [system.input] : []),
    { kind: "draft", key: OTHER, text: "unsent" },
  ]);
  const entry = { tmpId: "t", chatKey: OTHER, type: 0, content: "hi", createdAt: 1, failed: false };
  database.save({ outbox: [{ ...entry, failure: null, quoteMessageId: null } as never] });
  expect(await eviction.actions.usage()).toMatchObject({ chats: 3, messages: 21 });
  expect(await eviction.actions.clear()).toBe(true);
  expect([await idsOf(FRIEND_CHAT), await idsOf(OTHER), await idsOf(SYSTEM_CHAT)]).toEqual([[], [], [1_001]]);
  expect(await database.outbox()).toHaveLength(1);
  expect((await database.chats()).find((chat) => chat.key === OTHER)).toMatchObject({
    draft: "unsent",
    sync: { newest: { id: 29 }, knownFrom: 30 },
  });
  expect(await eviction.actions.usage()).toMatchObject({ chats: 1, messages: 1 });
  // The open chat keeps what it shows; older pages come from the server.
  expect(stateStore.get().chats.byKey[FRIEND_CHAT]?.window.messages).toHaveLength(10);
  expect(await pageLoader.local(FRIEND_CHAT, "older", 11)).toBeNull();
  // What arrives afterwards is kept again.
  fill(FRIEND_CHAT, 11, 12);
  expect(await idsOf(FRIEND_CHAT)).toEqual([11, 12]);
});

test("ST2 messages that one tab has cleared are no longer known to the other tabs", async () => {
  const [device, storage] = [createFakeTabs(), createMemoryStorage()];
  const tab = await setUp({ perChat: 100 }, { device, storage });
  const other = await setUp({ perChat: 100 }, { device, storage: storage.tab(false) });
  for (const { fill } of [tab, other]) fill(FRIEND_CHAT, 1, 12);
  await other.database.flush();
  await tab.eviction.actions.clear();
  expect(other.knownFrom()).toBe(13);
});

test("ST2 without a local database there is nothing to count, and clearing says that it failed", async () => {
  const storage = createMemoryStorage();
  const { eviction, fill } = await setUp({ perChat: 100 }, { storage });
  fill(FRIEND_CHAT, 1, 2);
  storage.shouldRefuse = true;
  expect(await eviction.actions.clear()).toBe(false);
  expect(await eviction.actions.usage()).toBeNull();
});

test("ST3 the limit is 200 MB unless the person has chosen 100 MB or 1 GB; a lower one takes effect at once", async () => {
  const { eviction, fill, idsOf, open, ports, database } = await setUp({ perChat: 100 });
  const big = 60 * 1_048_576;
  fill(FRIEND_CHAT, 1, 2);
  fill(OTHER, 3, 4);
  open(OTHER, NOON + 1);
  open(FRIEND_CHAT, NOON + 2);
  const sizes = database.sizes;
  database.sizes = async (retained) => (await sizes(retained)).map((size) => ({ ...size, bytes: big }));
  expect(eviction.actions.limit()).toBe(209_715_200);
  await eviction.actions.setLimit(1_073_741_824);
  expect([await idsOf(FRIEND_CHAT), await idsOf(OTHER)]).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await eviction.actions.setLimit(104_857_600);
  expect([await idsOf(FRIEND_CHAT), await idsOf(OTHER)]).toEqual([[1, 2], []]);
  expect(eviction.actions.limit()).toBe(104_857_600);
  ports.storage.local.set("parley.diskLimit:1", "7");
  expect(eviction.actions.limit()).toBe(209_715_200);
});
