import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tip } from "@parley/protocol/message";
import { splitNames } from "@parley/protocol/tip-names";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const registerPeople = async (count: number): Promise<TestPerson[]> =>
  Promise.all(Array.from({ length: count }, () => registerPerson(server.url)));
const registerFour = async (): Promise<[TestPerson, TestPerson, TestPerson, TestPerson]> => {
  const [a, b, c, d] = await registerPeople(4);
  if (!a || !b || !c || !d) throw new Error("four people are needed");
  return [a, b, c, d];
};
const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;
const nick = (person: TestPerson) => `N ${person.userName}`;
const roleOf = async (person: TestPerson, id: number) => {
  const group = await person.ok("findGroup", { params: { id } });
  return "role" in group && !group.quit ? group.role : undefined;
};
const requireApproval = (owner: TestPerson, groupId: number) =>
  owner.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
const apply = (person: TestPerson, groupId: number) =>
  person.ok("applyGroup", { body: { groupId, remark: "it is me" } });

describe("POST /group/invite", () => {
  test("friends are added at once: push 90 to everybody, one tip", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await befriend(b, c);
    await befriend(b, d);
    const [owner, fresh] = [await a.connect(), await c.connect()];
    await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id, d.id, a.id].slice(0, 2) } });
    expect(contentOf(await fresh.nextOf(90))).toMatchObject({ id: groupId, role: 1, membersCount: 4 });
    expect(contentOf(await owner.nextOf(90))).toMatchObject({ membersCount: 4, role: 3 });
    const tip = {
      key: "group.invited",
      params: { name: nick(b), names: `${nick(c)},${nick(d)}`, ids: `${c.id},${d.id}` },
    };
    for (const socket of [owner, fresh]) {
      expect((await socket.nextOf(21)).data).toMatchObject({ groupId, sendId: b.id, tip });
      socket.close();
    }
  });

  test("a name that contains a comma stays one name", async () => {
    const [a, b] = await registerPeople(2);
    if (!a || !b) throw new Error("two people are needed");
    const c = await registerPerson(server.url, { nickName: "Doe, John \\" });
    for (const friend of [b, c]) await befriend(a, friend);
    const { id } = await a.ok("createGroup", { body: { name: "G" } });
    const socket = await a.tab("other").connect();
    await a.ok("inviteToGroup", { body: { groupId: id, friendIds: [c.id, b.id] } });
    const { data } = await socket.nextOf(21);
    const names = String((data?.tip as Tip | undefined)?.params["names"]);
    expect(new Set(splitNames(names))).toEqual(new Set(["Doe, John \\", nick(b)]));
    expect(names).toContain("Doe\\, John \\\\");
    expect(data?.content).toContain("Doe, John \\");
    expect(data?.content).not.toContain("Doe\\");
    socket.close();
  });

  test("people who are members already are left out; if nobody remains, nothing happens", async () => {
    const [a, b, c] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await befriend(a, c);
    const socket = await b.connect();
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [b.id] } });
    await socket.flush();
    expect(socket.frames).toHaveLength(1);
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [b.id, c.id] } });
    expect((await socket.nextOf(21)).data?.tip).toMatchObject({ params: { names: nick(c) } });
    socket.close();
  });

  test("if one person is not a friend, nobody is invited", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await befriend(a, c);
    const body = { groupId, friendIds: [c.id, d.id] };
    const { envelope } = await a.call("inviteToGroup", { body });
    expect(envelope.message).toBe("部分用户不是您的好友，邀请失败");
    expect(await roleOf(c, groupId)).toBeUndefined();
    await c.ok("addToBlacklist", { query: { userId: a.id } });
    expect(await a.errorKeyOf("inviteToGroup", { body: { groupId, friendIds: [c.id] } })).toBe(
      "group.notFriends",
    );
  });

  test.each([
    ["an empty list", []],
    ["51 people", Array.from({ length: 51 }, (_, n) => n + 1)],
    ["a text", ["1"] as unknown as number[]],
  ])("inviting %s is malformed", async (_, friendIds) => {
    const [a] = await registerFour();
    const groupId = await makeGroup(a, []);
    expect((await a.call("inviteToGroup", { body: { groupId, friendIds } })).status).toBe(400);
  });

  test("a group takes 500 members, and not one more", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, []);
    for (const friend of [b, c, d]) await befriend(a, friend);
    await server.app.store.write(async (tx) => {
      for (let n = 1; n < 499; n++) {
        const user = await tx.insertUser({
          userName: `full${n}`,
          nickName: "nick",
          passwordHash: "hash",
          headImage: null,
          headImageThumb: null,
          registeredAt: 0,
          registerDevice: null,
        });
        if (user === undefined) throw new Error("the name is taken");
        await tx.upsertGroupMember(groupId, user.id, 1, 0);
      }
    });
    const invite = (...friends: TestPerson[]) =>
      a.call("inviteToGroup", { body: { groupId, friendIds: friends.map(({ id }) => id) } });
    // Either both join the 499 members or none.
    expect((await invite(b, c)).envelope.key).toBe("group.full");
    expect((await invite(d)).envelope.code).toBe(200);
    const { envelope } = await invite(b);
    expect(envelope).toMatchObject({ key: "group.full", message: "群聊人数不能大于500人" });
    expect(await b.errorKeyOf("applyGroup", { body: { groupId } })).toBe("group.full");
    // A member who leaves makes room.
    await d.ok("quitGroup", { params: { id: groupId } });
    expect((await apply(c, groupId)).status).toBe(2);
    expect((await invite(b)).envelope.key).toBe("group.full");
    expect(await sendAdminCommand(server.dataDir, { name: "enlargeGroup", groupId })).toEqual({
      text: "The group Group takes 3000 people.",
    });
    expect((await invite(b)).envelope.code).toBe(200);
  });
});

describe("joining by number", () => {
  test("without approval: a member at once, with status 2, push 90 and a tip", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, []);
    const [owner, fresh] = [await a.connect(), await b.connect()];
    expect(await apply(b, groupId)).toMatchObject({ groupId, sendId: b.id, inviterId: null, status: 2 });
    expect(contentOf(await fresh.nextOf(90))).toMatchObject({ id: groupId, role: 1 });
    expect(contentOf(await owner.nextOf(90))).toMatchObject({ membersCount: 2 });
    for (const socket of [owner, fresh]) {
      expect((await socket.nextOf(21)).data?.tip).toEqual({ key: "group.joined", params: { name: nick(b) } });
    }
    await owner.flush();
    expect([owner.of(61), owner.of(75), owner.of(76)]).toEqual([[], [], []]);
    for (const socket of [owner, fresh]) socket.close();
  });

  test("is refused for an unknown group, a member, a blocked person, a second request and a dissolved group", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    const applyError = (person: TestPerson, id: number) =>
      person.errorKeyOf("applyGroup", { body: { groupId: id } });
    expect(await applyError(c, 999_999)).toBe("group.notFound");
    expect(await applyError(b, groupId)).toBe("group.already");
    await a.ok("addToBlacklist", { query: { userId: c.id } });
    expect(await applyError(c, groupId)).toBe("group.cannotJoin");
    await requireApproval(a, groupId);
    await apply(d, groupId);
    expect(await applyError(d, groupId)).toBe("group.requestPending");
    await a.ok("dissolveGroup", { params: { id: groupId } });
    expect(await applyError(b, groupId)).toBe("group.dissolved");
    expect(await applyError(d, groupId)).toBe("group.notFound");
    const long = { groupId, remark: "r".repeat(21) };
    expect((await d.call("applyGroup", { body: long })).status).toBe(400);
  });

  test("with approval: owner and admins get push 75 and a stored 61, the applicant gets push 75, other members nothing", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b, c]);
    await requireApproval(a, groupId);
    await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
    const [owner, admin, member, own] = [
      await a.connect(),
      await b.connect(),
      await c.connect(),
      await d.connect(),
    ];
    const vo = await apply(d, groupId);
    expect(vo).toEqual({
      id: expect.any(Number),
      groupId,
      groupName: "Group",
      groupHeadImage: null,
      sendId: d.id,
      sendNickName: nick(d),
      sendHeadImage: null,
      inviterId: null,
      inviterNickName: null,
      remark: "it is me",
      status: 1,
      applyTime: server.clock.now(),
    });
    for (const socket of [owner, admin]) {
      const pushed = await socket.nextOf(75);
      expect(pushed).toMatchObject({ cmd: 3, data: { sendId: d.id, groupId } });
      expect(contentOf(pushed)).toEqual(vo);
      const stored = await socket.nextOf(61);
      expect(stored).toMatchObject({ cmd: 5, data: { status: 1, isVerifyMessage: true, isTop: true } });
      expect(contentOf(stored)).toEqual(vo);
    }
    await Promise.all([member.flush(), own.flush()]);
    expect([member.of(75), member.of(61), own.of(61)]).toEqual([[], [], []]);
    expect(own.of(75).map(contentOf)).toEqual([vo]);
    for (const person of [a, b, d]) expect(await person.ok("listGroupRequests")).toEqual([vo]);
    expect(await c.ok("listGroupRequests")).toEqual([]);
    expect(await roleOf(d, groupId)).toBeUndefined();
    for (const socket of [owner, admin, member, own]) socket.close();
  });

  test("a person may have 20 pending requests, and no more", async () => {
    const [a, b] = await registerFour();
    for (let n = 0; n < 20; n++) {
      const groupId = await makeGroup(a, []);
      await requireApproval(a, groupId);
      await apply(b, groupId);
    }
    const groupId = await makeGroup(a, []);
    await requireApproval(a, groupId);
    expect(await b.errorKeyOf("applyGroup", { body: { groupId } })).toBe("group.requestsFull");
  });

  test("the requests of a member's invitation do not count towards anybody's 20", async () => {
    const [owner, inviter, ...friends] = await registerPeople(24);
    if (!owner || !inviter) throw new Error("two people are needed");
    const groupId = await makeGroup(owner, [inviter]);
    await requireApproval(owner, groupId);
    for (const friend of friends) await befriend(inviter, friend);
    const friendIds = friends.map((friend) => friend.id);
    await inviter.ok("inviteToGroup", { body: { groupId, friendIds } });
    expect(await owner.ok("listGroupRequests")).toHaveLength(22);
    const other = await makeGroup(owner, []);
    await requireApproval(owner, other);
    expect(await apply(inviter, other)).toMatchObject({ status: 1 });
  });

  test("a pending request is approved by a second one after approval has been turned off", async () => {
    const [a, b] = await registerFour();
    const groupId = await makeGroup(a, []);
    await requireApproval(a, groupId);
    const first = await apply(b, groupId);
    await a.ok("setGroupSettings", { body: { groupId, joinApproval: false } });
    expect(await apply(b, groupId)).toMatchObject({ id: first.id, status: 2 });
    expect(await a.ok("listGroupRequests")).toEqual([]);
  });
});

describe("handling requests", () => {
  const createRequest = async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b, c]);
    await requireApproval(a, groupId);
    await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
    return { a, b, c, d, groupId, vo: await apply(d, groupId) };
  };

  test("approve: push 76 to the applicant and the other admins, then 61, 90 and the tip", async () => {
    const { a, b, d, groupId, vo } = await createRequest();
    const [owner, admin, fresh] = [await a.connect(), await b.connect(), await d.connect()];
    await b.ok("approveGroupRequest", { query: { id: vo.id } });
    for (const socket of [owner, fresh]) {
      expect(contentOf(await socket.nextOf(76))).toEqual({ ...vo, status: 2 });
    }
    expect(contentOf(await owner.nextOf(61))).toMatchObject({ id: vo.id, status: 2 });
    expect(contentOf(await admin.nextOf(61))).toMatchObject({ id: vo.id, status: 2 });
    expect(contentOf(await fresh.nextOf(90))).toMatchObject({ id: groupId, role: 1 });
    for (const socket of [owner, admin, fresh]) {
      expect((await socket.nextOf(21)).data?.tip).toEqual({ key: "group.joined", params: { name: nick(d) } });
    }
    expect(admin.of(76)).toEqual([]);
    expect(await a.ok("listGroupRequests")).toEqual([]);
    expect(await a.errorKeyOf("approveGroupRequest", { query: { id: vo.id } })).toBe("group.requestHandled");
    for (const socket of [owner, admin, fresh]) socket.close();
  });

  test("reject: push 77 to the applicant and the other admins; a new request is possible", async () => {
    const { a, b, d, groupId, vo } = await createRequest();
    const [owner, admin, own] = [await a.connect(), await b.connect(), await d.connect()];
    await a.ok("rejectGroupRequest", { query: { id: vo.id } });
    for (const socket of [admin, own])
      expect(contentOf(await socket.nextOf(77))).toMatchObject({ status: 3 });
    const closed = await owner.nextOf(61);
    expect(contentOf(closed)).toMatchObject({ id: vo.id, status: 3 });
    expect(closed.data).toMatchObject({ status: 3 });
    expect(await roleOf(d, groupId)).toBeUndefined();
    expect((await apply(d, groupId)).status).toBe(1);
    for (const socket of [owner, admin, own]) socket.close();
  });

  test("somebody without the right cannot handle a request", async () => {
    const { c, d, vo } = await createRequest();
    for (const name of ["approveGroupRequest", "rejectGroupRequest"] as const) {
      expect(await c.errorKeyOf(name, { query: { id: vo.id } })).toBe("group.noRight");
      expect(await d.errorKeyOf(name, { query: { id: vo.id } })).toBe("group.requestUnknown");
      expect(await d.errorKeyOf(name, { query: { id: 999_999 } })).toBe("group.requestUnknown");
    }
  });

  test("two parallel approvals add the person once", async () => {
    const { a, b, groupId, vo } = await createRequest();
    const answers = await Promise.all(
      [a, b].map((person) => person.call("approveGroupRequest", { query: { id: vo.id } })),
    );
    expect(answers.map((answer) => answer.envelope.code).sort((x, y) => x - y)).toEqual([200, 500]);
    expect(await a.ok("findGroup", { params: { id: groupId } })).toMatchObject({ membersCount: 4 });
  });

  test("an ordinary member's invitation becomes requests; the tip names the inviter once approved", async () => {
    const [a, b, c, d] = await registerFour();
    const groupId = await makeGroup(a, [b]);
    await requireApproval(a, groupId);
    await befriend(b, c);
    await befriend(b, d);
    const [owner, inviter, invited] = [await a.connect(), await b.connect(), await c.connect()];
    await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id, d.id] } });
    const vo = contentOf(await owner.nextOf(75));
    expect(vo).toMatchObject({ sendId: c.id, inviterId: b.id, inviterNickName: nick(b), status: 1 });
    expect(await roleOf(c, groupId)).toBeUndefined();
    // A second invitation creates no second request.
    await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id, d.id] } });
    expect(await a.ok("listGroupRequests")).toHaveLength(2);
    expect(await b.ok("listGroupRequests")).toHaveLength(2);
    expect(await c.ok("listGroupRequests")).toEqual([]);
    await a.ok("approveGroupRequest", { query: { id: Number(vo["id"]) } });
    expect(contentOf(await inviter.nextOf(76))).toMatchObject({ sendId: c.id, status: 2 });
    expect(contentOf(await invited.nextOf(90))).toMatchObject({ id: groupId });
    expect((await invited.nextOf(21)).data).toMatchObject({
      sendId: b.id,
      tip: { key: "group.invited", params: { name: nick(b), names: nick(c), ids: String(c.id) } },
    });
    for (const socket of [owner, inviter, invited]) socket.close();
  });

  test.each(["block", "no friendship"])(
    "an invitation that waits cannot be approved after a %s between inviter and invited person, who can still apply",
    async (change) => {
      const [a, b, c] = await registerFour();
      const groupId = await makeGroup(a, [b]);
      await requireApproval(a, groupId);
      await befriend(b, c);
      await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id] } });
      const id = (await a.ok("listGroupRequests"))[0]?.id ?? 0;
      if (change === "block") await c.ok("addToBlacklist", { query: { userId: b.id } });
      else await c.ok("deleteFriend", { params: { id: b.id } });
      expect(await a.errorKeyOf("approveGroupRequest", { query: { id } })).toBe("group.inviterNotFriend");
      expect(await roleOf(c, groupId)).toBeUndefined();
      await a.ok("rejectGroupRequest", { query: { id } });
      await a.ok("approveGroupRequest", { query: { id: (await apply(c, groupId)).id } });
      expect(await roleOf(c, groupId)).toBe(1);
    },
  );

  test("dissolving a group closes its requests: 77 and 61 with status 5, and they no longer count as pending", async () => {
    const { a, b, c, d, groupId, vo } = await createRequest();
    const [e] = await registerPeople(1);
    if (!e) throw new Error("one person is needed");
    await befriend(c, e);
    await c.ok("inviteToGroup", { body: { groupId, friendIds: [e.id] } });
    const sockets = [await a.connect(), await b.connect()];
    const [inviter, own] = [await c.connect(), await d.connect()];
    await a.ok("dissolveGroup", { params: { id: groupId } });
    const { applyTime: _, ...closed } = { ...vo, status: 5 };
    for (const socket of [...sockets, own]) expect(contentOf(await socket.nextOf(77))).toMatchObject(closed);
    expect(contentOf(await inviter.nextOf(77))).toMatchObject({ sendId: e.id, status: 5 });
    for (const socket of sockets) expect(contentOf(await socket.nextOf(61))).toMatchObject(closed);
    for (const person of [a, b, c, d]) expect(await person.ok("listGroupRequests")).toEqual([]);
    expect(await server.app.store.countPendingGroupRequests(d.id)).toBe(0);
    for (const socket of [...sockets, inviter, own]) socket.close();
  });

  test("an admin's invitation approves the pending request of the invited person", async () => {
    const { a, b, d, groupId, vo } = await createRequest();
    await befriend(a, d);
    const socket = await b.connect();
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [d.id] } });
    expect(contentOf(await socket.nextOf(76))).toMatchObject({ id: vo.id, status: 2 });
    expect(contentOf(await socket.nextOf(61))).toMatchObject({ id: vo.id, status: 2 });
    expect(await b.ok("listGroupRequests")).toEqual([]);
    socket.close();
  });
});
