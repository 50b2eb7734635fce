import { expect, test } from "vitest";
import { toChatMessage } from "../model/chats/chat-rows.ts";
import { createStateStore } from "../state-store.ts";
import { createLocalDatabase } from "../storage/local-database.ts";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { createFakePorts } from "../testing/fake-ports.ts";
import { createChatStore } from "./chat-store.ts";
import type { Api } from "../connection/api.ts";
import { createLocalPages } from "./local-pages.ts";

const ME = 1;
const NEWEST = 1_000_000;
const KEPT_FROM = NEWEST - 300;

/** A device that has the newest 300 messages of a chat of a million, and the ids of an earlier jump. */
async function setUp(jumpedTo: readonly number[]) {
  const ports = createFakePorts();
  const stateStore = createStateStore();
  const database = createLocalDatabase({
    ports,
    searchTermsOf: () => [],
    onRefused: () => undefined,
    onCorruption: () => undefined,
  });
  await database.open("pages");
  const chatStore = createChatStore({
    stateStore,
    database,
    me: ME,
    onRows: () => undefined,
    onInputs: () => undefined,
    onPreviewNeeded: () => undefined,
    onLocalEchoOutsideWindow: () => undefined,
  });
  const messages = (ids: readonly number[]) => ids.map((id) => toChatMessage(privateRow({ id }), ME));
  const kept = Array.from({ length: NEWEST - KEPT_FROM + 1 }, (_, index) => KEPT_FROM + index);
  chatStore.dispatch(messages(kept).map((message) => ({ kind: "row", key: FRIEND_CHAT, message })));
  chatStore.dispatch([{ kind: "evict", key: FRIEND_CHAT, below: KEPT_FROM, at: 1 }]);
  const [from, to] = [jumpedTo[0] ?? 0, (jumpedTo.at(-1) ?? 0) + 1];
  if (jumpedTo.length > 0) {
    const page = { messages: messages(jumpedTo), from, to, isFromServer: true };
    chatStore.dispatch([{ kind: "page", key: FRIEND_CHAT, page, purpose: "around" }]);
  }
  await database.flush();
  const reads = { count: 0 };
  const counted = {
    ...database,
    messagesAfter: (...place: Parameters<typeof database.messagesAfter>) => {
      reads.count += 1;
      return database.messagesAfter(...place);
    },
    messagesBefore: (...place: Parameters<typeof database.messagesBefore>) => {
      reads.count += 1;
      return database.messagesBefore(...place);
    },
  };
  const deps = { ports, api: {} as Api, stateStore, database: counted, chatStore, me: ME, pageSize: 50 };
  const { idAt, around } = createLocalPages(deps, { hasHistory: () => true });
  return {
    idAt: (id: number) => idAt(FRIEND_CHAT, privateRow({ id }).sendTime),
    around: (id: number) => around(FRIEND_CHAT, id),
    reads,
  };
}

test("I17 a jump to a time that only the server has reads the local database once for each part that it has", async () => {
  const { idAt, reads } = await setUp([]);
  expect(await idAt(500)).toBeNull();
  expect(reads.count).toBe(1);
  const jumped = await setUp([4_000, 4_001, 4_002]);
  expect(await jumped.idAt(500)).toBeNull();
  expect(jumped.reads.count).toBe(2);
});

test("I17 a jump to a message that only the server has does not read the local database", async () => {
  const { around, reads } = await setUp([4_000, 4_001, 4_002]);
  expect(await around(500)).toBeNull();
  expect(reads.count).toBe(0);
  expect((await around(4_001))?.messages.map(({ id }) => id)).toEqual([4_000, 4_001, 4_002]);
});

test("I17 a time between two parts of a chat is not in the local database", async () => {
  const { idAt } = await setUp([4_000, 4_001, 4_002]);
  expect(await idAt(4_003)).toBeNull();
  expect(await idAt(KEPT_FROM)).toBeNull();
});

test("I17 a time is found in every part of a chat that the local database has", async () => {
  const { idAt } = await setUp([4_000, 4_001, 4_002]);
  expect(await idAt(4_001)).toBe(4_001);
  expect(await idAt(4_002)).toBe(4_002);
  expect(await idAt(KEPT_FROM + 1)).toBe(KEPT_FROM + 1);
  expect(await idAt(NEWEST)).toBe(NEWEST);
  // After the last message, the last one is shown.
  expect(await idAt(NEWEST + 5)).toBe(NEWEST);
});
