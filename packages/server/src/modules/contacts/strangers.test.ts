/** What people learn of somebody with whom they have nothing in common, from the id alone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FindableBy, MessageType, RequestSource } from "@parley/protocol/codes";
import { foundSince } from "../../access/acquaintance.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, makeGroup, registerPerson } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN = 999_999;
const HIDDEN = [FindableBy.USER_NAME, FindableBy.NOTHING] as const;

async function registerTwo(by: FindableBy): Promise<{ me: TestPerson; hidden: TestPerson }> {
  const [me, hidden] = [await registerPerson(server.url), await registerPerson(server.url)];
  await hidden.ok("setFindableBy", { query: { by } });
  return { me, hidden };
}
/** Whether somebody sees the person by the id. */
const sees = async (me: TestPerson, { id }: { id: number }) => {
  const { envelope } = await me.call("findUser", { params: { id } });
  return envelope.code === 200 ? envelope.data.id === id : envelope.key;
};
const sendCard = (from: TestPerson, to: TestPerson, userId: number) =>
  from.call("sendPrivateMessage", {
    body: { recvId: to.id, type: MessageType.BUSINESS_CARD, content: JSON.stringify({ userId }) },
  });

describe("P167 an id tells nothing about somebody whom not everybody finds", () => {
  test.each(HIDDEN)("the whole answers are those of an id that nobody has (findable by %i)", async (by) => {
    const { me, hidden } = await registerTwo(by);
    const friend = await registerPerson(server.url);
    await befriend(me, friend);
    const groupId = await makeGroup(me, [friend]);
    // Without sockets of both, calls would be refused for that reason.
    const sockets = [await me.connect(), await hidden.connect()];
    const answersTo = async (id: number): Promise<string[]> => {
      const answers = [
        await me.call("findUser", { params: { id } }),
        await me.call("findFriend", { params: { id } }),
        await me.call("applyFriend", { body: { friendId: id, source: RequestSource.CARD } }),
        await me.call("addFriend", { query: { friendId: id } }),
        await me.call("deleteFriend", { params: { id } }),
        await me.call("addToBlacklist", { query: { userId: id } }),
        await me.call("removeFromBlacklist", { query: { userId: id } }),
        await me.call("listBlacklist"),
        await me.call("reportAbuse", { body: { userId: id, reason: "spam", text: "" } }),
        await me.call("findOnlineTerminals", { query: { userIds: [id] } }),
        await me.call("findLastSeen", { query: { userId: id } }),
        await me.call("sendPrivateMessage", { body: { recvId: id, type: 0, content: "hi" } }),
        await sendCard(me, friend, id),
        await sendCard(me, me, id),
        await me.call("privateHistory", { query: { friendId: id } }),
        await me.call("inviteToGroup", { body: { groupId, friendIds: [id] } }),
        await me.call("transferGroup", { body: { groupId, userId: id } }),
        await me.call("removeGroupMembers", { body: { groupId, userIds: [id] } }),
        await me.call("createGroup", { body: { name: "G", memberIds: [id] } }),
        await me.call("sendGroupMessage", {
          body: { groupId, type: 0, content: "hi", atUserIds: [id] },
        }),
        await me.call("findPrivateCall", { query: { uid: id } }),
        await me.call("setupPrivateCall", { query: { uid: id, mode: "voice" } }),
      ];
      return answers.map(({ status, envelope }) => `${status} ${JSON.stringify(envelope)}`);
    };
    expect(await answersTo(hidden.id)).toEqual(await answersTo(UNKNOWN));
    expect(await sees(me, hidden)).toBe("user.notFound");
    for (const socket of sockets) socket.close();
  });

  test("a person whom any name finds is seen by the id, and not online", async () => {
    const { me, hidden: open } = await registerTwo(FindableBy.ANY_NAME);
    const socket = await open.connect();
    expect((await me.ok("findUser", { params: { id: open.id } })).online).toBe(false);
    expect(await me.ok("findOnlineTerminals", { query: { userIds: [open.id] } })).toEqual([]);
    socket.close();
  });
});

describe("P168 people who have something in common see each other", () => {
  const common: Record<string, (me: TestPerson, hidden: TestPerson) => Promise<unknown>> = {
    "a friendship": (me, hidden) => befriend(hidden, me),
    "a friendship that ended": async (me, hidden) => {
      await befriend(hidden, me);
      await hidden.ok("deleteFriend", { params: { id: me.id } });
    },
    "their request to me": (me, hidden) => hidden.ok("applyFriend", { body: { friendId: me.id } }),
    "their request to me, which I rejected": async (me, hidden) => {
      const { id } = await hidden.ok("applyFriend", { body: { friendId: me.id } });
      await me.ok("rejectFriendRequest", { query: { id } });
    },
    "a common group": async (me, hidden) => {
      const owner = await registerPerson(server.url);
      await befriend(hidden, owner);
      await makeGroup(owner, [me, hidden]);
    },
    "a group that I have left": async (me, hidden) => {
      const owner = await registerPerson(server.url);
      await befriend(hidden, owner);
      const id = await makeGroup(owner, [me, hidden]);
      await me.ok("quitGroup", { params: { id } });
    },
    "their request to join my group": async (me, hidden) => {
      const groupId = await makeGroup(me, []);
      await me.ok("setGroupSettings", { body: { groupId, joinMode: 2 } });
      await hidden.ok("applyGroup", { body: { groupId } });
    },
    "my block": async (me, hidden) => {
      await hidden.ok("setFindableBy", { query: { by: FindableBy.ANY_NAME } });
      await me.ok("addToBlacklist", { query: { userId: hidden.id } });
      await hidden.ok("setFindableBy", { query: { by: FindableBy.NOTHING } });
    },
    "a card from a friend": async (me, hidden) => {
      const friend = await registerPerson(server.url);
      await befriend(friend, me);
      await befriend(hidden, friend);
      expect((await sendCard(friend, me, hidden.id)).envelope.code).toBe(200);
    },
    "a card in a group": async (me, hidden) => {
      const friend = await registerPerson(server.url);
      const groupId = await makeGroup(friend, [me]);
      await befriend(hidden, friend);
      const content = JSON.stringify({ userId: hidden.id });
      await friend.ok("sendGroupMessage", { body: { groupId, type: MessageType.BUSINESS_CARD, content } });
    },
  };

  test.each(Object.keys(common))("%s", async (name) => {
    const { me, hidden } = await registerTwo(FindableBy.NOTHING);
    expect(await sees(me, hidden)).toBe("user.notFound");
    await common[name]?.(me, hidden);
    expect(await sees(me, hidden)).toBe(true);
  });

  test("a card lets its receiver ask for a friendship, until it is recalled", async () => {
    const { me, hidden } = await registerTwo(FindableBy.NOTHING);
    const friend = await registerPerson(server.url);
    await befriend(friend, me);
    await befriend(hidden, friend);
    const { envelope } = await sendCard(friend, me, hidden.id);
    const body = { friendId: hidden.id, source: RequestSource.CARD };
    const { id } = await me.ok("applyFriend", { body });
    await hidden.ok("rejectFriendRequest", { query: { id } });
    await friend.ok("recallPrivateMessage", { params: { id: (envelope.data as { id: number }).id } });
    expect(await me.errorKeyOf("applyFriend", { body })).toBe("user.notFound");
    expect(await sees(me, hidden)).toBe("user.notFound");
  });

  test("a request that I sent shows the person until it is answered", async () => {
    const { me, hidden } = await registerTwo(FindableBy.ANY_NAME);
    const { id } = await me.ok("applyFriend", { body: { friendId: hidden.id } });
    await hidden.ok("setFindableBy", { query: { by: FindableBy.NOTHING } });
    expect(await sees(me, hidden)).toBe(true);
    await hidden.ok("rejectFriendRequest", { query: { id } });
    expect(await sees(me, hidden)).toBe("user.notFound");
  });

  test("somebody who came into a group after I had left it stays hidden", async () => {
    const { me, hidden } = await registerTwo(FindableBy.NOTHING);
    const owner = await registerPerson(server.url);
    const groupId = await makeGroup(owner, [me]);
    await me.ok("quitGroup", { params: { id: groupId } });
    await befriend(hidden, owner);
    await owner.ok("inviteToGroup", { body: { groupId, friendIds: [hidden.id] } });
    expect([await sees(me, hidden), await sees(owner, hidden)]).toEqual(["user.notFound", true]);
  });

  test("an administrator sees everybody", async () => {
    const { me, hidden } = await registerTwo(FindableBy.NOTHING);
    await server.app.store.write((tx) => tx.setAdmin(me.id, true));
    expect(await sees(me, hidden)).toBe(true);
  });
});

describe("P169 a person whom only the complete user name finds", () => {
  test("is seen and asked by people who have found them so, and by nobody else", async () => {
    const { me, hidden } = await registerTwo(FindableBy.USER_NAME);
    const other = await registerPerson(server.url);
    const part = hidden.userName.slice(0, -1);
    await me.ok("findUsersByName", { query: { name: part } });
    expect(await sees(me, hidden)).toBe("user.notFound");
    expect(await me.ok("findUsersByName", { query: { name: hidden.userName } })).toMatchObject([
      { id: hidden.id },
    ]);
    expect([await sees(me, hidden), await sees(other, hidden)]).toEqual([true, "user.notFound"]);
    const body = { friendId: hidden.id, source: RequestSource.SEARCH };
    expect(await other.errorKeyOf("applyFriend", { body })).toBe("user.notFound");
    expect(await me.ok("applyFriend", { body })).toMatchObject({ recvId: hidden.id });
  });

  test("is hidden again when nothing finds them, and a day after the search", async () => {
    const { me, hidden } = await registerTwo(FindableBy.USER_NAME);
    const now = Date.now();
    const find = (at: number) =>
      server.app.store.write((tx) => tx.rememberFound(me.id, [hidden.id], at, foundSince(at)));
    await find(now - 86_400_000 - 60_000);
    expect(await sees(me, hidden)).toBe("user.notFound");
    await find(now);
    expect(await sees(me, hidden)).toBe(true);
    await hidden.ok("setFindableBy", { query: { by: FindableBy.NOTHING } });
    expect(await sees(me, hidden)).toBe("user.notFound");
  });
});
