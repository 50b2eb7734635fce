import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, groupRow, ME, privateRow, systemRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  answerLoginRequests,
  createLoggedInClient,
  NO_CHANGES,
  advanceTime,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { SYSTEM_CHAT } from "../model/chats/chat-rows.ts";

const loadingOff = { cmd: 3, data: { type: 30, content: "false" } };
const chats = (single: SingleClient) => single.client.getState().chats;
const ids = (single: SingleClient) =>
  chats(single).byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id) ?? [];
const pullsOf = (single: SingleClient) => single.waiting().filter((url) => url.includes("private/pull"));

/** Closes the socket and goes online again at once; requests of the old connection are dropped. */
async function reconnect(single: SingleClient): Promise<void> {
  single.ports.sockets.last().close(1006);
  await flushMicrotasks();
  single.ports.http.waiting.splice(0);
  single.client.session.reconnectNow();
  await flushMicrotasks();
  await single.goOnline();
}

describe("pulls", () => {
  test("I1 after each socket login the three pulls are requested and the loading flags are set", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(7), { cmd: 5, data: systemRow({ seqNo: 3 }) });
    await reconnect(single);
    expect(chats(single).loading).toEqual({ PRIVATE: true, GROUP: true, SYSTEM: true });
    expect(single.waiting()).toEqual(
      expect.arrayContaining([
        "/message/private/pullOfflineMessage?minId=7",
        "/message/group/pullOfflineMessage?minId=0",
        "/message/system/pullOfflineMessage?minSeqNo=3",
      ]),
    );
    await single.endPulls();
    expect(chats(single).loading).toEqual({ PRIVATE: false, GROUP: false, SYSTEM: false });
  });

  test("I1 rows of the system chat that a pull repeats neither alert nor count again, one that was missed among them comes, and the pull ends", async () => {
    const single = await createLoggedInClient();
    const rows = [1, 2, 3].map((seqNo) => ({ cmd: 5, data: systemRow({ seqNo }) }));
    const [first, missed, last] = rows;
    if (!first || !missed || !last) throw new Error("three rows");
    await single.push(first, last);
    const system = () => chats(single).byKey[SYSTEM_CHAT];
    const alerts = () => [
      single.notices.filter(({ kind }) => kind === "message").length,
      single.ports.sounds.length,
    ];
    const before = alerts();
    expect(system()?.unread).toBe(2);
    await reconnect(single);
    await single.push(first, missed, last);
    await single.endPulls();
    expect(system()?.window.messages.map(({ system: part }) => part?.seqNo)).toEqual([1, 2, 3]);
    expect(system()?.unread).toBe(3);
    expect(alerts()).toEqual(before);
    expect(chats(single).loading.SYSTEM).toBe(false);
    await advanceTime(single, 60_000);
    expect(single.waiting().filter((url) => url.includes("system/pull"))).toHaveLength(1);
    await reconnect(single);
    expect(single.waiting()).toContain("/message/system/pullOfflineMessage?minSeqNo=3");
  });

  test("I2 rows that arrive while any pull runs are shown in one change when all have ended", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push(pushedRow(5), loadingOff, pushedRow(6));
    expect(ids(single)).toEqual([]);
    let changes = 0;
    single.client.subscribe(() => changes++);
    await single.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    expect(ids(single)).toEqual([5, 6]);
    expect(changes).toBeLessThanOrEqual(2);
    expect(single.ports.sounds).toEqual([]);
  });

  test("I3 a cursor moves only when its pull has ended, and together with the saved rows", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    expect(pullsOf(await onlineAgain(single))).toEqual(["/message/private/pullOfflineMessage?minId=5"]);

    async function onlineAgain(from: SingleClient): Promise<SingleClient> {
      const again = await reload(from);
      await again.goOnline();
      return again;
    }
  });

  test("I4 an interrupted pull shows the rows that arrived, and the next one begins at the old cursor", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    await reconnect(single);
    await single.push(pushedRow(6), pushedRow(9));
    await reconnect(single);
    expect(ids(single)).toEqual([5, 6, 9]);
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  });

  test("I27 a pull that is requested again while it runs is followed by another one", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    await reconnect(single);
    const recalled = single.client.chats.recall(FRIEND_CHAT, 5);
    single.ports.http.replyRaw("/recall/5", { kind: "failed", reason: "offline" });
    await recalled;
    await single.push(pushedRow(6), loadingOff);
    expect(chats(single).loading.PRIVATE).toBe(true);
    expect(pullsOf(single)).toEqual([
      "/message/private/pullOfflineMessage?minId=5",
      "/message/private/pullOfflineMessage?minId=5",
    ]);
    await single.endPulls();
    expect(chats(single).loading.PRIVATE).toBe(false);
  });

  test("I26 after an edit whose answer was lost with the network, the cursor stays until the pull when the network is back", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.ports.environment.set({ hasNetwork: false });
    void single.client.chats.editText(FRIEND_CHAT, 5, "better");
    single.ports.http.replyRaw("private/send", { kind: "failed", reason: "offline" });
    await advanceTime(single, 20_000);
    // The client only asks whether the server can be reached.
    expect(new Set(single.waiting())).toEqual(new Set(["/system/config"]));
    expect(chats(single).loading.PRIVATE).toBe(false);
    // The edit was number 6: the friend's later message does not move the cursor past it.
    await single.push(pushedRow(7));
    expect(ids(single)).toEqual([5, 7]);
    single.ports.environment.set({ hasNetwork: true });
    single.ports.environment.set({ isAttended: false });
    await flushMicrotasks();
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
    expect(single.waiting()).toContain("/user/changes?since=1&extrasSince=0");
    await single.endPulls();
    await single.respond("/user/changes", NO_CHANGES);
    single.ports.http.waiting.splice(0);
    single.ports.environment.set({ isAttended: true });
    await flushMicrotasks();
    expect(single.waiting()).toEqual([]);
    await reconnect(single);
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=7"]);
  });

  test("I26 after an action whose answer was lost, the cursor stays when the connection ends as well", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.ports.environment.set({ hasNetwork: false });
    void single.client.chats.recall(FRIEND_CHAT, 5);
    single.ports.http.replyRaw("/recall/5", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    await single.push(pushedRow(7));
    single.ports.sockets.last().close(1006);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect(pullsOf(single)).toEqual([]);
    await single.goOnline();
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=5"]);
  });

  test("I6 a pull that is requested again before its 5 s are over is not requested twice", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    await single.respond("private/pull", null, 500);
    await advanceTime(single, 2_000);
    single.ports.environment.set({ isAttended: true });
    await flushMicrotasks();
    expect(pullsOf(single)).toHaveLength(1);
    await single.respond("private/pull", null, 500);
    await advanceTime(single, 4_000);
    expect(pullsOf(single)).toEqual([]);
    await advanceTime(single, 1_000);
    expect(pullsOf(single)).toHaveLength(1);
  });

  test("I6 a pull that fails is requested again after 5 s and holds nothing back until then", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data }, pushedRow(6));
    await single.respond("private/pull", null, 500);
    expect(ids(single)).toEqual([6]);
    expect(chats(single).loading.PRIVATE).toBe(false);
    await advanceTime(single, 5_000);
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
    expect(chats(single).loading.PRIVATE).toBe(true);
  });

  test("I6 a pull whose end reports a failure is requested again, and its cursor stays", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    const [first] = pullsOf(single);
    await single.push(pushedRow(7), { cmd: 3, data: { type: 30, content: "false", failed: true } });
    expect(chats(single).loading.PRIVATE).toBe(false);
    single.ports.http.waiting.splice(0);
    await advanceTime(single, 5_000);
    expect(pullsOf(single)).toEqual([first]);
    expect(chats(single).loading.PRIVATE).toBe(true);
  });

  test("I6 a pull without a row for 30 s is requested again", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push({ cmd: 4, data: loadingOff.data }, { cmd: 5, data: loadingOff.data });
    await advanceTime(single, 20_000);
    await single.push({ cmd: 1, data: null }, pushedRow(6));
    await advanceTime(single, 29_999);
    expect(chats(single).loading.PRIVATE).toBe(true);
    await advanceTime(single, 1);
    expect(chats(single).loading.PRIVATE).toBe(false);
    expect(ids(single)).toEqual([6]);
  });

  test("I6 a pull that was given up and starts after all shows as loading until it ends", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 3, data: { type: 30, content: "true" } }, pushedRow(5));
    expect(chats(single).loading.PRIVATE).toBe(true);
    expect(ids(single)).toEqual([]);
    await single.push(loadingOff);
    expect(chats(single).loading.PRIVATE).toBe(false);
    expect(ids(single)).toEqual([5]);
  });

  test("I7 another epoch drops messages, cursors and the token, but neither outbox nor drafts", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.client.chats.setDraft(FRIEND_CHAT, "half a");
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    single.client.chats.sendText(FRIEND_CHAT, "on its way");
    single.client.chats.setQuote(FRIEND_CHAT, 5);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 5);
    void single.client.chats.deleteForMe(FRIEND_CHAT, [5]);
    single.ports.sockets.last().close(1006);
    single.ports.http.waiting.splice(0);
    single.client.session.reconnectNow();
    await flushMicrotasks();
    await single.goOnline("epoch 2");
    expect(pullsOf(single)).toEqual(["/message/private/pullOfflineMessage?minId=0"]);
    expect(single.waiting()).toContain("/user/changes");
    // The ids of the old database may mean other messages in the new one, so none of them is used.
    expect(chats(single).byKey[FRIEND_CHAT]).toMatchObject({ draft: "half a", draftQuote: null, unread: 0 });
    expect(chats(single).byKey[FRIEND_CHAT]?.window.messages[0]?.quoteMessage).toBeNull();
    await advanceTime(single, 1_000);
    expect(single.waiting().filter((url) => /readed|deleteMessage/.test(url))).toEqual([]);
    expect(ids(single)).toEqual([null]);
    const again = await reload(single);
    expect(ids(again)).toEqual([null]);
    expect(chats(again).byKey[FRIEND_CHAT]?.draft).toBe("half a");
  });
});

describe("changes", () => {
  test("I8 changes are requested after each login and at type 82, with the token of the last answer", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), { cmd: 3, data: { type: 82 } });
    expect(single.waiting()).toContain("/user/changes?since=1");
    const read = [{ type: "PRIVATE", targetId: 2, mine: 5, theirs: -1 }];
    await single.respond("/user/changes", { ...NO_CHANGES, next: "2", read });
    expect(chats(single).byKey[FRIEND_CHAT]).toMatchObject({ unread: 0, readId: 5 });
    await single.push({ cmd: 3, data: { type: 82 } }, { cmd: 3, data: { type: 82 } });
    expect(single.waiting().filter((url) => url.includes("changes"))).toEqual([
      "/user/changes?since=2&extrasSince=0",
    ]);
    await single.respond("/user/changes", NO_CHANGES);
    expect(single.waiting()).toContain("/user/changes?since=1&extrasSince=0");
  });

  test("I8 the token counts once all pulls have ended", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.respond("/user/changes", { ...NO_CHANGES, next: "9" });
    await reconnect(single);
    expect(single.waiting()).toContain("/user/changes?since=1");
  });

  test("I39 changes of messages that are not here yet apply when these arrive, also after a pull that was given up", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push(loadingOff, { cmd: 5, data: loadingOff.data });
    await single.respond("/user/changes", {
      ...NO_CHANGES,
      next: "9",
      read: [{ type: "GROUP", targetId: 5, mine: 4, theirs: -1 }],
      hidden: [{ type: "GROUP", targetId: 5, ids: [2] }],
      purged: [{ groupId: 5, userId: 8, upTo: 3 }],
      receipts: [{ groupId: 5, id: 1, readedCount: 2, receiptOk: true }],
    });
    await single.respond("group/pull", null, 500);
    const rows = [
      { id: 1, sendId: ME, receipt: true, readedCount: 1 },
      { id: 2 },
      { id: 3, sendId: 8 },
      { id: 4 },
      { id: 5 },
    ].map((part) => ({ cmd: 4, data: groupRow(part) }));
    await single.push(...rows, { cmd: 4, data: loadingOff.data });
    expect(chats(single).byKey["GROUP:5"]).toMatchObject({ unread: 1, readId: 4 });
    expect(chats(single).byKey["GROUP:5"]?.window.messages).toMatchObject([
      { id: 1, group: { readedCount: 2, receiptOk: true } },
      { id: 4 },
      { id: 5 },
    ]);
  });

  test("I8 changed system messages replace the stored ones, and changes are requested again after a lost answer", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 5, data: systemRow({ seqNo: 1 }) }, { cmd: 3, data: { type: 82 } });
    single.ports.http.replyRaw("/user/changes", { kind: "failed", reason: "offline" });
    await advanceTime(single, 5_000);
    const handled = systemRow({ seqNo: 1 });
    const content = handled.content.replace('"status":1', '"status":2');
    await single.respond("/user/changes", { ...NO_CHANGES, system: [{ ...handled, content }] });
    expect(chats(single).byKey[SYSTEM_CHAT]?.window.messages[0]?.system?.request?.status).toBe(2);
  });

  test("I9 a read position that arrives before the first row applies when that row arrives, also after a reload", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 3, data: { type: 11, sendId: ME, recvId: 2, maxId: 8 } });
    expect(chats(single).order).toEqual([]);
    const again = await reload(single);
    await again.goOnline();
    await answerLoginRequests(again);
    await again.endPulls();
    await again.push(pushedRow(8), pushedRow(9));
    expect(chats(again).byKey[FRIEND_CHAT]).toMatchObject({ unread: 1, readId: 8 });
  });

  test("I9 a read position that arrives in the same turn as the first row of its chat applies", async () => {
    const single = await createLoggedInClient();
    const data = { type: 11, sendId: ME, recvId: 2, maxId: 8 };
    await single.push({ cmd: 3, data }, pushedRow(9, { type: 10, content: "8" }));
    await single.push(pushedRow(8));
    await single.push(pushedRow(7), pushedRow(10));
    expect(chats(single).byKey[FRIEND_CHAT]).toMatchObject({ unread: 1, readId: 8 });
  });

  test("I9 a read position that arrives together with the first row of another chat applies", async () => {
    const single = await createLoggedInClient();
    const read = (friendId: number) => ({
      cmd: 3,
      data: { type: 11, sendId: ME, recvId: friendId, maxId: 8 },
    });
    await single.push(read(2));
    await advanceTime(single, 200);
    await single.push(pushedRow(8), read(3));
    const again = await reload(single);
    await again.goOnline();
    await answerLoginRequests(again);
    await again.endPulls();
    await again.push(pushedRow(8, { sendId: 3 }), pushedRow(9, { sendId: 3 }));
    expect(chats(again).byKey["PRIVATE:3"]).toMatchObject({ unread: 1, readId: 8 });
  });
});

describe("live", () => {
  test("I14 many pushes in one turn are one change", async () => {
    const single = await createLoggedInClient();
    let changes = 0;
    single.client.subscribe(() => changes++);
    await single.push(...Array.from({ length: 100 }, (_, i) => pushedRow(i + 1)));
    expect(ids(single)).toHaveLength(60);
    expect(changes).toBe(1);
  });

  test("I10 read positions apply at once and are reported at most every 500 ms, until the server has them", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6), pushedRow(7));
    single.client.chats.markReadUpTo(FRIEND_CHAT, 5);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 6);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 4);
    expect(chats(single).byKey[FRIEND_CHAT]?.unread).toBe(1);
    const reports = () => single.waiting().filter((url) => url.includes("readed"));
    expect(reports()).toEqual([]);
    await advanceTime(single, 500);
    expect(reports()).toEqual(["/message/private/readed?friendId=2&messageId=6"]);
    single.ports.http.replyRaw("readed", { kind: "failed", reason: "timeout" });
    await advanceTime(single, 5_000);
    expect(reports()).toHaveLength(1);
    await single.respond("readed", null);
    await advanceTime(single, 60_000);
    expect(reports()).toEqual([]);
  });

  test("I10 a position that did not reach the server is reported after a reload, and so is one that the server has lower", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    single.client.chats.markReadUpTo(FRIEND_CHAT, 5);
    const again = await reload(single);
    await again.goOnline();
    await advanceTime(again, 500);
    expect(again.waiting()).toContain("/message/private/readed?friendId=2&messageId=5");
    await again.respond("readed", null);
    await again.respond("/user/changes", {
      ...NO_CHANGES,
      read: [{ type: "PRIVATE", targetId: 2, mine: 3, theirs: -1 }],
    });
    await advanceTime(again, 500);
    expect(again.waiting()).toContain("/message/private/readed?friendId=2&messageId=5");
  });

  test("I10 positions of two tabs that did not reach the server are reported after both were closed", async () => {
    const one = await createLoggedInClient();
    const two = await createLoggedInClient({ storage: one.ports.storage.tab(false) });
    for (const tab of [one, two]) await tab.push(pushedRow(5), pushedRow(6, { sendId: 3 }));
    one.client.chats.markReadUpTo(FRIEND_CHAT, 5);
    await advanceTime(one, 200);
    two.client.chats.markReadUpTo("PRIVATE:3", 6);
    await advanceTime(two, 200);
    const again = await reload(one);
    await again.goOnline();
    await advanceTime(again, 500);
    const reports = (single: SingleClient) =>
      single
        .waiting()
        .filter((url) => url.includes("readed"))
        .sort();
    expect(reports(again)).toEqual([
      "/message/private/readed?friendId=2&messageId=5",
      "/message/private/readed?friendId=3&messageId=6",
    ]);
    for (let i = 0; i < 2; i++) await again.respond("readed", null);
    const last = await reload(again);
    await last.goOnline();
    await advanceTime(last, 500);
    expect(reports(last)).toEqual([]);
  });

  test("I10 of the positions of two tabs in one chat the higher one is reported, whichever was stored or sent last", async () => {
    const one = await createLoggedInClient();
    const two = await createLoggedInClient({ storage: one.ports.storage.tab(false) });
    for (const tab of [one, two]) {
      await tab.push(pushedRow(5), pushedRow(6), pushedRow(7));
      tab.ports.environment.set({ hasNetwork: false });
    }
    const reports = (single: SingleClient) => single.waiting().filter((url) => url.includes("readed"));
    two.client.chats.markReadUpTo(FRIEND_CHAT, 7);
    await advanceTime(two, 200);
    one.client.chats.markReadUpTo(FRIEND_CHAT, 5);
    one.client.chats.markReadUpTo(FRIEND_CHAT, 6);
    await advanceTime(one, 200);
    one.ports.environment.set({ hasNetwork: true });
    await advanceTime(one, 500);
    expect(reports(one)).toEqual(["/message/private/readed?friendId=2&messageId=6"]);
    await one.respond("readed", null);
    await advanceTime(one, 200);
    const again = await reload(one);
    await again.goOnline();
    await advanceTime(again, 500);
    expect(again.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({ readId: 7, unread: 0 });
    expect(reports(again)).toEqual(["/message/private/readed?friendId=2&messageId=7"]);
    await again.respond("readed", null);
    await advanceTime(again, 200);
    const last = await reload(again);
    await last.goOnline();
    await advanceTime(last, 500);
    expect(reports(last)).toEqual([]);
  });

  test("I15 drafts are saved and sent to the other tabs", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await createLoggedInClient({ device });
    await single.push(pushedRow(5));
    await other.push(pushedRow(5));
    single.client.chats.setDraft(FRIEND_CHAT, "half a");
    expect(chats(other).byKey[FRIEND_CHAT]?.draft).toBe("half a");
    expect(chats(await reload(single)).byKey[FRIEND_CHAT]?.draft).toBe("half a");
  });
});

describe("history", () => {
  const historyOf = (single: SingleClient) => single.waiting().filter((url) => url.includes("history"));

  test("I11 older pages come from the local database", async () => {
    const single = await createLoggedInClient();
    await single.push(...Array.from({ length: 130 }, (_, i) => pushedRow(i + 1)));
    single.client.chats.markReadUpTo(FRIEND_CHAT, 130);
    single.client.chats.open(FRIEND_CHAT);
    expect(ids(single)).toHaveLength(60);
    single.client.chats.loadOlder(FRIEND_CHAT);
    await flushMicrotasks();
    expect(ids(single)).toHaveLength(110);
    single.client.chats.loadOlder(FRIEND_CHAT);
    await flushMicrotasks();
    expect(ids(single)).toEqual(Array.from({ length: 130 }, (_, i) => i + 1));
    expect(chats(single).byKey[FRIEND_CHAT]?.window).toMatchObject({ hasOlder: false, older: "idle" });
    expect(historyOf(single)).toEqual([]);
  });

  test("I11 pages below a gap are loaded from the server", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6));
    await reconnect(single);
    await single.push({ cmd: 3, data: { type: 30, content: "true", fromId: 100 } }, pushedRow(100));
    await single.endPulls();
    expect(ids(single)).toEqual([100]);
    single.client.chats.markReadUpTo(FRIEND_CHAT, 6);
    single.client.chats.open(FRIEND_CHAT);
    await flushMicrotasks();
    expect(historyOf(single)).toEqual(["/message/private/history?friendId=2&size=50&maxId=100"]);
    await single.respond(
      "history",
      [50, 6, 5].map((id) => privateRow({ id })),
    );
    expect(ids(single)).toEqual([5, 6, 50, 100]);
    expect(chats(single).byKey[FRIEND_CHAT]?.window.hasOlder).toBe(false);
    const again = await reload(single);
    expect(ids(again)).toEqual([5, 6, 50, 100]);
  });

  test("I11 after another tab's eviction older pages are loaded from the server", async () => {
    const [device, storage] = [createFakeTabs(), createMemoryStorage()];
    const single = await createLoggedInClient({ device, storage });
    const other = await createLoggedInClient({ device, storage: storage.tab(false) });
    const rows = Array.from({ length: 2_010 }, (_, i) => pushedRow(i + 1));
    for (const tab of [single, other]) await tab.push(...rows);
    clockOf(single.ports).advance(200_000);
    for (let i = 0; i < 10; i++) await flushMicrotasks();
    await other.push(pushedRow(2_011));
    other.client.chats.markReadUpTo(FRIEND_CHAT, 2_011);
    const jumped = other.client.chats.jumpTo(FRIEND_CHAT, { id: 70 });
    await flushMicrotasks();
    expect(historyOf(other)).toEqual([]);
    expect(await jumped).toBe(70);
    other.client.chats.loadOlder(FRIEND_CHAT);
    await flushMicrotasks();
    expect(historyOf(other)).toEqual(["/message/private/history?friendId=2&size=50&maxId=11"]);
    expect(chats(other).byKey[FRIEND_CHAT]?.window.hasOlder).toBe(true);
  });

  test("I12 a failed page shows the failure and can be requested again", async () => {
    const single = await createLoggedInClient();
    await reconnect(single);
    await single.push({ cmd: 3, data: { type: 30, content: "true", fromId: 100 } }, pushedRow(100));
    await single.endPulls();
    single.client.chats.open(FRIEND_CHAT);
    await flushMicrotasks();
    single.ports.http.replyRaw("history", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    expect(chats(single).byKey[FRIEND_CHAT]?.window.older).toBe("failed");
    single.client.chats.loadOlder(FRIEND_CHAT);
    await flushMicrotasks();
    await single.respond("history", []);
    expect(chats(single).byKey[FRIEND_CHAT]?.window).toMatchObject({ older: "idle", hasOlder: false });
  });
});
