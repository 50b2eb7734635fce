import { expect, test } from "vitest";
import { totalUnread } from "../model/selectors.ts";
import { chatListOrder, isChatListLoading } from "../model/chats/first-chats.ts";
import { friendVO, NOON, privateRow, userInfo } from "../testing/builders.ts";
import { LOCAL_KEYS } from "../storage/key-value-storage.ts";
import { createMemoryStorage, type MemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  advanceTime,
  answerLoginRequests,
  createSingleClient,
  pushedRow,
  reload,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";

const FRIEND_CHAT = "PRIVATE:2";

function firstChat(part: object = {}) {
  return {
    type: "PRIVATE",
    targetId: 2,
    name: "Ann",
    headImage: null,
    isTop: false,
    msgRemind: null,
    unread: 2,
    firstUnreadId: null,
    atMe: false,
    atAll: false,
    mine: -1,
    theirs: -1,
    message: privateRow({ id: 7, sendTime: NOON, content: "newest" }),
    ...part,
  };
}

async function logIn(single: SingleClient): Promise<void> {
  single.ports.http.hasFirstChats = true;
  const form = { userName: "me", password: "password", rememberName: true, rememberPassword: false };
  void single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await flushMicrotasks();
}

test("I103 I104 a new device shows the first chats before its pulls have ended, and asks for them at once", async () => {
  const single = createSingleClient();
  await logIn(single);
  expect(single.waiting()).toContain("/chats/first?n=30");
  expect(isChatListLoading(single.client.getState())).toBe(true);
  await single.respond("/chats/first", { chats: [firstChat(), firstChat({ targetId: 3, name: null })] });
  const state = () => single.client.getState();
  expect(chatListOrder(state())).toEqual([FRIEND_CHAT]);
  expect(totalUnread(state())).toBe(2);
  expect(state().chats.byKey).toEqual({});

  await single.goOnline();
  await answerLoginRequests(single);
  await single.push(pushedRow(6), pushedRow(7, { content: "newest" }));
  expect(state().chats.order).toEqual([]);
  expect(chatListOrder(state())).toEqual([FRIEND_CHAT]);
  await single.endPulls();
  expect(state()).toMatchObject({ firstChats: null, pulled: "now" });
  expect(chatListOrder(state())).toEqual([FRIEND_CHAT]);
  expect(totalUnread(state())).toBe(2);
  expect(single.notices).toEqual([]);
});

/** Lets databases open only after the returned function was called. */
function delayOpening(storage: MemoryStorage): () => Promise<void> {
  const { open } = storage;
  const { promise, resolve } = Promise.withResolvers<void>();
  storage.open = async (name) => {
    await promise;
    return open(name);
  };
  return async () => {
    resolve();
    await flushMicrotasks();
  };
}

test("I104 a device without data shows the first chats before its local database is open, and keeps what the person does in that time", async () => {
  const storage = createMemoryStorage();
  const openDatabase = delayOpening(storage);
  const single = createSingleClient({ storage });
  await logIn(single);
  await single.respond("/chats/first", { chats: [firstChat()] });
  expect(single.client.getState().session.kind).toBe("restoring");
  expect(chatListOrder(single.client.getState())).toEqual([FRIEND_CHAT]);
  single.client.chats.open(FRIEND_CHAT);
  single.client.chats.setDraft(FRIEND_CHAT, "typed early");
  await advanceTime(single, 1_000);
  await openDatabase();
  expect(single.client.getState().session.kind).toBe("active");
  expect(single.waiting().filter((path) => path.startsWith("/chats/first"))).toEqual([]);
  const again = await reload(single);
  expect(again.client.getState().chats).toMatchObject({
    openKey: FRIEND_CHAT,
    byKey: { [FRIEND_CHAT]: { draft: "typed early" } },
  });
});

/** A device that has pulled a chat with one message and a draft; then the page was reloaded. */
async function pulledDevice(): Promise<SingleClient> {
  const single = createSingleClient();
  await logIn(single);
  await single.respond("/chats/first", { chats: [firstChat()] });
  await single.goOnline();
  await answerLoginRequests(single, [friendVO()]);
  await single.push(pushedRow(7, { content: "newest" }));
  await single.endPulls();
  single.client.chats.setDraft(FRIEND_CHAT, "stored");
  await advanceTime(single, 1_000);
  return single;
}

test("I104 a device that has pulled before does not ask for the first chats", async () => {
  const again = await reload(await pulledDevice());
  expect(again.waiting().filter((path) => path.startsWith("/chats/first"))).toEqual([]);
  expect(again.client.getState()).toMatchObject({ pulled: "before", firstChats: null });
});

test("I104 a device that has forgotten that it has pulled keeps what is stored, also of a chat that is opened early", async () => {
  const single = await pulledDevice();
  single.ports.storage.local.remove(`${LOCAL_KEYS.pulled}parley-chats:https://im.example:${userInfo().id}`);
  const storage = single.ports.storage.tab(true);
  const openDatabase = delayOpening(storage);
  const again = createSingleClient({ storage, name: "again" });
  again.ports.http.hasFirstChats = true;
  void again.client.session.resume();
  await flushMicrotasks();
  await again.respond("/chats/first", { chats: [firstChat()] });
  again.client.chats.open(FRIEND_CHAT);
  await advanceTime(again, 1_000);
  await openDatabase();
  expect(again.client.getState()).toMatchObject({
    pulled: "before",
    firstChats: null,
    chats: { byKey: { [FRIEND_CHAT]: { draft: "stored", sync: { knownFrom: 0 } } } },
  });
  const last = await reload(again);
  last.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(last.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({
    draft: "stored",
    window: { messages: [{ content: "newest" }] },
    sync: { knownFrom: 0 },
  });
});

test("I103 an empty list says nothing until all three pulls have ended, also with an older server", async () => {
  const single = createSingleClient();
  await logIn(single);
  single.ports.http.replyRaw("/chats/first", {
    kind: "answer",
    status: 404,
    text: "",
    retryAfterSeconds: null,
  });
  await flushMicrotasks();
  await single.goOnline();
  await answerLoginRequests(single);
  const loading = () => isChatListLoading(single.client.getState());
  expect(loading()).toBe(true);
  for (const cmd of [3, 4]) await single.push({ cmd, data: { type: 30, content: "false" } });
  expect(loading()).toBe(true);
  await single.endPulls();
  expect(loading()).toBe(false);
  expect(single.notices).toEqual([]);
});

test("I104 an answer that comes after the pulls, or after the logout, changes nothing", async () => {
  const single = createSingleClient();
  await logIn(single);
  await single.goOnline();
  await answerLoginRequests(single);
  await single.endPulls();
  await single.respond("/chats/first", { chats: [firstChat()] });
  expect(single.client.getState().firstChats).toBeNull();

  const other = createSingleClient();
  await logIn(other);
  await other.respond("/chats/first", { chats: [firstChat()] });
  void other.client.session.logout();
  await flushMicrotasks();
  expect(other.client.getState().firstChats).toBeNull();
});

test("I105 a chat that is opened before the pulls have ended has its messages from the server, and is complete after", async () => {
  const single = createSingleClient();
  await logIn(single);
  await single.respond("/chats/first", { chats: [firstChat()] });
  single.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  const texts = () =>
    single.client.getState().chats.byKey[FRIEND_CHAT]?.window.messages.map(({ content }) => content);
  await single.respond("/message/private/history", [
    privateRow({ id: 7, sendTime: NOON + 7, content: "newest" }),
    privateRow({ id: 6, sendTime: NOON + 6, content: "before" }),
  ]);
  expect(texts()).toEqual(["before", "newest"]);
  await single.goOnline();
  await answerLoginRequests(single, [friendVO()]);
  await single.push(
    pushedRow(6, { content: "before" }),
    pushedRow(7, { content: "newest" }),
    pushedRow(8, { content: "live" }),
  );
  await single.endPulls();
  expect(texts()).toEqual(["before", "newest", "live"]);
  expect(single.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({
    unread: 3,
    sync: { knownFrom: 0 },
  });
});

/** A new device whose person has opened a chat that only the server has. */
async function openUnknownChat(): Promise<SingleClient> {
  const single = createSingleClient();
  await logIn(single);
  await single.respond("/chats/first", { chats: [firstChat()] });
  single.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  return single;
}

const idsOf = (single: SingleClient) =>
  single.client.getState().chats.byKey[FRIEND_CHAT]?.window.messages.map(({ id }) => id);

test("I105 a chat that was opened before a reload is complete on this device once the pulls have ended", async () => {
  const single = await openUnknownChat();
  single.client.chats.closeOpen();
  const again = await reload(single);
  expect(again.client.getState().chats.byKey[FRIEND_CHAT]?.sync.knownFrom).toBe(Infinity);
  await again.goOnline();
  await answerLoginRequests(again);
  await again.push(pushedRow(6), pushedRow(7));
  await again.endPulls();
  const last = await reload(again);
  last.client.chats.open(FRIEND_CHAT);
  await flushMicrotasks();
  expect(idsOf(last)).toEqual([6, 7]);
});

test("I105 a chat that is open at a reload before the pulls have ended has its messages from the server, without delaying the start", async () => {
  const again = await reload(await openUnknownChat());
  expect(again.client.getState()).toMatchObject({
    session: { kind: "active" },
    chats: { openKey: FRIEND_CHAT },
  });
  await again.respond("/message/private/history", [privateRow({ id: 7 }), privateRow({ id: 6 })]);
  expect(idsOf(again)).toEqual([6, 7]);
});

test("I105 what was removed from this device before the pulls had ended still comes from the server", async () => {
  const single = await openUnknownChat();
  await single.respond("/message/private/history", [privateRow({ id: 7 }), privateRow({ id: 6 })]);
  await single.client.storage.clear();
  await single.goOnline();
  await answerLoginRequests(single);
  await single.push(pushedRow(8));
  await single.endPulls();
  expect(single.client.getState().chats.byKey[FRIEND_CHAT]?.sync.knownFrom).toBe(8);
});
