import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, groupRow, ME, privateRow, systemRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import {
  answerStart,
  loggedIn,
  NO_CHANGES,
  pass,
  pushed,
  reloaded,
  type Solo,
} from "../testing/logged-in.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { settle } from "../testing/settle.ts";
import { SYSTEM_CHAT } from "../model/rows.ts";

const loadingOff = { cmd: 3, data: { type: 30, content: "false" } };
const chats = (solo: Solo) => solo.client.getState().chats;
const ids = (solo: Solo) =>
  chats(solo).byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id) ?? [];
const pullsOf = (solo: Solo) => solo.waiting().filter((url) => url.includes("private/pull"));

/** Cut, and back online at once; what waited on the old line is forgotten. */
async function comeBack(solo: Solo): Promise<void> {
  solo.ports.sockets.last().close(1006);
  await settle();
  solo.ports.http.waiting.splice(0);
  solo.client.session.retryConnection();
  await settle();
  await solo.goOnline();
}

describe("pulls", () => {
  test("I1 after each login the three pulls are asked and the flags are set", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(7), { cmd: 5, data: systemRow({ seqNo: 3 }) });
    await comeBack(solo);
    expect(chats(solo).loading).toEqual({ PRIVATE: true, GROUP: true, SYSTEM: true });
    expect(solo.waiting()).toEqual(
      expect.arrayContaining([
        "/message/private/pullOfflineMessage?minId=7",
        "/message/group/pullOfflineMessage?minId=0",
        "/message/system/pullOfflineMessage?minSeqNo=3",
      ]),
    );
    await solo.endPulls();
    expect(chats(solo).loading).toEqual({ PRIVATE: false, GROUP: false, SYSTEM: false });
  });

  test("I2 what comes while any pull runs is shown in one change when all have ended", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push(pushed(5), loadingOff, pushed(6));
    expect(ids(solo)).toEqual([]);
    let changes = 0;
    solo.client.subscribe(() => changes++);
    await solo.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    expect(ids(solo)).toEqual([5, 6]);
    expect(changes).toBeLessThanOrEqual(2);
    expect(solo.ports.sounds).toEqual([]);
  });

  test("I3 a cursor moves only when its pull has ended, and with the rows on disk", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    expect(pullsOf(await onlineAgain(solo))).toEqual(["/message/private/pullOfflineMessage?minId=5"]);

    async function onlineAgain(from: Solo): Promise<Solo> {
      const again = await reloaded(from);
      await again.goOnline();
      return again;
    }
  });

  test("I4 a pull cut short shows what came, and the next one begins at the old cursor", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    await comeBack(solo);
    await solo.push(pushed(6), pushed(9));
    await comeBack(solo);
    expect(ids(solo)).toEqual([5, 6, 9]);
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  });

  test("I27 asked for again while one runs, it is not over with that one's end", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    await comeBack(solo);
    const recalled = solo.client.chats.recall(FRIEND_CHAT, 5);
    solo.ports.http.replyRaw("/recall/5", { kind: "failed", reason: "offline" });
    await recalled;
    await solo.push(pushed(6), loadingOff);
    expect(chats(solo).loading.PRIVATE).toBe(true);
    expect(pullsOf(solo)).toEqual([
      "/message/private/pullOfflineMessage?minId=5",
      "/message/private/pullOfflineMessage?minId=5",
    ]);
    await solo.endPulls();
    expect(chats(solo).loading.PRIVATE).toBe(false);
  });

  test("I26 after an edit whose answer was lost with the network the cursor stays until the pull on its return", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.ports.environment.set({ hasNetwork: false });
    void solo.client.chats.editText(FRIEND_CHAT, 5, "better");
    solo.ports.http.replyRaw("private/send", { kind: "failed", reason: "offline" });
    await pass(solo, 20_000);
    expect(solo.waiting()).toEqual([]);
    expect(chats(solo).loading.PRIVATE).toBe(false);
    // The edit was number 6: what the friend wrote behind it does not take the cursor past it.
    await solo.push(pushed(7));
    expect(ids(solo)).toEqual([5, 7]);
    solo.ports.environment.set({ hasNetwork: true });
    solo.ports.environment.set({ isAttended: false });
    await settle();
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
    expect(solo.waiting()).toContain("/user/changes?since=1");
    await solo.endPulls();
    await solo.reply("/user/changes", NO_CHANGES);
    solo.ports.http.waiting.splice(0);
    solo.ports.environment.set({ isAttended: true });
    await settle();
    expect(solo.waiting()).toEqual([]);
    await comeBack(solo);
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=7"]);
  });

  test("I26 so it does when the connection ends instead", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.ports.environment.set({ hasNetwork: false });
    void solo.client.chats.recall(FRIEND_CHAT, 5);
    solo.ports.http.replyRaw("/recall/5", { kind: "failed", reason: "offline" });
    await settle();
    await solo.push(pushed(7));
    solo.ports.sockets.last().close(1006);
    solo.ports.environment.set({ hasNetwork: true });
    await settle();
    expect(pullsOf(solo)).toEqual([]);
    await solo.goOnline();
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  });

  test("I6 a pull that is asked again before its 5 s are over is not asked twice", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    await solo.reply("private/pull", null, 500);
    await pass(solo, 2_000);
    solo.ports.environment.set({ isAttended: true });
    await settle();
    expect(pullsOf(solo)).toHaveLength(1);
    await solo.reply("private/pull", null, 500);
    await pass(solo, 4_000);
    expect(pullsOf(solo)).toEqual([]);
    await pass(solo, 1_000);
    expect(pullsOf(solo)).toHaveLength(1);
  });

  test("I6 a pull that fails is asked again after 5 s and hides nothing meanwhile", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data }, pushed(6));
    await solo.reply("private/pull", null, 500);
    expect(ids(solo)).toEqual([6]);
    expect(chats(solo).loading.PRIVATE).toBe(false);
    await pass(solo, 5_000);
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
    expect(chats(solo).loading.PRIVATE).toBe(true);
  });

  test("I6 so is one whose end says that it broke off, and its cursor stays", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    const [first] = pullsOf(solo);
    await solo.push(pushed(7), { cmd: 3, data: { type: 30, content: "false", failed: true } });
    expect(chats(solo).loading.PRIVATE).toBe(false);
    solo.ports.http.waiting.splice(0);
    await pass(solo, 5_000);
    expect(pullsOf(solo)).toEqual([first]);
    expect(chats(solo).loading.PRIVATE).toBe(true);
  });

  test("I6 so is one that falls silent for 30 s", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    await pass(solo, 20_000);
    await solo.push({ cmd: 1, data: null }, pushed(6));
    await pass(solo, 29_999);
    expect(chats(solo).loading.PRIVATE).toBe(true);
    await pass(solo, 1);
    expect(chats(solo).loading.PRIVATE).toBe(false);
    expect(ids(solo)).toEqual([6]);
  });

  test("I6 a pull that was given up and begins after all shows as loading until it ends", async () => {
    const solo = await loggedIn();
    await solo.push({ cmd: 3, data: { type: 30, content: "true" } }, pushed(5));
    expect(chats(solo).loading.PRIVATE).toBe(true);
    expect(ids(solo)).toEqual([]);
    await solo.push(loadingOff);
    expect(chats(solo).loading.PRIVATE).toBe(false);
    expect(ids(solo)).toEqual([5]);
  });

  test("I7 another epoch drops messages, cursors and the token, but neither outbox nor drafts", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.client.chats.setDraft(FRIEND_CHAT, "half a");
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    solo.client.chats.sendText(FRIEND_CHAT, "on its way");
    solo.client.chats.setQuote(FRIEND_CHAT, 5);
    solo.client.chats.markSeen(FRIEND_CHAT, 5);
    void solo.client.chats.hide(FRIEND_CHAT, [5]);
    solo.ports.sockets.last().close(1006);
    solo.ports.http.waiting.splice(0);
    solo.client.session.retryConnection();
    await settle();
    await solo.goOnline("epoch 2");
    expect(pullsOf(solo)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
    expect(solo.waiting()).toContain("/user/changes");
    // Ids of the other database mean other messages now: nothing tells them any more.
    expect(chats(solo).byKey[FRIEND_CHAT]).toMatchObject({ draft: "half a", draftQuote: null, unread: 0 });
    expect(chats(solo).byKey[FRIEND_CHAT]?.window.messages[0]?.quoteMessage).toBeNull();
    await pass(solo, 1_000);
    expect(solo.waiting().filter((url) => /readed|deleteMessage/.test(url))).toEqual([]);
    expect(ids(solo)).toEqual([null]);
    const again = await reloaded(solo);
    expect(ids(again)).toEqual([null]);
    expect(chats(again).byKey[FRIEND_CHAT]?.draft).toBe("half a");
  });
});

describe("changes", () => {
  test("I8 are asked after each login and at type 82, with the token of the last answer", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), { cmd: 3, data: { type: 82 } });
    expect(solo.waiting()).toContain("/user/changes?since=1");
    const read = [{ type: "PRIVATE", targetId: 2, mine: 5, theirs: -1 }];
    await solo.reply("/user/changes", { ...NO_CHANGES, next: "2", read });
    expect(chats(solo).byKey[FRIEND_CHAT]).toMatchObject({ unread: 0, readId: 5 });
    await solo.push({ cmd: 3, data: { type: 82 } }, { cmd: 3, data: { type: 82 } });
    expect(solo.waiting().filter((url) => url.includes("changes"))).toEqual(["/user/changes?since=2"]);
    await solo.reply("/user/changes", NO_CHANGES);
    expect(solo.waiting()).toContain("/user/changes?since=1");
  });

  test("I8 the token counts once all pulls have ended", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.reply("/user/changes", { ...NO_CHANGES, next: "9" });
    await comeBack(solo);
    expect(solo.waiting()).toContain("/user/changes?since=1");
  });

  test("I39 what they tell of messages that are not here yet holds when those come, behind a pull that was given up as well", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push(loadingOff, { cmd: 5, data: loadingOff.data });
    await solo.reply("/user/changes", {
      ...NO_CHANGES,
      next: "9",
      read: [{ type: "GROUP", targetId: 5, mine: 4, theirs: -1 }],
      hidden: [{ type: "GROUP", targetId: 5, ids: [2] }],
      purged: [{ groupId: 5, userId: 8, upTo: 3 }],
      receipts: [{ groupId: 5, id: 1, readedCount: 2, receiptOk: true }],
    });
    await solo.reply("group/pull", null, 500);
    const rows = [
      { id: 1, sendId: ME, receipt: true, readedCount: 1 },
      { id: 2 },
      { id: 3, sendId: 8 },
      { id: 4 },
      { id: 5 },
    ].map((part) => ({ cmd: 4, data: groupRow(part) }));
    await solo.push(...rows, { cmd: 4, data: loadingOff.data });
    expect(chats(solo).byKey["GROUP:5"]).toMatchObject({ unread: 1, readId: 4 });
    expect(chats(solo).byKey["GROUP:5"]?.window.messages).toMatchObject([
      { id: 1, group: { readedCount: 2, receiptOk: true } },
      { id: 4 },
      { id: 5 },
    ]);
  });

  test("I8 changed system messages replace what is there, and a lost answer is asked for again", async () => {
    const solo = await loggedIn();
    await solo.push({ cmd: 5, data: systemRow({ seqNo: 1 }) }, { cmd: 3, data: { type: 82 } });
    solo.ports.http.replyRaw("/user/changes", { kind: "failed", reason: "offline" });
    await pass(solo, 5_000);
    const handled = systemRow({ seqNo: 1 });
    const content = handled.content.replace('"status":1', '"status":2');
    await solo.reply("/user/changes", { ...NO_CHANGES, system: [{ ...handled, content }] });
    expect(chats(solo).byKey[SYSTEM_CHAT]?.window.messages[0]?.system?.request?.status).toBe(2);
  });

  test("I9 a read position that comes before the first row holds when that row comes, also after a reload", async () => {
    const solo = await loggedIn();
    await solo.push({ cmd: 3, data: { type: 11, sendId: ME, recvId: 2, maxId: 8 } });
    expect(chats(solo).order).toEqual([]);
    const again = await reloaded(solo);
    await again.goOnline();
    await answerStart(again);
    await again.endPulls();
    await again.push(pushed(8), pushed(9));
    expect(chats(again).byKey[FRIEND_CHAT]).toMatchObject({ unread: 1, readId: 8 });
  });

  test("I9 also one that comes in one turn with what brings the chat into being", async () => {
    const solo = await loggedIn();
    const data = { type: 11, sendId: ME, recvId: 2, maxId: 8 };
    await solo.push({ cmd: 3, data }, pushed(9, { type: 10, content: "8" }));
    await solo.push(pushed(8));
    await solo.push(pushed(7), pushed(10));
    expect(chats(solo).byKey[FRIEND_CHAT]).toMatchObject({ unread: 1, readId: 8 });
  });

  test("I9 also one that comes together with the first row of another chat that waited for its own", async () => {
    const solo = await loggedIn();
    const read = (friendId: number) => ({
      cmd: 3,
      data: { type: 11, sendId: ME, recvId: friendId, maxId: 8 },
    });
    await solo.push(read(2));
    await pass(solo, 200);
    await solo.push(pushed(8), read(3));
    const again = await reloaded(solo);
    await again.goOnline();
    await answerStart(again);
    await again.endPulls();
    await again.push(pushed(8, { sendId: 3 }), pushed(9, { sendId: 3 }));
    expect(chats(again).byKey["PRIVATE:3"]).toMatchObject({ unread: 1, readId: 8 });
  });
});

describe("live", () => {
  test("I14 many pushes of one turn are one change", async () => {
    const solo = await loggedIn();
    let changes = 0;
    solo.client.subscribe(() => changes++);
    await solo.push(...Array.from({ length: 100 }, (_, i) => pushed(i + 1)));
    expect(ids(solo)).toHaveLength(60);
    expect(changes).toBe(1);
  });

  test("I10 seen positions show at once and are told at most every 500 ms, until the server has them", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6), pushed(7));
    solo.client.chats.markSeen(FRIEND_CHAT, 5);
    solo.client.chats.markSeen(FRIEND_CHAT, 6);
    solo.client.chats.markSeen(FRIEND_CHAT, 4);
    expect(chats(solo).byKey[FRIEND_CHAT]?.unread).toBe(1);
    const told = () => solo.waiting().filter((url) => url.includes("readed"));
    expect(told()).toEqual([]);
    await pass(solo, 500);
    expect(told()).toEqual(["/message/private/readed?friendId=2&messageId=6"]);
    solo.ports.http.replyRaw("readed", { kind: "failed", reason: "timeout" });
    await pass(solo, 5_000);
    expect(told()).toHaveLength(1);
    await solo.reply("readed", null);
    await pass(solo, 60_000);
    expect(told()).toEqual([]);
  });

  test("I10 a position that never reached the server is told after a reload, and so is one the server is behind with", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    solo.client.chats.markSeen(FRIEND_CHAT, 5);
    const again = await reloaded(solo);
    await again.goOnline();
    await pass(again, 500);
    expect(again.waiting()).toContain("/message/private/readed?friendId=2&messageId=5");
    await again.reply("readed", null);
    await again.reply("/user/changes", {
      ...NO_CHANGES,
      read: [{ type: "PRIVATE", targetId: 2, mine: 3, theirs: -1 }],
    });
    await pass(again, 500);
    expect(again.waiting()).toContain("/message/private/readed?friendId=2&messageId=5");
  });

  test("I15 drafts are kept on disk and told to the other tabs", async () => {
    const device = createFakeDevice();
    const solo = await loggedIn({ device });
    const other = await loggedIn({ device });
    await solo.push(pushed(5));
    await other.push(pushed(5));
    solo.client.chats.setDraft(FRIEND_CHAT, "half a");
    expect(chats(other).byKey[FRIEND_CHAT]?.draft).toBe("half a");
    expect(chats(await reloaded(solo)).byKey[FRIEND_CHAT]?.draft).toBe("half a");
  });
});

describe("history", () => {
  const historyOf = (solo: Solo) => solo.waiting().filter((url) => url.includes("history"));

  test("I11 older pages come from disk", async () => {
    const solo = await loggedIn();
    await solo.push(...Array.from({ length: 130 }, (_, i) => pushed(i + 1)));
    solo.client.chats.markSeen(FRIEND_CHAT, 130);
    solo.client.chats.open(FRIEND_CHAT);
    expect(ids(solo)).toHaveLength(60);
    solo.client.chats.loadOlder(FRIEND_CHAT);
    await settle();
    expect(ids(solo)).toHaveLength(110);
    solo.client.chats.loadOlder(FRIEND_CHAT);
    await settle();
    expect(ids(solo)).toEqual(Array.from({ length: 130 }, (_, i) => i + 1));
    expect(chats(solo).byKey[FRIEND_CHAT]?.window).toMatchObject({ hasOlder: false, older: "idle" });
    expect(historyOf(solo)).toEqual([]);
  });

  test("I11 no page hides a gap: below it the server is asked", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6));
    await comeBack(solo);
    await solo.push({ cmd: 3, data: { type: 30, content: "true", fromId: 100 } }, pushed(100));
    await solo.endPulls();
    expect(ids(solo)).toEqual([100]);
    solo.client.chats.markSeen(FRIEND_CHAT, 6);
    solo.client.chats.open(FRIEND_CHAT);
    await settle();
    expect(historyOf(solo)).toEqual(["/message/private/history?friendId=2&size=50&maxId=100"]);
    await solo.reply(
      "history",
      [50, 6, 5].map((id) => privateRow({ id })),
    );
    expect(ids(solo)).toEqual([5, 6, 50, 100]);
    expect(chats(solo).byKey[FRIEND_CHAT]?.window.hasOlder).toBe(false);
    const again = await reloaded(solo);
    expect(ids(again)).toEqual([5, 6, 50, 100]);
  });

  test("I11 where another tab has trimmed the disk the server is asked", async () => {
    const [device, storage] = [createFakeDevice(), createMemoryStorage()];
    const solo = await loggedIn({ device, storage });
    const other = await loggedIn({ device, storage: storage.tab(false) });
    const rows = Array.from({ length: 2_010 }, (_, i) => pushed(i + 1));
    for (const tab of [solo, other]) await tab.push(...rows);
    clockOf(solo.ports).advance(200_000);
    for (let i = 0; i < 10; i++) await settle();
    await other.push(pushed(2_011));
    other.client.chats.markSeen(FRIEND_CHAT, 2_011);
    const place = other.client.chats.jumpTo(FRIEND_CHAT, { id: 70 });
    await settle();
    expect(historyOf(other)).toEqual([]);
    expect(await place).toBe(70);
    other.client.chats.loadOlder(FRIEND_CHAT);
    await settle();
    expect(historyOf(other)).toEqual(["/message/private/history?friendId=2&size=50&maxId=11"]);
    expect(chats(other).byKey[FRIEND_CHAT]?.window.hasOlder).toBe(true);
  });

  test("I12 a page that failed says so and can be asked for again", async () => {
    const solo = await loggedIn();
    await comeBack(solo);
    await solo.push({ cmd: 3, data: { type: 30, content: "true", fromId: 100 } }, pushed(100));
    await solo.endPulls();
    solo.client.chats.open(FRIEND_CHAT);
    await settle();
    solo.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await settle();
    expect(chats(solo).byKey[FRIEND_CHAT]?.window.older).toBe("failed");
    solo.client.chats.loadOlder(FRIEND_CHAT);
    await settle();
    await solo.reply("history", []);
    expect(chats(solo).byKey[FRIEND_CHAT]?.window).toMatchObject({ older: "idle", hasOlder: false });
  });
});
