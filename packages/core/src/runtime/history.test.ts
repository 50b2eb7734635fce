import { describe, expect, test } from "vitest";
import { answerHistory } from "../testing/answer-history.ts";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createSolo, loggedIn, pushed, type Solo } from "../testing/logged-in.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { settle } from "../testing/settle.ts";

const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Every second id is another chat's, and some rows are no messages. */
const isTold = (id: number) => id % 2 === 0;
const STORED = run(1, 4_000)
  .filter(isTold)
  .map((id) => privateRow({ id }));
const storedIds = (from: number, to: number) => run(from, to).filter(isTold);

const live = (id: number) => pushed(id, { sendTime: privateRow({ id }).sendTime });

const windowOf = (solo: Solo) => {
  const chat = solo.client.getState().chats.byKey[FRIEND_CHAT];
  if (chat === undefined) throw new Error("no chat");
  return chat.window;
};
const ids = (solo: Solo) => windowOf(solo).messages.map((message) => message.id);
const first = (solo: Solo) => ids(solo)[0] ?? 0;
const last = (solo: Solo) => ids(solo).at(-1) ?? 0;

/** Online, with the newest of a long chat; the server has the rest. */
async function longChat(options: { isRead?: boolean; from?: number; hasDisk?: boolean } = {}): Promise<Solo> {
  const storage = createMemoryStorage();
  storage.refuse = options.hasDisk === false;
  const solo = await loggedIn({ storage });
  solo.ports.sockets.last().close(1006);
  await settle();
  solo.ports.http.waiting.splice(0);
  solo.client.session.retryConnection();
  await settle();
  await solo.goOnline();
  const from = options.from ?? 3_902;
  const gap = { cmd: 3, data: { type: 30, content: "true", fromId: from } };
  await solo.push(gap, ...storedIds(from, 4_000).map((id) => live(id)));
  await solo.endPulls();
  if (options.isRead ?? true) solo.client.chats.markSeen(FRIEND_CHAT, 4_000);
  return solo;
}

async function jump(solo: Solo, to: { id: number } | { time: number }): Promise<number | null> {
  const jumped = solo.client.chats.jumpTo(FRIEND_CHAT, to);
  await answerHistory(solo, STORED);
  return jumped;
}

async function page(solo: Solo, side: "loadOlder" | "loadNewer"): Promise<string[]> {
  solo.client.chats[side](FRIEND_CHAT);
  return answerHistory(solo, STORED);
}

describe("jumps", () => {
  test("I17 a jump far back, then scrolling both ways, shows what the server has, in order and without a hole", async () => {
    const solo = await longChat();
    expect(await jump(solo, { id: 1_000 })).toBe(1_000);
    expect(ids(solo)).toEqual(storedIds(900, 1_098));
    for (let i = 0; i < 10; i++) {
      await page(solo, "loadOlder");
      expect(ids(solo)).toEqual(storedIds(first(solo), last(solo)));
    }
    expect(ids(solo)[0]).toBe(2);
    expect(windowOf(solo).hasOlder).toBe(false);
    while (windowOf(solo).hasNewer) {
      await page(solo, "loadNewer");
      expect(ids(solo)).toEqual(storedIds(first(solo), last(solo)));
    }
    expect(last(solo)).toBe(4_000);
    await solo.push(live(4_002));
    expect(last(solo)).toBe(4_002);
  });

  test("I17 the second way there comes from disk", async () => {
    const solo = await longChat();
    await jump(solo, { id: 1_000 });
    await page(solo, "loadOlder");
    await page(solo, "loadNewer");
    solo.client.chats.toNewest(FRIEND_CHAT);
    await answerHistory(solo, STORED);
    const again = solo.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    expect(await answerHistory(solo, STORED)).toEqual([]);
    expect(await again).toBe(1_000);
    expect(ids(solo)).toEqual(storedIds(first(solo), last(solo)));
  });

  test("I17 a message that is gone is answered by its neighbour", async () => {
    const solo = await longChat();
    expect(await jump(solo, { id: 1_001 })).toBe(1_002);
    expect(await jump(solo, { id: 9_999 })).toBe(4_000);
  });

  test.each([
    ["within", 1_000, 1_000],
    ["before the beginning", -5, 2],
    ["after the end", 99_000, 4_000],
  ])("I17 a jump to a time %s shows the first message from then on", async (_name, id, expected) => {
    const solo = await longChat();
    expect(await jump(solo, { time: privateRow({ id }).sendTime })).toBe(expected);
    expect(ids(solo)).toContain(expected);
  });

  test("I17 a jump to what is in memory asks nobody", async () => {
    const solo = await longChat();
    const jumped = solo.client.chats.jumpTo(FRIEND_CHAT, { id: 3_950 });
    expect(await answerHistory(solo, STORED)).toEqual([]);
    expect(await jumped).toBe(3_950);
    expect(windowOf(solo).hasNewer).toBe(false);
  });

  test("I17 a jump that fails leaves the window as it is", async () => {
    const solo = await longChat();
    const before = ids(solo);
    const jumped = solo.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    await settle();
    solo.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    expect(await jumped).toBeNull();
    expect(ids(solo)).toEqual(before);
  });

  test("I17 of two jumps the later one counts", async () => {
    const solo = await longChat();
    const one = solo.client.chats.jumpTo(FRIEND_CHAT, { id: 1_000 });
    const two = solo.client.chats.jumpTo(FRIEND_CHAT, { id: 2_000 });
    await answerHistory(solo, STORED);
    expect([await one, await two]).toEqual([null, 2_000]);
    expect(ids(solo)).toContain(2_000);
  });

  test("I17 a row that comes while the newest page is read is in the window", async () => {
    const solo = await longChat();
    await jump(solo, { id: 1_000 });
    solo.client.chats.toNewest(FRIEND_CHAT);
    await solo.push(live(4_002));
    await answerHistory(solo, STORED);
    expect(last(solo)).toBe(4_002);
    expect(windowOf(solo).hasNewer).toBe(false);
  });
});

describe("opening", () => {
  test("I18 a chat whose first unread message is not in memory opens around it, without a disk from the server", async () => {
    const solo = await longChat({ isRead: false, from: 3_002, hasDisk: false });
    solo.client.chats.markSeen(FRIEND_CHAT, 3_200);
    solo.client.chats.open(FRIEND_CHAT);
    expect(windowOf(solo).older).toBe("loading");
    expect(await answerHistory(solo, STORED)).toEqual(["friendId=2&size=100&aroundId=3202"]);
    expect(ids(solo)).toEqual(storedIds(3_102, 3_300));
    expect(windowOf(solo)).toMatchObject({ hasOlder: true, hasNewer: true, older: "idle" });
  });

  test("I18 a chat whose first unread message is not in memory opens around it, from disk", async () => {
    const solo = await longChat({ isRead: false, from: 3_002 });
    expect(ids(solo)).toHaveLength(60);
    solo.client.chats.markSeen(FRIEND_CHAT, 3_200);
    solo.client.chats.open(FRIEND_CHAT);
    expect(windowOf(solo).older).toBe("loading");
    expect(await answerHistory(solo, STORED)).toEqual([]);
    expect(ids(solo)).toEqual(storedIds(3_102, 3_300));
    expect(windowOf(solo)).toMatchObject({ hasOlder: true, hasNewer: true, older: "idle" });
  });

  test("I18 an unread message near the newest ones opens as one window", async () => {
    const solo = await longChat({ isRead: false, from: 3_802 });
    solo.client.chats.open(FRIEND_CHAT);
    await answerHistory(solo, STORED);
    expect(ids(solo)).toEqual(storedIds(first(solo), 4_000));
    expect(first(solo)).toBeLessThanOrEqual(3_802);
    expect(windowOf(solo).hasNewer).toBe(false);
  });

  test("I18 when nobody can tell, the chat shows its newest messages and says so", async () => {
    const solo = await longChat({ isRead: false, from: 3_802 });
    solo.ports.storage.refuse = true;
    solo.client.chats.open(FRIEND_CHAT);
    await settle();
    solo.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await settle();
    expect(last(solo)).toBe(4_000);
    expect(windowOf(solo).older).toBe("failed");
  });

  test("I18 a restart opens the chat at its first unread message without waiting for the server", async () => {
    const solo = await longChat({ isRead: false, from: 3_002 });
    solo.client.chats.open(FRIEND_CHAT);
    await answerHistory(solo, STORED);
    solo.client.chats.markSeen(FRIEND_CHAT, 3_200);
    clockOf(solo.ports).advance(200);
    await settle();
    const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    expect(ids(again)).toEqual(storedIds(3_102, 3_300));
  });
});

describe("writing in the past", () => {
  test("I19 who writes while the window shows the past goes to the newest messages and sees it", async () => {
    const solo = await longChat();
    await jump(solo, { id: 1_000 });
    solo.client.chats.sendText(FRIEND_CHAT, "here");
    await answerHistory(solo, STORED);
    expect(windowOf(solo).hasNewer).toBe(false);
    expect(windowOf(solo).messages.at(-1)).toMatchObject({ id: null, content: "here" });
    expect(ids(solo).at(-2)).toBe(4_000);
  });

  test("I19 also when neither disk nor server answer", async () => {
    const solo = await longChat();
    await jump(solo, { id: 1_000 });
    solo.ports.storage.refuse = true;
    solo.client.chats.sendText(FRIEND_CHAT, "here");
    await settle();
    solo.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await settle();
    expect(windowOf(solo).messages.at(-1)).toMatchObject({ id: null, content: "here" });
    expect(windowOf(solo)).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  test("I19 who writes while the chat still opens at its first unread message stays with the newest ones", async () => {
    const solo = await longChat({ isRead: false, from: 3_002 });
    solo.client.chats.open(FRIEND_CHAT);
    solo.client.chats.sendText(FRIEND_CHAT, "here");
    await answerHistory(solo, STORED);
    expect(windowOf(solo)).toMatchObject({ hasNewer: false, older: "idle" });
    expect(windowOf(solo).messages.at(-1)).toMatchObject({ id: null, content: "here" });
  });
});
