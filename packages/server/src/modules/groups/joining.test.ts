/** How people come into groups, what strangers learn of a group from its number, and how somebody who was removed comes back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JoinMode, RequestStatus } from "@parley/protocol/codes";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  OPEN_GROUP,
  type TestPerson,
  befriend,
  makeGroup,
  registerPerson,
} from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const { FREE, APPROVAL, INVITATION } = JoinMode;
const MODES = [FREE, APPROVAL, INVITATION] as const;
const UNKNOWN = 999_999;
const registerFour = async (): Promise<[TestPerson, TestPerson, TestPerson, TestPerson]> => [
  await registerPerson(server.url),
  await registerPerson(server.url),
  await registerPerson(server.url),
  await registerPerson(server.url),
];
const apply = (person: TestPerson, groupId: number) => person.call("applyGroup", { body: { groupId } });
const outcomeOf = async (person: TestPerson, groupId: number) => {
  const { envelope } = await apply(person, groupId);
  return envelope.code === 200 ? envelope.data.status : envelope.key;
};
const invite = (inviter: TestPerson, groupId: number, ...friends: TestPerson[]) =>
  inviter.ok("inviteToGroup", { body: { groupId, friendIds: friends.map(({ id }) => id) } });
const isIn = async (person: TestPerson, groupId: number) =>
  (await person.ok("listGroups")).some(({ id, quit }) => id === groupId && !quit);
const remove = (owner: TestPerson, groupId: number, person: TestPerson) =>
  owner.ok("removeGroupMembers", { body: { groupId, userIds: [person.id] } });
const requestOf = async (owner: TestPerson, person: TestPerson) => {
  const request = (await owner.ok("listGroupRequests")).find(({ sendId }) => sendId === person.id);
  if (request === undefined) throw new Error("there is no request");
  return request;
};
const approve = async (owner: TestPerson, person: TestPerson) =>
  owner.ok("approveGroupRequest", { query: { id: (await requestOf(owner, person)).id } });

describe("G102 a new group", () => {
  test("is joined with approval and cannot be found, unless its creator says otherwise", async () => {
    const [a, b] = await registerFour();
    const plain = await a.ok("createGroup", { body: { name: "Plain" } });
    expect(plain).toMatchObject({ joinMode: APPROVAL, joinApproval: true, isFindable: false });
    expect(await outcomeOf(b, plain.id)).toBe("group.notFound");
    const open = await a.ok("createGroup", { body: { name: "Open", ...OPEN_GROUP } });
    expect(open).toMatchObject({ joinMode: FREE, joinApproval: false, isFindable: true });
    expect(await outcomeOf(b, open.id)).toBe(RequestStatus.APPROVED);
  });

  test("is joined as the setting of the server says", async () => {
    await using invited = await createTestApp({ env: { NEW_GROUP_JOIN: "invitation" } });
    const a = await registerPerson(invited.url);
    const { id, joinMode } = await a.ok("createGroup", { body: { name: "G" } });
    expect(joinMode).toBe(INVITATION);
    expect((await a.ok("loadSystemConfig")).group).toEqual({ joinMode: INVITATION });
    const group = await invited.app.store.findGroup(id);
    expect(group).toMatchObject({ joinMode: INVITATION, isFindable: false });
  });

  test.each([0, 4, "2", null])("the way of joining %j is malformed", async (joinMode) => {
    const [a] = await registerFour();
    const { id: groupId } = await a.ok("createGroup", { body: { name: "G" } });
    const body = { groupId, joinMode: joinMode as 1 };
    expect((await a.call("setGroupSettings", { body })).status).toBe(400);
  });
});

describe("the way of joining", () => {
  test("G103 by invitation: nobody joins or asks by the number, and people whom a member invites are in", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b], "By invitation", { joinMode: INVITATION, isFindable: true });
    expect(await outcomeOf(c, groupId)).toBe("group.cannotJoin");
    await befriend(b, d);
    await invite(b, groupId, d);
    expect(await isIn(d, groupId)).toBe(true);
    await d.ok("quitGroup", { params: { id: groupId } });
    expect(await outcomeOf(d, groupId)).toBe("group.cannotJoin");
  });

  test("an older client that knows two ways changes between them, and keeps the third while it asks for approval", async () => {
    const [a] = await registerFour();
    const groupId = await makeGroup(a, [], "Old", { joinMode: INVITATION });
    const set = async (joinApproval: boolean) => {
      await a.ok("setGroupSettings", { body: { groupId, joinApproval } });
      return a.ok("findGroup", { params: { id: groupId } });
    };
    expect(await set(true)).toMatchObject({ joinMode: INVITATION, joinApproval: true });
    expect(await set(false)).toMatchObject({ joinMode: FREE, joinApproval: false });
    expect(await set(true)).toMatchObject({ joinMode: APPROVAL, joinApproval: true });
    await a.ok("setGroupSettings", { body: { groupId, joinApproval: true, joinMode: FREE } });
    expect(await a.ok("findGroup", { params: { id: groupId } })).toMatchObject({ joinMode: FREE });
  });

  test("only the owner changes it, and whether the group can be found", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
    for (const change of [{ joinMode: FREE }, { isFindable: false }])
      expect(await b.errorKeyOf("setGroupSettings", { body: { groupId, ...change } })).toBe("group.noRight");
  });
});

describe("G104 somebody who was removed", () => {
  test.each([FREE, APPROVAL])(
    "asks where joining is %i, and is back when an admin approves",
    async (joinMode) => {
      const [a, b] = await registerFour();
      const groupId = await makeGroup(a, [b], "G", { joinMode, isFindable: true });
      await remove(a, groupId, b);
      expect(await b.ok("findGroup", { params: { id: groupId } })).toMatchObject({
        quit: true,
        wasRemoved: true,
        joinMode: APPROVAL,
      });
      expect(await outcomeOf(b, groupId)).toBe(RequestStatus.PENDING);
      expect(await outcomeOf(b, groupId)).toBe("group.requestPending");
      expect(await isIn(b, groupId)).toBe(false);
      await approve(a, b);
      expect(await isIn(b, groupId)).toBe(true);
      // The approval ends the mark: a person who leaves after that comes back like everybody else.
      await b.ok("quitGroup", { params: { id: groupId } });
      expect(await b.ok("findGroup", { params: { id: groupId } })).toMatchObject({ wasRemoved: false });
      expect(await outcomeOf(b, groupId)).toBe(
        joinMode === FREE ? RequestStatus.APPROVED : RequestStatus.PENDING,
      );
    },
  );

  test("cannot ask where joining is by invitation", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, [b], "G", { joinMode: INVITATION });
    await remove(a, groupId, b);
    expect(await outcomeOf(b, groupId)).toBe("group.cannotJoin");
  });

  test.each(MODES)(
    "needs approval where joining is %i if an ordinary member invites them; others of the same invitation come in as ever",
    async (joinMode) => {
      const [a, b, c, d] = await registerFour();
      const groupId = await makeGroup(a, [b, c], "G", { joinMode });
      await remove(a, groupId, c);
      await befriend(b, c);
      await befriend(b, d);
      await invite(b, groupId, c, d);
      expect(await isIn(c, groupId)).toBe(false);
      expect(await isIn(d, groupId)).toBe(joinMode !== APPROVAL);
      expect(await requestOf(a, c)).toMatchObject({ inviterId: b.id });
      await approve(a, c);
      expect(await isIn(c, groupId)).toBe(true);
    },
  );

  test.each(["owner", "admin"])("is back at once if the %s invites them", async (who) => {
    const [a, b, c] = await registerFour();
    const groupId = await makeGroup(a, [b, c]);
    await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
    await befriend(b, c);
    await remove(a, groupId, c);
    await invite(who === "owner" ? a : b, groupId, c);
    expect(await isIn(c, groupId)).toBe(true);
  });

  test("is still removed after the group was opened, and after it could no longer be found", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, [b], "G", { joinMode: APPROVAL });
    await remove(a, groupId, b);
    expect(await outcomeOf(b, groupId)).toBe(RequestStatus.PENDING);
    await a.ok("setGroupSettings", { body: { groupId, joinMode: FREE, isFindable: false } });
    expect(await outcomeOf(b, groupId)).toBe("group.requestPending");
    await a.ok("rejectGroupRequest", { query: { id: (await requestOf(a, b)).id } });
    expect(await outcomeOf(b, groupId)).toBe(RequestStatus.PENDING);
  });

  test("a person who left by themselves joins again as the group says", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await b.ok("quitGroup", { params: { id: groupId } });
    expect(await outcomeOf(b, groupId)).toBe(RequestStatus.APPROVED);
  });
});

describe("G105 a stranger", () => {
  /** The whole answers of calls with the number of a group, without the number. */
  const answersTo = async (person: TestPerson, groupId: number): Promise<string[]> => {
    const answers = [
      await person.call("findGroup", { params: { id: groupId } }),
      await person.call("findGroupsByName", { query: { name: String(groupId) } }),
      await apply(person, groupId),
      await person.call("listGroupMembers", { params: { id: groupId } }),
      await person.call("quitGroup", { params: { id: groupId } }),
      await person.call("dissolveGroup", { params: { id: groupId } }),
      await person.call("inviteToGroup", { body: { groupId, friendIds: [person.id] } }),
      await person.call("setGroupSettings", { body: { groupId, joinMode: FREE } }),
      await person.call("setGroupTop", { body: { groupId, isTop: true } }),
      await person.call("groupHistory", { query: { groupId } }),
      await person.call("readGroupMessages", { query: { groupId } }),
      await person.call("findReadedUsers", { query: { groupId, messageId: 1 } }),
      await person.call("sendGroupMessage", { body: { groupId, type: 0, content: "hi" } }),
      await person.call("searchMessages", { query: { q: "words", chatType: "GROUP", targetId: groupId } }),
      await person.call("findGroupCall", { query: { groupId } }),
      await person.call("acceptGroupCall", { query: { groupId } }),
      await person.call("joinGroupCall", { query: { groupId } }),
      await person.call("cancelGroupCall", { query: { groupId } }),
      await person.call("inviteToGroupCall", { body: { groupId, userInfos: [{ id: person.id }] } }),
    ];
    return answers.map(({ status, envelope }) => `${status} ${JSON.stringify(envelope)}`);
  };

  test.each(["alive", "dissolved", "banned", "in a call"])(
    "gets the same whole answers for a hidden group (%s) and for a number that no group has",
    async (state) => {
      const [a, b, stranger] = await registerFour();
      const groupId = await makeGroup(a, [b], "Hidden", { joinMode: FREE, isFindable: false });
      await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: "words" } });
      const sockets = [await a.connect(), await b.connect(), await stranger.connect()];
      if (state === "dissolved") await a.ok("dissolveGroup", { params: { id: groupId } });
      if (state === "banned")
        await server.app.store.write((tx) => tx.updateGroup(groupId, { banReason: "spam" }));
      if (state === "in a call")
        await a.ok("setupGroupCall", { body: { groupId, userInfos: [{ id: b.id }] } });
      expect(await answersTo(stranger, groupId)).toEqual(await answersTo(stranger, UNKNOWN));
      expect((await apply(stranger, groupId)).envelope).toMatchObject({ key: "group.notFound" });
      for (const socket of sockets) socket.close();
    },
  );

  test("reads that no group has this number in the words of the specification", async () => {
    const [a, , stranger] = await registerFour();
    const { id } = await a.ok("createGroup", { body: { name: "Hidden" } });
    stranger.headers = { "accept-language": "en" };
    const { envelope } = await stranger.call("findGroup", { params: { id } });
    expect(envelope).toEqual({
      code: 500,
      message: "Group not found or invalid group ID",
      data: null,
      key: "group.notFound",
    });
  });

  test("sees name, picture and the way of joining of a group that can be found, and nothing else", async () => {
    const [a, b, stranger] = await registerFour();
    const groupId = await makeGroup(a, [b], "Findable climbers", { joinMode: APPROVAL, isFindable: true });
    await a.ok("modifyGroup", { body: { id: groupId, notice: "secret" } });
    const card = {
      id: groupId,
      name: "Findable climbers",
      headImage: null,
      headImageThumb: null,
      // Older clients need a number. It is always this one.
      membersCount: 0,
      joinMode: APPROVAL,
    };
    expect(await stranger.ok("findGroup", { params: { id: groupId } })).toEqual(card);
    expect(await stranger.ok("findGroupsByName", { query: { name: "findable climb" } })).toEqual([card]);
    // Members see how many they are.
    const [own] = await b.ok("findGroupsByName", { query: { name: "findable climb" } });
    expect(own).toMatchObject({ membersCount: 2 });
    await a.ok("setGroupSettings", { body: { groupId, isFindable: false } });
    expect(await stranger.ok("findGroupsByName", { query: { name: "findable climb" } })).toEqual([]);
    expect(await b.ok("findGroupsByName", { query: { name: "findable climb" } })).toHaveLength(1);
  });

  test("a person who has asked to join still sees the card when the group can no longer be found, until they are answered", async () => {
    const [a, , stranger] = await registerFour();
    const groupId = await makeGroup(a, [], "G", { joinMode: APPROVAL, isFindable: true });
    expect(await outcomeOf(stranger, groupId)).toBe(RequestStatus.PENDING);
    await a.ok("setGroupSettings", { body: { groupId, isFindable: false } });
    expect(await stranger.ok("findGroup", { params: { id: groupId } })).toMatchObject({ membersCount: 0 });
    expect(await outcomeOf(stranger, groupId)).toBe("group.requestPending");
    await a.ok("rejectGroupRequest", { query: { id: (await requestOf(a, stranger)).id } });
    expect(await stranger.errorKeyOf("findGroup", { params: { id: groupId } })).toBe("group.notFound");
    expect(await outcomeOf(stranger, groupId)).toBe("group.notFound");
  });
});
