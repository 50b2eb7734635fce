import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  sendText,
  registerFriends,
} from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const registerTwo = async (): Promise<[TestPerson, TestPerson]> => [
  await registerPerson(server.url),
  await registerPerson(server.url),
];
const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;

describe("friends", () => {
  test("the list contains deleted friends too; find answers only current friends", async () => {
    const [a, b] = await registerFriends(server.url);
    const [vo] = await a.ok("listFriends");
    expect(vo).toEqual({
      id: b.id,
      userName: b.userName,
      nickName: `N ${b.userName}`,
      headImage: null,
      headImageThumb: null,
      showNickName: `N ${b.userName}`,
      remarkNickName: null,
      online: false,
      onlineWeb: false,
      onlineApp: false,
      isTop: false,
      msgRemind: 1,
      msgRemindUntil: null,
      isDnd: false,
      isDeleted: false,
      deleted: false,
      isBanned: false,
      reason: null,
    });
    await b.ok("deleteFriend", { params: { id: a.id } });
    expect(await a.ok("listFriends")).toMatchObject([{ id: b.id, isDeleted: true, deleted: true }]);
    const { envelope } = await a.call("findFriend", { params: { id: b.id } });
    expect(envelope.message).toBe("对方不是您的好友");
  });

  test("delete: push 81 to both, a stored tip only to the other person", async () => {
    const [a, b] = await registerFriends(server.url);
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    await a.ok("deleteFriend", { params: { id: b.id } });
    expect(await aSocket.nextOf(81)).toMatchObject({ cmd: 3, data: { sendId: b.id, recvId: a.id } });
    expect(await bSocket.nextOf(81)).toMatchObject({ cmd: 3, data: { sendId: a.id, recvId: b.id } });
    expect((await bSocket.nextOf(21)).data).toMatchObject({
      content: "你们的好友关系已被解除",
      tip: { key: "friend.ended" },
    });
    await aSocket.flush();
    expect(aSocket.of(21)).toEqual([]);
    expect(await a.errorKeyOf("deleteFriend", { params: { id: b.id } })).toBe("friend.notFriend");
    aSocket.close();
    bSocket.close();
  });

  test("remark, alert level and pin are private, outlive a deletion, and reach the person's other clients by push 80", async () => {
    const [a, b] = await registerFriends(server.url);
    const acting = a.tab("acting");
    const [own, other, bSocket] = [await acting.connect(), await a.tab("other").connect(), await b.connect()];
    await acting.ok("updateFriendRemark", { body: { friendId: b.id, remarkNickName: "<b>Bo</b>" } });
    await acting.ok("setFriendTop", { body: { friendId: b.id, isTop: true } });
    await acting.ok("setFriendDnd", { body: { friendId: b.id, isDnd: true } });
    const preferences = { showNickName: "<b>Bo</b>", isTop: true, msgRemind: 0, isDnd: true };
    const pushes = [await other.nextOf(80), await other.nextOf(80), await other.nextOf(80)];
    expect(pushes[0]?.data).toMatchObject({ sendId: b.id, recvId: a.id });
    expect(contentOf(pushes[2])).toMatchObject(preferences);
    await own.flush();
    await bSocket.flush();
    expect([...own.of(80), ...bSocket.of(80)]).toEqual([]);
    await acting.ok("setFriendMsgRemind", { body: { friendId: b.id, msgRemind: 1 } });
    await b.ok("deleteFriend", { params: { id: a.id } });
    await befriend(a, b);
    expect(await a.ok("findFriend", { params: { id: b.id } })).toMatchObject({
      ...preferences,
      msgRemind: 1,
      isDnd: false,
    });
    await a.ok("updateFriendRemark", { body: { friendId: b.id, remarkNickName: "\u200b" } });
    expect(await a.ok("findFriend", { params: { id: b.id } })).toMatchObject({
      showNickName: `N ${b.userName}`,
    });
    for (const socket of [own, other, bSocket]) socket.close();
  });

  test("a chat of an ended friendship can be unpinned, and no other preference can be changed", async () => {
    const [a, b] = await registerFriends(server.url);
    const friendId = b.id;
    const acting = a.tab("acting");
    const other = await a.tab("other").connect();
    await acting.ok("setFriendTop", { body: { friendId, isTop: true } });
    await b.ok("deleteFriend", { params: { id: a.id } });
    await acting.ok("setFriendTop", { body: { friendId, isTop: false } });
    const pushes = [await other.nextOf(80), await other.nextOf(80)];
    expect(contentOf(pushes[1])).toMatchObject({ id: friendId, isTop: false, isDeleted: true });
    const [row] = await a.ok("listFriends");
    expect(row).toMatchObject({ id: friendId, isTop: false, isDeleted: true });
    expect(await a.errorKeyOf("setFriendTop", { body: { friendId, isTop: true } })).toBe("friend.notFriend");
    expect(await a.errorKeyOf("setFriendMsgRemind", { body: { friendId, msgRemind: 0 } })).toBe(
      "friend.notFriend",
    );
    other.close();
  });

  test("P141 the chat with oneself is pinned by a row marked deleted, which the user's other clients and the next login receive", async () => {
    const [a, b] = await registerFriends(server.url);
    const friendId = a.id;
    const acting = a.tab("acting");
    const other = await a.tab("other").connect();
    expect(await a.ok("listFriends")).toHaveLength(1);
    await acting.ok("setFriendTop", { body: { friendId, isTop: true } });
    const pushed = await other.nextOf(80);
    expect(pushed.data).toMatchObject({ sendId: a.id, recvId: a.id });
    expect(contentOf(pushed)).toMatchObject({ id: a.id, isTop: true, isDeleted: true, deleted: true });
    const own = { id: a.id, isTop: true, msgRemind: 1, isDeleted: true };
    expect(await a.ok("listFriends")).toMatchObject([own, { id: b.id, isDeleted: false }]);
    await acting.ok("setFriendTop", { body: { friendId, isTop: false } });
    expect(contentOf(await other.nextOf(80))).toMatchObject({ id: a.id, isTop: false });
    await acting.ok("setFriendTop", { body: { friendId, isTop: true } });
    expect(await a.ok("listFriends")).toMatchObject([own, { id: b.id }]);
    other.close();
  });

  test("P142 people are not their own friends, and the chat with oneself has no other settings", async () => {
    const [a, b] = await registerTwo();
    const friendId = a.id;
    await a.ok("setFriendTop", { body: { friendId, isTop: true } });
    const notFriend = "friend.notFriend";
    expect(await a.errorKeyOf("findFriend", { params: { id: friendId } })).toBe(notFriend);
    expect(await a.errorKeyOf("setFriendMsgRemind", { body: { friendId, msgRemind: 0 } })).toBe(notFriend);
    expect(await a.errorKeyOf("setFriendDnd", { body: { friendId, isDnd: true } })).toBe(notFriend);
    expect(await a.errorKeyOf("updateFriendRemark", { body: { friendId, remarkNickName: "x" } })).toBe(
      notFriend,
    );
    expect(await a.errorKeyOf("deleteFriend", { params: { id: friendId } })).toBe(notFriend);
    expect(await a.errorKeyOf("applyFriend", { body: { friendId } })).toBe("friend.self");
    await sendText(a, a, "still to myself");
    expect(await b.ok("listFriends")).toEqual([]);
  });

  test("preferences for a stranger are rejected", async () => {
    const [a, b] = await registerTwo();
    const friendId = b.id;
    expect(await a.errorKeyOf("updateFriendRemark", { body: { friendId, remarkNickName: "x" } })).toBe(
      "friend.notFriend",
    );
    expect(await a.errorKeyOf("setFriendTop", { body: { friendId, isTop: true } })).toBe("friend.notFriend");
    expect(await a.errorKeyOf("setFriendMsgRemind", { body: { friendId, msgRemind: 0 } })).toBe(
      "friend.notFriend",
    );
    expect(await a.errorKeyOf("setFriendDnd", { body: { friendId, isDnd: true } })).toBe("friend.notFriend");
  });

  test("online flags name the terminal", async () => {
    const [a, b] = await registerFriends(server.url);
    const socket = await (await b.elsewhere({ terminal: 1 })).connect();
    expect(await a.ok("findFriend", { params: { id: b.id } })).toMatchObject({
      online: true,
      onlineWeb: false,
      onlineApp: true,
    });
    socket.close();
  });
});

describe("the blacklist", () => {
  test("blocking and unblocking is pushed to the user's own other clients only", async () => {
    const [a, b] = await registerFriends(server.url);
    const acting = a.tab("acting");
    const sockets = [
      await a.tab("other").connect({ caps: ["changes"] }),
      await acting.connect({ caps: ["changes"] }),
      await a.tab("older").connect(),
      await b.connect({ caps: ["changes"] }),
    ] as const;
    const [other, ...otherSockets] = sockets;
    const frame = { cmd: 3, data: { type: 82, sendId: a.id, recvId: a.id, content: "people" } };
    await acting.ok("addToBlacklist", { query: { userId: b.id } });
    expect(await other.nextOf(82)).toEqual(frame);
    await acting.ok("removeFromBlacklist", { query: { userId: b.id } });
    expect(await other.nextOf(82)).toEqual(frame);
    for (const socket of otherSockets) {
      await socket.flush();
      expect(socket.of(82)).toEqual([]);
    }
    for (const socket of sockets) socket.close();
  });

  test("lists the people I have blocked until I unblock them", async () => {
    const [a, b] = await registerTwo();
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect(await a.ok("listBlacklist")).toMatchObject([{ id: b.id, userName: b.userName, mobile: null }]);
    expect(await b.ok("listBlacklist")).toEqual([]);
    await a.ok("removeFromBlacklist", { query: { userId: b.id } });
    await a.ok("removeFromBlacklist", { query: { userId: b.id } });
    expect(await a.ok("listBlacklist")).toEqual([]);
  });

  test("blocking oneself or an unknown person is refused", async () => {
    const a = await registerPerson(server.url);
    expect(await a.errorKeyOf("addToBlacklist", { query: { userId: a.id } })).toBe("blacklist.self");
    expect(await a.errorKeyOf("addToBlacklist", { query: { userId: 999_999 } })).toBe("user.notFound");
  });

  test("a person may still write to a friend they have blocked", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    await sendText(a, b, "you may hear me");
  });
});
