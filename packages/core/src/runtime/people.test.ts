import { RequestSource } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { friendVO, FRIEND_CHAT, ME, requestVO, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { loggedIn, pass, pushed, type Solo } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";

const contacts = (solo: Solo) => solo.client.getState().contacts;
const push = (type: number, content: object, part = {}) => ({
  cmd: 3,
  data: { type, sendId: 2, recvId: ME, content: JSON.stringify(content), ...part },
});
const received = (id: number) => requestVO({ id, sendId: 10 + id });

async function answerLists(solo: Solo, friends: object[], requests: object[] = []): Promise<void> {
  await solo.reply("/friend/list", friends);
  await solo.reply("/request/list", requests);
  await solo.reply("/blacklist/list", []);
}

describe("pushes", () => {
  test("P5 a request comes and is handled elsewhere", async () => {
    const solo = await loggedIn();
    await solo.push(push(70, received(1)), push(70, received(2)));
    expect(contacts(solo).requests).toHaveLength(2);
    await solo.push(push(72, received(1)), push(73, received(2)));
    expect(contacts(solo).requests).toEqual([]);
  });

  test("P5 a friend is gained and lost", async () => {
    const solo = await loggedIn();
    await solo.push(push(70, received(1)));
    const gained = {
      ...friendVO({ id: 11, nickName: "New" }),
      requestId: 1,
      status: 2,
      remark: "",
      applyTime: 1,
    };
    await solo.push(push(71, gained));
    expect(contacts(solo)).toMatchObject({ order: [2, 11], requests: [] });
    await solo.push(push(81, {}, { sendId: 11 }));
    expect(contacts(solo).order).toEqual([2]);
    expect(contacts(solo).friends[11]?.isDeleted).toBe(true);
  });

  test("P7 a chat is pinned and silent as its friend is", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    await solo.push(push(80, friendVO({ isTop: true, msgRemind: 0 })));
    expect(solo.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({ isTop: true, msgRemind: 0 });
    await pass(solo, 100);
    await pass(solo, 1_000);
    expect(solo.ports.sounds.splice(0)).toHaveLength(1);
    await solo.push(pushed(6));
    await pass(solo, 100);
    expect(solo.ports.sounds).toEqual([]);
  });

  test("P7 a silenced friend's first message is silent too", async () => {
    const solo = await loggedIn();
    await solo.push(push(80, friendVO({ msgRemind: 0 })));
    await solo.push(pushed(5));
    await pass(solo, 100);
    expect(solo.ports.sounds).toEqual([]);
  });

  test("P7 a chat that outlived its friendship can be unpinned, and nothing else of it changed", async () => {
    const solo = await loggedIn();
    const { chats } = solo.client;
    await solo.push(pushed(5));
    await solo.push(push(80, friendVO({ isTop: true })));
    await solo.push(push(81, {}));
    const isPinned = () => solo.client.getState().chats.byKey[FRIEND_CHAT]?.isTop;
    expect(isPinned()).toBe(true);
    const unpinned = chats.setTop(FRIEND_CHAT, false);
    expect(isPinned()).toBe(false);
    await solo.reply("/friend/top", null);
    expect(await unpinned).toEqual({ ok: true, value: null });
    expect(contacts(solo).friends[2]).toMatchObject({ isTop: false, isDeleted: true });
    for (const refused of [chats.setTop(FRIEND_CHAT, true), chats.setRemind(FRIEND_CHAT, 0)])
      expect(await refused).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
  });

  test("P143 the chat with oneself is pinned at once, unpinned when the server refuses, and never silent", async () => {
    const solo = await loggedIn();
    const { chats } = solo.client;
    const own = `PRIVATE:${ME}` as const;
    chats.open(own);
    const isPinned = () => solo.client.getState().chats.byKey[own]?.isTop;
    const pinned = chats.setTop(own, true);
    expect(isPinned()).toBe(true);
    expect(contacts(solo).order).toEqual([2]);
    await solo.reply("/friend/top", null, 500);
    expect(await pinned).toMatchObject({ ok: false });
    expect(isPinned()).toBe(false);
    const again = chats.setTop(own, true);
    await solo.reply("/friend/top", null);
    expect(await again).toEqual({ ok: true, value: null });
    expect(isPinned()).toBe(true);
    expect(await chats.setRemind(own, 0)).toMatchObject({ failure: { key: "friend.notFriend" } });
  });

  test("P143 a pin of another device comes by the push and by the list, and makes nobody a friend", async () => {
    const solo = await loggedIn();
    const own = `PRIVATE:${ME}` as const;
    solo.client.chats.open(own);
    const row = friendVO({ id: ME, isTop: true, isDeleted: true });
    await solo.push(push(80, row));
    expect(solo.client.getState().chats.byKey[own]?.isTop).toBe(true);
    void solo.client.contacts.reload();
    await answerLists(solo, [{ ...row, isTop: false }, friendVO()]);
    expect(solo.client.getState().chats.byKey[own]?.isTop).toBe(false);
    expect(contacts(solo).order).toEqual([2]);
  });

  test("P8 a list that was asked for before a push came is asked for again", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.reload();
    await solo.push(push(70, received(1)));
    await answerLists(solo, [friendVO()]);
    expect(contacts(solo).requests).toHaveLength(1);
    await answerLists(solo, [friendVO()], [received(1)]);
    expect(contacts(solo).requests).toHaveLength(1);
    expect(solo.waiting().filter((url) => url.includes("/friend/list"))).toEqual([]);
  });

  test("P8 of two answers the one that was asked for last counts", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.reload();
    void solo.client.contacts.reload();
    const [first, second] = solo.ports.http.waiting.filter(({ request }) =>
      request.url.includes("/request/list"),
    );
    await solo.reply("/friend/list", [friendVO()]);
    await solo.reply("/friend/list", [friendVO()]);
    await solo.reply("/blacklist/list", []);
    await solo.reply("/blacklist/list", []);
    const answer = (data: object) => ({
      kind: "answer" as const,
      status: 200,
      text: JSON.stringify({ code: 200, message: "", data }),
      retryAfterSeconds: null,
    });
    solo.ports.http.finish(second!, answer([]));
    await settle();
    solo.ports.http.finish(first!, answer([received(1)]));
    await settle();
    expect(contacts(solo).requests).toEqual([]);
  });

  test("P14 a push 82 of people asks for the lists anew, one of messages does not", async () => {
    const solo = await loggedIn();
    const changed = (content: string) => ({ cmd: 3, data: { type: 82, sendId: 1, recvId: 1, content } });
    await solo.push(changed(""));
    expect(solo.waiting()).not.toContain("/blacklist/list");
    await solo.push(changed("people"));
    await solo.reply("/friend/list", [friendVO()]);
    await solo.reply("/request/list", []);
    await solo.reply("/blacklist/list", [userInfo({ id: 9 })]);
    expect(contacts(solo).blacklist).toEqual([9]);
  });

  test("P8 what changes who is a friend is checked against the lists after 2 s, a new name is not", async () => {
    const solo = await loggedIn();
    await solo.push(push(80, friendVO({ nickName: "Renamed" })));
    await pass(solo, 2_000);
    expect(solo.waiting()).not.toContain("/friend/list");
    await solo.push(push(81, {}));
    await pass(solo, 2_000);
    expect(solo.waiting()).toContain("/friend/list");
  });
});

describe("news of one friend that overtake each other", () => {
  const named = friendVO({ remarkNickName: "Buddy", showNickName: "Buddy" });
  const pinned = friendVO({ isTop: true });

  test("P16 of two pushes within 10 s the server tells the newest after 2 s, once", async () => {
    const solo = await loggedIn();
    await solo.push(push(80, { ...named, isTop: true }));
    await pass(solo, 1_000);
    await solo.push(push(80, pinned), push(80, pinned));
    expect(contacts(solo).friends[2]?.showNickName).toBe("Friend");
    await pass(solo, 2_000);
    expect(solo.waiting().filter((url) => url.includes("/friend/find/2"))).toHaveLength(1);
    await solo.reply("/friend/find/2", { ...named, isTop: true });
    expect(contacts(solo).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 a push behind what I have done myself may be older than that", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.setRemark(2, "Buddy");
    await solo.reply("update/remark", null);
    await solo.push(push(80, pinned));
    await pass(solo, 2_000);
    await solo.reply("/friend/find/2", { ...named, isTop: true });
    expect(contacts(solo).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 an answer that a push has overtaken is asked for again, with everything", async () => {
    const solo = await loggedIn();
    await solo.push(push(80, pinned), push(80, friendVO()));
    await pass(solo, 2_000);
    await solo.push(push(80, named));
    await solo.reply("/friend/find/2", pinned);
    expect(contacts(solo).friends[2]?.showNickName).toBe("Buddy");
    await answerLists(solo, [{ ...named, isTop: true }]);
    expect(contacts(solo).friends[2]).toMatchObject({ showNickName: "Buddy", isTop: true });
  });

  test("P16 pushes far from each other are believed", async () => {
    const solo = await loggedIn();
    await solo.push(push(80, named));
    await pass(solo, 10_000);
    await solo.push(push(80, pinned));
    await pass(solo, 5_000);
    expect(solo.waiting().filter((url) => url.includes("/friend/find"))).toEqual([]);
  });
});

describe("presence", () => {
  test("P6 is asked every 30 s while online", async () => {
    const solo = await loggedIn();
    await pass(solo, 30_000);
    expect(solo.waiting()).toContain("/user/terminal/online?userIds=2");
    await solo.reply("terminal/online", [{ userId: 2, terminals: [2] }]);
    expect(contacts(solo).online).toEqual({ 2: [2] });
    solo.ports.sockets.last().close(1006);
    await pass(solo, 10_000);
    solo.ports.http.waiting.splice(0);
    await pass(solo, 4_000);
    expect(solo.waiting()).toEqual([]);
  });
});

describe("actions", () => {
  test("P9 a search shows at most 20 people, and remembers who they are", async () => {
    const solo = await loggedIn();
    const found = solo.client.contacts.search("a");
    const people = Array.from({ length: 25 }, (_, i) => userInfo({ id: 100 + i }));
    await solo.reply("findByName", people);
    expect(await found).toMatchObject({ ok: true, value: { length: 20 } });
    expect(contacts(solo).users[100]).toEqual(people[0]);
  });

  test("P4 an application stands among the requests, and goes when it is taken back", async () => {
    const solo = await loggedIn();
    const applied = solo.client.contacts.apply(11, "hello", RequestSource.SEARCH);
    expect(bodyOf(solo.ports.http.waiting.at(-1)?.request)).toEqual({
      friendId: 11,
      source: 1,
      remark: "hello",
    });
    await solo.reply("request/apply", requestVO({ id: 7, sendId: ME, recvId: 11 }));
    expect((await applied).ok).toBe(true);
    expect(contacts(solo).requests.map((request) => request.id)).toEqual([7]);
    void solo.client.contacts.recall(7);
    await solo.reply("request/recall", null);
    expect(contacts(solo).requests).toEqual([]);
  });

  test("P5 approving brings the friend, also when nothing is pushed", async () => {
    const solo = await loggedIn();
    await solo.push(push(70, received(1)));
    void solo.client.contacts.approve(1);
    await solo.reply("request/approve", null);
    expect(contacts(solo).requests).toEqual([]);
    await solo.reply("/friend/find/11", friendVO({ id: 11, nickName: "New" }));
    expect(contacts(solo).order).toContain(11);
  });

  test("P5 rejecting, removing and renaming show at once", async () => {
    const solo = await loggedIn();
    await solo.push(push(70, received(1)));
    void solo.client.contacts.reject(1);
    await solo.reply("request/reject", null);
    expect(contacts(solo).requests).toEqual([]);
    void solo.client.contacts.setRemark(2, " Buddy ");
    await solo.reply("update/remark", null);
    expect(contacts(solo).friends[2]).toMatchObject({ remarkNickName: "Buddy", showNickName: "Buddy" });
    void solo.client.contacts.setRemark(2, " ");
    await solo.reply("update/remark", null);
    expect(contacts(solo).friends[2]).toMatchObject({ remarkNickName: null, showNickName: "Friend" });
    void solo.client.contacts.remove(2);
    await solo.reply("friend/delete/2", null);
    expect(contacts(solo).order).toEqual([]);
  });

  test("P8 a refusal means that the lists are behind: they are asked for again", async () => {
    const solo = await loggedIn();
    await solo.push(push(70, received(1)));
    void solo.client.contacts.approve(1);
    await solo.reply("request/approve", null, 500);
    expect(solo.notices).toHaveLength(1);
    await answerLists(solo, [friendVO()]);
    expect(contacts(solo).requests).toEqual([]);
  });

  test("P3 whoever writes without being known is looked up once", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5, { sendId: 77 }), pushed(6, { sendId: 77 }));
    expect(solo.waiting().filter((url) => url === "/user/find/77")).toHaveLength(1);
    await solo.reply("/user/find/77", userInfo({ id: 77, nickName: "Stranger" }));
    expect(contacts(solo).users[77]?.nickName).toBe("Stranger");
  });
});

describe("settings", () => {
  test.each([
    ["taken", 200, false],
    ["refused", 500, true],
  ])("P11 whether people need my approval changes when the server has %s it", async (_what, code, isOn) => {
    const solo = await loggedIn();
    expect(solo.client.getState().me?.isManualApprove).toBe(true);
    const done = solo.client.contacts.setManualApprove(false);
    await solo.reply("/user/manualApprove?enabled=false", null, code);
    expect((await done).ok).toBe(!isOn);
    expect(solo.client.getState().me?.isManualApprove).toBe(isOn);
    expect(solo.notices).toEqual([]);
  });
});
