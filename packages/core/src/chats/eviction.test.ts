import { expect, test } from "vitest";
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
import { createEviction, type EvictionLimits } from "./eviction.ts";

const LATER_MS = 200_000;
const OTHER: ChatKey = "PRIVATE:3";
const THIRD: ChatKey = "PRIVATE:4";

async function setUp(limits: EvictionLimits, options: FakePortsOptions = {}) {
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
  async function runEviction() {
    const session = createScope();
    const bound = bindToSession({ ports, stateStore, api: {} as Api }, session);
    createEviction({ ports: bound.ports, stateStore, database, chatStore, broadcast, limits }).start();
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
    runEviction,
    knownFrom,
  };
}

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
  expect(stored).toMatchObject({ knownFrom: 8, newest: { id: 12 } });
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
  expect((await tab.database.chats())[0]).toMatchObject({ knownFrom: 8, newest: { id: 13 } });
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
  expect(stored).toMatchObject({ draft: "unsent", newest: { id: 39 }, knownFrom: 40 });
});

test("R9 messages saved before the index existed are found after reindexing", async () => {
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
