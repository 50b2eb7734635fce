import { describe, expect, test } from "vitest";
import { answerHistory } from "../testing/answer-history.ts";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import {
  createSingleClient,
  createLoggedInClient,
  pushedRow,
  type SingleClient,
} from "../testing/single-client.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const numbersBetween = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Every second id belongs to another chat. */
const isInChat = (id: number) => id % 2 === 0;
const STORED = numbersBetween(1, 4_000)
  .filter(isInChat)
  .map((id) => privateRow({ id }));
const storedIds = (from: number, to: number) => numbersBetween(from, to).filter(isInChat);

const livePush = (id: number) => pushedRow(id, { sendTime: privateRow({ id }).sendTime });

const windowOf = (single: SingleClient) => {
  const chat = single.client.getState().chats.byKey[FRIEND_CHAT];
  if (chat === undefined) throw new Error("no chat");
  return chat.window;
};
const ids = (single: SingleClient) => windowOf(single).messages.map((message) => message.id);
const firstId = (single: SingleClient) => ids(single)[0] ?? 0;
const lastId = (single: SingleClient) => ids(single).at(-1) ?? 0;

/** A client online with the newest messages of a long chat; the server has the rest. */
async function createClientWithLongChat(
  options: { isRead?: boolean; from?: number; hasLocalDatabase?: boolean } = {},
): Promise<SingleClient> {
  const storage = createMemoryStorage();
  storage.shouldRefuse = options.hasLocalDatabase === false;
  const single = await createLoggedInClient({ storage });
  single.ports.sockets.last().close(1006);
  await flushMicrotasks();
  single.ports.http.waiting.splice(0);
  single.client.session.reconnectNow();
  await flushMicrotasks();
  await single.goOnline();
  const from = options.from ?? 3_902;
  const gap = { cmd: 3, data: { type: 30, content: "true", fromId: from } };
  await single.push(gap, ...storedIds(from, 4_000).map((id) => livePush(id)));
  await single.endPulls();
  if (options.isRead ?? true) single.client.chats.markReadUpTo(FRIEND_CHAT, 4_000);
  return single;
}

async function jump(single: SingleClient, to: { id: number } | { time: number }): Promise<number | null> {
  const jumped = single.client.chats.jumpTo(FRIEND_CHAT, to);
  await answerHistory(single, STORED);
  return jumped;
}

async function loadPage(single: SingleClient, side: "loadOlder" | "loadNewer"): Promise<string[]> {
  single.client.chats[side](FRIEND_CHAT);
  return answerHistory(single, STORED);
}

describe("jumps", () => {
  test("I17 a jump far back and scrolling both ways show what the server has, in order and without a gap", async () => {
    const single = await createClientWithLongChat();
    expect(await jump(single, { id: 1_000 })).toBe(1_000);
    expect(ids(single)).toEqual(storedIds(900, 1_098));
    for (let i = 0; i < 10; i++) {
      await loadPage(single, "loadOlder");
      expect(ids(single)).toEqual(storedIds(firstId(single), lastId(single)));
    }
    expect(ids(single)[0]).toBe(2);
    expect(windowOf(single).hasOlder).toBe(false);
    while (windowOf(single).hasNewer) {
      await loadPage(single, "loadNewer");
      expect(ids(single)).toEqual(storedIds(firstId(single), lastId(single)));
    }
    expect(lastId(single)).toBe(4_000);
    await single.push(livePush(4_002));
    expect(lastId(single)).toBe(4_002);
  });

  test("I17 the second jump to the same place reads the local database only", async () => {
    const single = await createClientWithLongChat();
    await jump(single, { id: 1_000 });
    await loadPage(single, "loadOlder");
    await loadPage(single, "loadNewer");
    single.client.chats.showNewest(FRIEND_CHAT);
    await answerHistory(single, STORED);
    const again = single.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    expect(await answerHistory(single, STORED)).toEqual([]);
    expect(await again).toBe(1_000);
    expect(ids(single)).toEqual(storedIds(firstId(single), lastId(single)));
  });

  test("I17 a jump to a deleted message shows its neighbour", async () => {
    const single = await createClientWithLongChat();
    expect(await jump(single, { id: 1_001 })).toBe(1_002);
    expect(await jump(single, { id: 9_999 })).toBe(4_000);
  });

  test.each([
    ["within", 1_000, 1_000],
    ["before the beginning", -5, 2],
    ["after the end", 99_000, 4_000],
  ])("I17 a jump to a time %s shows the first message from then on", async (_name, id, expected) => {
    const single = await createClientWithLongChat();
    expect(await jump(single, { time: privateRow({ id }).sendTime })).toBe(expected);
    expect(ids(single)).toContain(expected);
  });

  test("I17 a jump to a message in memory sends no request", async () => {
    const single = await createClientWithLongChat();
    const jumped = single.client.chats.jumpTo(FRIEND_CHAT, { id: 3_950 });
    expect(await answerHistory(single, STORED)).toEqual([]);
    expect(await jumped).toBe(3_950);
    expect(windowOf(single).hasNewer).toBe(false);
  });

  test("I17 a jump that fails leaves the window as it is", async () => {
    const single = await createClientWithLongChat();
    const before = ids(single);
    const jumped = single.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    await flushMicrotasks();
    single.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    expect(await jumped).toBeNull();
    expect(ids(single)).toEqual(before);
  });

  test("I17 the later one of two jumps wins", async () => {
    const single = await createClientWithLongChat();
    const one = single.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    const two = single.client.chats.jumpTo(FRIEND_CHAT, { id: 2_000 });
    await answerHistory(single, STORED);
    expect([await one, await two]).toEqual([null, 2_000]);
    expect(ids(single)).toContain(2_000);
  });

  test("I17 a row that arrives while the newest page is read is in the window", async () => {
    const single = await createClientWithLongChat();
    await jump(single, { id: 1_000 });
    single.client.chats.showNewest(FRIEND_CHAT);
    await single.push(livePush(4_002));
    await answerHistory(single, STORED);
    expect(lastId(single)).toBe(4_002);
    expect(windowOf(single).hasNewer).toBe(false);
  });
});

describe("opening", () => {
  test("I18 a chat whose first unread message is not in memory opens around it, from the server without a local database", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_002, hasLocalDatabase: false });
    single.client.chats.markReadUpTo(FRIEND_CHAT, 3_200);
    single.client.chats.open(FRIEND_CHAT);
    expect(windowOf(single).older).toBe("loading");
    expect(await answerHistory(single, STORED)).toEqual(["friendId=2&size=100&aroundId=3202"]);
    expect(ids(single)).toEqual(storedIds(3_102, 3_300));
    expect(windowOf(single)).toMatchObject({ hasOlder: true, hasNewer: true, older: "idle" });
  });

  test("I18 a chat whose first unread message is not in memory opens around it, from the local database", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_002 });
    expect(ids(single)).toHaveLength(60);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 3_200);
    single.client.chats.open(FRIEND_CHAT);
    expect(windowOf(single).older).toBe("loading");
    expect(await answerHistory(single, STORED)).toEqual([]);
    expect(ids(single)).toEqual(storedIds(3_102, 3_300));
    expect(windowOf(single)).toMatchObject({ hasOlder: true, hasNewer: true, older: "idle" });
  });

  test("a chat whose first unread message is not in memory opens at its newest messages when that is asked for", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_002 });
    single.client.chats.markReadUpTo(FRIEND_CHAT, 3_200);
    single.client.chats.open(FRIEND_CHAT, "newest");
    await answerHistory(single, STORED);
    expect(ids(single)).toEqual(storedIds(firstId(single), 4_000));
    expect(windowOf(single)).toMatchObject({ hasOlder: true, hasNewer: false, older: "idle" });
  });

  test("I18 an unread message near the newest ones opens as one window", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_802 });
    single.client.chats.open(FRIEND_CHAT);
    await answerHistory(single, STORED);
    expect(ids(single)).toEqual(storedIds(firstId(single), 4_000));
    expect(firstId(single)).toBeLessThanOrEqual(3_802);
    expect(windowOf(single).hasNewer).toBe(false);
  });

  test("I18 without database and server the chat shows its newest messages and the failed load", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_802 });
    single.ports.storage.shouldRefuse = true;
    single.client.chats.open(FRIEND_CHAT);
    await flushMicrotasks();
    single.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    expect(lastId(single)).toBe(4_000);
    expect(windowOf(single).older).toBe("failed");
  });

  test("I18 a restart opens the chat at its first unread message without waiting for the server", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_002 });
    single.client.chats.open(FRIEND_CHAT);
    await answerHistory(single, STORED);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 3_200);
    clockOf(single.ports).advance(200);
    await flushMicrotasks();
    const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    expect(ids(again)).toEqual(storedIds(3_102, 3_300));
  });
});

describe("writing while the window shows the past", () => {
  test("I19 writing while the window shows the past goes to the newest messages and shows the new one", async () => {
    const single = await createClientWithLongChat();
    await jump(single, { id: 1_000 });
    single.client.chats.sendText(FRIEND_CHAT, "here");
    await answerHistory(single, STORED);
    expect(windowOf(single).hasNewer).toBe(false);
    expect(windowOf(single).messages.at(-1)).toMatchObject({ id: null, content: "here" });
    expect(ids(single).at(-2)).toBe(4_000);
  });

  test("I19 a sent message is shown at the newest end when neither database nor server answers", async () => {
    const single = await createClientWithLongChat();
    await jump(single, { id: 1_000 });
    single.ports.storage.shouldRefuse = true;
    single.client.chats.sendText(FRIEND_CHAT, "here");
    await flushMicrotasks();
    single.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    expect(windowOf(single).messages.at(-1)).toMatchObject({ id: null, content: "here" });
    expect(windowOf(single)).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("I19 writing while the chat still opens at its first unread message stays at the newest messages", async () => {
    const single = await createClientWithLongChat({ isRead: false, from: 3_002 });
    single.client.chats.open(FRIEND_CHAT);
    single.client.chats.sendText(FRIEND_CHAT, "here");
    await answerHistory(single, STORED);
    expect(windowOf(single)).toMatchObject({ hasNewer: false, older: "idle" });
    expect(windowOf(single).messages.at(-1)).toMatchObject({ id: null, content: "here" });
  });
});
