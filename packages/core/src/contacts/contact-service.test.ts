import { FindableBy, RequestSource } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { friendVO, FRIEND_CHAT, ME, requestVO, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createLoggedInClient, advanceTime, pushedRow, type SingleClient } from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const contacts = (single: SingleClient) => single.client.getState().contacts;
const push = (type: number, content: object, part = {}) => ({
  cmd: 3,
  data: { type, sendId: 2, recvId: ME, content: JSON.stringify(content), ...part },
});
const received = (id: number) => requestVO({ id, sendId: 10 + id });

async function answerLists(single: SingleClient, friends: object[], requests: object[] = []): Promise<void> {
  await single.respond("/friend/list", friends);
  await single.respond("/request/list", requests);
  await single.respond("/blacklist/list", []);
}

describe("pushes", () => {
  test("P5 a pushed request is shown until it is handled on another device", async () => {
    const single = await createLoggedInClient();
    await single.push(push(70, received(1)), push(70, received(2)));
    expect(contacts(single).requests).toHaveLength(2);
    await single.push(push(72, received(1)), push(73, received(2)));
    expect(contacts(single).requests).toEqual([]);
  });

  test("P5 a friend is added and removed by pushes", async () => {
    const single = await createLoggedInClient();
    await single.push(push(70, received(1)));
    const newFriend = {
      ...friendVO({ id: 11, nickName: "New" }),
      requestId: 1,
      status: 2,
      remark: "",
      applyTime: 1,
    };
    await single.push(push(71, newFriend));
    expect(contacts(single)).toMatchObject({ order: [2, 11], requests: [] });
    await single.push(push(81, {}, { sendId: 11 }));
    expect(contacts(single).order).toEqual([2]);
    expect(contacts(single).friends[11]?.isDeleted).toBe(true);
  });

  test("P7 a chat is pinned and muted like its friend", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    await single.push(push(80, friendVO({ isTop: true, msgRemind: 0 })));
    expect(single.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({ isTop: true, msgRemind: 0 });
    await advanceTime(single, 100);
    await advanceTime(single, 1_000);
    expect(single.ports.sounds.splice(0)).toHaveLength(1);
    await single.push(pushedRow(6));
    await advanceTime(single, 100);
    expect(single.ports.sounds).toEqual([]);
  });

  test("P7 the first message of a muted friend plays no sound", async () => {
    const single = await createLoggedInClient();
    await single.push(push(80, friendVO({ msgRemind: 0 })));
    await single.push(pushedRow(5));
    await advanceTime(single, 100);
    expect(single.ports.sounds).toEqual([]);
  });

  test("P7 the chat with a former friend can be unpinned, but not pinned or muted", async () => {
    const single = await createLoggedInClient();
    const { chats } = single.client;
    await single.push(pushedRow(5));
    await single.push(push(80, friendVO({ isTop: true })));
    await single.push(push(81, {}));
    const isPinned = () => single.client.getState().chats.byKey[FRIEND_CHAT]?.isTop;
    expect(isPinned()).toBe(true);
    const unpinned = chats.setTop(FRIEND_CHAT, false);
    expect(isPinned()).toBe(false);
    await single.respond("/friend/top", null);
    expect(await unpinned).toEqual({ ok: true, value: null });
    expect(contacts(single).friends[2]).toMatchObject({ isTop: false, isDeleted: true });
    for (const attempt of [chats.setTop(FRIEND_CHAT, true), chats.setAlerts(FRIEND_CHAT, 0)])
      expect(await attempt).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
  });

  test("P143 the chat with oneself is pinned at once, unpinned when the server refuses, and cannot be muted", async () => {
    const single = await createLoggedInClient();
    const { chats } = single.client;
    const own = `PRIVATE:${ME}` as const;
    chats.open(own);
    const isPinned = () => single.client.getState().chats.byKey[own]?.isTop;
    const pinned = chats.setTop(own, true);
    expect(isPinned()).toBe(true);
    expect(contacts(single).order).toEqual([2]);
    await single.respond("/friend/top", null, 500);
    expect(await pinned).toMatchObject({ ok: false });
    expect(isPinned()).toBe(false);
    const again = chats.setTop(own, true);
    await single.respond("/friend/top", null);
    expect(await again).toEqual({ ok: true, value: null });
    expect(isPinned()).toBe(true);
    expect(await chats.setAlerts(own, 0)).toMatchObject({ failure: { key: "friend.notFriend" } });
  });

  test("P143 a pin on another device arrives by push and by list, and adds no friend", async () => {
    const single = await createLoggedInClient();
    const own = `PRIVATE:${ME}` as const;
    single.client.chats.open(own);
    const row = friendVO({ id: ME, isTop: true, isDeleted: true });
    await single.push(push(80, row));
    expect(single.client.getState().chats.byKey[own]?.isTop).toBe(true);
    void single.client.contacts.reload();
    await answerLists(single, [{ ...row, isTop: false }, friendVO()]);
    expect(single.client.getState().chats.byKey[own]?.isTop).toBe(false);
    expect(contacts(single).order).toEqual([2]);
  });

  test("P8 a list that was requested before a push is requested again", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    await single.push(push(70, received(1)));
    await answerLists(single, [friendVO()]);
    expect(contacts(single).requests).toHaveLength(1);
    await answerLists(single, [friendVO()], [received(1)]);
    expect(contacts(single).requests).toHaveLength(1);
    expect(single.waiting().filter((url) => url.includes("/friend/list"))).toEqual([]);
  });

  test("P8 the answer to the later of two requests wins", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    void single.client.contacts.reload();
    const [first, second] = single.ports.http.waiting.filter(({ request }) =>
      request.url.includes("/request/list"),
    );
    await single.respond("/friend/list", [friendVO()]);
    await single.respond("/friend/list", [friendVO()]);
    await single.respond("/blacklist/list", []);
    await single.respond("/blacklist/list", []);
    const answer = (data: object) => ({
      kind: "answer" as const,
      status: 200,
      text: JSON.stringify({ code: 200, message: "", data }),
      retryAfterSeconds: null,
    });
    single.ports.http.finish(second!, answer([]));
    await flushMicrotasks();
    single.ports.http.finish(first!, answer([received(1)]));
    await flushMicrotasks();
    expect(contacts(single).requests).toEqual([]);
  });

  test("P14 a push 82 about contacts reloads the lists, one about messages does not", async () => {
    const single = await createLoggedInClient();
    const changed = (content: string) => ({ cmd: 3, data: { type: 82, sendId: 1, recvId: 1, content } });
    await single.push(changed(""));
    expect(single.waiting()).not.toContain("/blacklist/list");
    await single.push(changed("people"));
    await single.respond("/friend/list", [friendVO()]);
    await single.respond("/request/list", []);
    await single.respond("/blacklist/list", [userInfo({ id: 9 })]);
    expect(contacts(single).blacklist).toEqual([9]);
  });

  test("P8 a change of the set of friends is verified against the lists after 2 s, a new name is not", async () => {
    const single = await createLoggedInClient();
    await single.push(push(80, friendVO({ nickName: "Renamed" })));
    await advanceTime(single, 2_000);
    expect(single.waiting()).not.toContain("/friend/list");
    await single.push(push(81, {}));
    await advanceTime(single, 2_000);
    expect(single.waiting()).toContain("/friend/list");
  });
});

describe("pushes about one friend in the wrong order", () => {
  const named = friendVO({ remarkNickName: "Buddy", showNickName: "Buddy" });
  const pinned = friendVO({ isTop: true });

  test("P16 after two pushes within 10 s the friend is loaded once, 2 s later", async () => {
    const single = await createLoggedInClient();
    await single.push(push(80, { ...named, isTop: true }));
    await advanceTime(single, 1_000);
    await single.push(push(80, pinned), push(80, pinned));
    expect(contacts(single).friends[2]?.showNickName).toBe("Friend");
    await advanceTime(single, 2_000);
    expect(single.waiting().filter((url) => url.includes("/friend/find/2"))).toHaveLength(1);
    await single.respond("/friend/find/2", { ...named, isTop: true });
    expect(contacts(single).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 a push after an own action may be older, so the friend is loaded again", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.setRemark(2, "Buddy");
    await single.respond("update/remark", null);
    await single.push(push(80, pinned));
    await advanceTime(single, 2_000);
    await single.respond("/friend/find/2", { ...named, isTop: true });
    expect(contacts(single).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 an answer that a push has overtaken makes the client reload all lists", async () => {
    const single = await createLoggedInClient();
    await single.push(push(80, pinned), push(80, friendVO()));
    await advanceTime(single, 2_000);
    await single.push(push(80, named));
    await single.respond("/friend/find/2", pinned);
    expect(contacts(single).friends[2]?.showNickName).toBe("Buddy");
    await answerLists(single, [{ ...named, isTop: true }]);
    expect(contacts(single).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 pushes more than 10 s apart are accepted without a check", async () => {
    const single = await createLoggedInClient();
    await single.push(push(80, named));
    await advanceTime(single, 10_000);
    await single.push(push(80, pinned));
    await advanceTime(single, 5_000);
    expect(single.waiting().filter((url) => url.includes("/friend/find"))).toEqual([]);
  });
});

describe("presence", () => {
  test("P6 the presence of friends is requested every 30 s while online", async () => {
    const single = await createLoggedInClient();
    await advanceTime(single, 30_000);
    expect(single.waiting()).toContain("/user/terminal/online?userIds=2");
    await single.respond("terminal/online", [{ userId: 2, terminals: [2] }]);
    expect(contacts(single).online).toEqual({ 2: [2] });
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 10_000);
    single.ports.http.waiting.splice(0);
    await advanceTime(single, 4_000);
    expect(single.waiting()).toEqual([]);
  });
});

describe("actions", () => {
  test("P9 a search shows at most 20 people, and their data is stored", async () => {
    const single = await createLoggedInClient();
    const found = single.client.contacts.search("a");
    const people = Array.from({ length: 25 }, (_, i) => userInfo({ id: 100 + i }));
    await single.respond("findByName", people);
    expect(await found).toMatchObject({ ok: true, value: { length: 20 } });
    expect(contacts(single).users[100]).toEqual(people[0]);
  });

  test("P4 a sent friend request is listed until it is recalled", async () => {
    const single = await createLoggedInClient();
    const applied = single.client.contacts.apply(11, "hello", RequestSource.SEARCH);
    expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
      friendId: 11,
      source: 1,
      remark: "hello",
    });
    await single.respond("request/apply", requestVO({ id: 7, sendId: ME, recvId: 11 }));
    expect((await applied).ok).toBe(true);
    expect(contacts(single).requests.map((request) => request.id)).toEqual([7]);
    void single.client.contacts.recall(7);
    await single.respond("request/recall", null);
    expect(contacts(single).requests).toEqual([]);
  });

  test("P5 approving a request adds the friend, also without a push", async () => {
    const single = await createLoggedInClient();
    await single.push(push(70, received(1)));
    void single.client.contacts.approve(1);
    await single.respond("request/approve", null);
    expect(contacts(single).requests).toEqual([]);
    await single.respond("/friend/find/11", friendVO({ id: 11, nickName: "New" }));
    expect(contacts(single).order).toContain(11);
  });

  test("P5 rejecting, removing and renaming show as soon as they are answered", async () => {
    const single = await createLoggedInClient();
    await single.push(push(70, received(1)));
    void single.client.contacts.reject(1);
    await single.respond("request/reject", null);
    expect(contacts(single).requests).toEqual([]);
    void single.client.contacts.setRemark(2, " Buddy ");
    await single.respond("update/remark", null);
    expect(contacts(single).friends[2]).toMatchObject({ remarkNickName: "Buddy", showNickName: "Buddy" });
    void single.client.contacts.setRemark(2, " ");
    await single.respond("update/remark", null);
    expect(contacts(single).friends[2]).toMatchObject({ remarkNickName: null, showNickName: "Friend" });
    void single.client.contacts.remove(2);
    await single.respond("friend/delete/2", null);
    expect(contacts(single).order).toEqual([]);
  });

  test("P8 a refused action reloads the lists", async () => {
    const single = await createLoggedInClient();
    await single.push(push(70, received(1)));
    void single.client.contacts.approve(1);
    await single.respond("request/approve", null, 500);
    expect(single.notices).toHaveLength(1);
    await answerLists(single, [friendVO()]);
    expect(contacts(single).requests).toEqual([]);
  });

  test("P3 looking at a person without an answer is reported only while nothing is known of them", async () => {
    const single = await createLoggedInClient();
    const look = async (id: number) => {
      const result = single.client.contacts.loadUser(id);
      single.ports.http.replyRaw(`/user/find/${id}`, { kind: "failed", reason: "offline" });
      expect(await result).toMatchObject({ ok: false, failure: { kind: "network" } });
      return single.notices.splice(0).map(({ kind }) => kind);
    };
    expect(await look(77)).toEqual(["failure"]);
    void single.client.contacts.loadUser(77);
    await single.respond("/user/find/77", userInfo({ id: 77 }));
    expect(await look(77)).toEqual([]);
    expect(await look(2)).toEqual([]);
    expect(await look(ME)).toEqual([]);
  });

  test("P3 an unknown sender is loaded once", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5, { sendId: 77 }), pushedRow(6, { sendId: 77 }));
    expect(single.waiting().filter((url) => url === "/user/find/77")).toHaveLength(1);
    await single.respond("/user/find/77", userInfo({ id: 77, nickName: "Stranger" }));
    expect(contacts(single).users[77]?.nickName).toBe("Stranger");
  });
});

describe("settings", () => {
  test.each([
    ["accepts", 200, false],
    ["refuses", 500, true],
  ])(
    "P11 a change of the approval setting that the server %s is shown as the server has it",
    async (_what, code, isOn) => {
      const single = await createLoggedInClient();
      expect(single.client.getState().me?.isManualApprove).toBe(true);
      const done = single.client.contacts.setManualApprove(false);
      await single.respond("/user/manualApprove?enabled=false", null, code);
      if (code === 200) await single.respond("/user/self", userInfo({ isManualApprove: isOn }));
      expect((await done).ok).toBe(!isOn);
      expect(single.client.getState().me?.isManualApprove).toBe(isOn);
      // A toast tells what the server has refused (spec §8).
      expect(single.notices).toHaveLength(code === 200 ? 0 : 1);
    },
  );

  test("ST4 my user info is loaded again after the approval setting was changed, and counts", async () => {
    const single = await createLoggedInClient();
    const done = single.client.contacts.setManualApprove(false);
    await single.respond("/user/manualApprove?enabled=false", null);
    expect(single.client.getState().me?.isManualApprove).toBe(false);
    // Another device has changed it in between.
    await single.respond("/user/self", userInfo({ isManualApprove: true, nickName: "Newer" }));
    expect(await done).toEqual({ ok: true, value: null });
    expect(single.client.getState().me).toMatchObject({ isManualApprove: true, nickName: "Newer" });
  });

  test.each([
    ["accepts", 200, FindableBy.NOTHING],
    ["refuses", 500, FindableBy.ANY_NAME],
  ])("ST1 who finds me changes if the server %s it", async (_what, code, expected) => {
    const single = await createLoggedInClient();
    const done = single.client.contacts.setFindableBy(FindableBy.NOTHING);
    await single.respond("/user/findableBy?by=3", null, code);
    if (code === 200) await single.respond("/user/self", userInfo({ findableBy: FindableBy.NOTHING }));
    expect((await done).ok).toBe(code === 200);
    expect(single.client.getState().me?.findableBy).toBe(expected);
    // A toast tells what the server has refused (spec §8).
    expect(single.notices).toHaveLength(code === 200 ? 0 : 1);
  });

  test.each([
    ["accepts", 200, false],
    ["refuses", 500, true],
  ])(
    "LS3 whether friends are told when I was here changes if the server %s it",
    async (_what, code, expected) => {
      const single = await createLoggedInClient();
      const done = single.client.contacts.setLastSeenShown(false);
      await single.respond("/user/lastSeenShown?enabled=false", null, code);
      if (code === 200) await single.respond("/user/self", userInfo({ lastSeenShown: false }));
      expect((await done).ok).toBe(code === 200);
      expect(single.client.getState().me?.lastSeenShown).toBe(expected);
      // A toast tells what the server has refused (spec §8).
      expect(single.notices).toHaveLength(code === 200 ? 0 : 1);
    },
  );

  test.each([
    ["answers", 200, { ok: true, value: 60_000 }],
    ["refuses", 500, expect.objectContaining({ ok: false })],
  ])("LS4 when a friend was last seen is asked in silence: the server %s", async (_what, code, expected) => {
    const single = await createLoggedInClient();
    const seen = single.client.contacts.lastSeen(2);
    await single.respond("/user/lastSeen?userId=2", code === 200 ? 60_000 : null, code);
    expect(await seen).toEqual(expected);
    expect(single.notices).toEqual([]);
  });

  test.each([
    ["accepts", 200, false],
    ["refuses", 500, true],
  ])("RC1 whether read receipts are sent changes if the server %s it", async (_what, code, expected) => {
    const single = await createLoggedInClient();
    const done = single.client.contacts.setReadReceipts(false);
    await single.respond("/user/readReceipts?enabled=false", null, code);
    if (code === 200) await single.respond("/user/self", userInfo({ readReceipts: false }));
    expect((await done).ok).toBe(code === 200);
    expect(single.client.getState().me?.readReceipts).toBe(expected);
    // A toast tells what the server has refused (spec §8).
    expect(single.notices).toHaveLength(code === 200 ? 0 : 1);
  });
});
