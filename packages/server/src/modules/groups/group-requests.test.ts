import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tip } from "@parley/protocol/message";
import { splitNames } from "@parley/protocol/tip-names";
import { sendAdminCommand } from "../../admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const people = async (count: number): Promise<TestPerson[]> =>
  Promise.all(Array.from({ length: count }, () => registerPerson(server.url)));
const four = async (): Promise<[TestPerson, TestPerson, TestPerson, TestPerson]> => {
  const [a, b, c, d] = await people(4);
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
const approved = (owner: TestPerson, groupId: number) =>
  owner.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
const apply = (person: TestPerson, groupId: number) =>
  person.ok("applyGroup", { body: { groupId, remark: "it is me" } });

describe("POST /group/invite", () => {
  test("friends are in at once: 90 to everybody, one tip", async () => {
    const [a, b, c, d] = await four();
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

  test("a name that holds a comma stays one name", async () => {
    const [a, b] = await people(2);
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

  test("who is in already is left out; with nobody left nothing happens", async () => {
    const [a, b, c] = await four();
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

  test("somebody who is no friend: nobody is invited", async () => {
    const [a, b, c, d] = await four();
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
    ["nobody", []],
    ["51 people", Array.from({ length: 51 }, (_, n) => n + 1)],
    ["a text", ["1"] as unknown as number[]],
  ])("%s: malformed", async (_, friendIds) => {
    const [a] = await four();
    const groupId = await makeGroup(a, []);
    expect((await a.call("inviteToGroup", { body: { groupId, friendIds } })).status).toBe(400);
  });

  test("the group takes 500, and not one more", async () => {
    const [a, b, c, d] = await four();
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
    // The 499 are joined by both or by neither.
    expect((await invite(b, c)).envelope.key).toBe("group.full");
    expect((await invite(d)).envelope.code).toBe(200);
    const { envelope } = await invite(b);
    expect(envelope).toMatchObject({ key: "group.full", message: "群聊人数不能大于500人" });
    expect(await b.errorKeyOf("applyGroup", { body: { groupId } })).toBe("group.full");
    // Who leaves makes room.
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
  test("without approval: in at once, status 2, 90 and a tip", async () => {
    const [a, b] = await four();
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

  test("refusals", async () => {
    const [a, b, c, d] = await four();
    const groupId = await makeGroup(a, [b]);
    const refusal = (person: TestPerson, id: number) =>
      person.errorKeyOf("applyGroup", { body: { groupId: id } });
    expect(await refusal(c, 999_999)).toBe("group.notFound");
    expect(await refusal(b, groupId)).toBe("group.already");
    await a.ok("addToBlacklist", { query: { userId: c.id } });
    expect(await refusal(c, groupId)).toBe("group.cannotJoin");
    await approved(a, groupId);
    await apply(d, groupId);
    expect(await refusal(d, groupId)).toBe("group.requestPending");
    await a.ok("dissolveGroup", { params: { id: groupId } });
    expect(await refusal(d, groupId)).toBe("group.dissolved");
    const long = { groupId, remark: "r".repeat(21) };
    expect((await d.call("applyGroup", { body: long })).status).toBe(400);
  });

  test("with approval: 75 and a stored 61 to owner and admins; of the others the one who asks hears 75", async () => {
    const [a, b, c, d] = await four();
    const groupId = await makeGroup(a, [b, c]);
    await approved(a, groupId);
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
      const asked = await socket.nextOf(75);
      expect(asked).toMatchObject({ cmd: 3, data: { sendId: d.id, groupId } });
      expect(contentOf(asked)).toEqual(vo);
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

  test("20 pending requests of one's own, and no more", async () => {
    const [a, b] = await four();
    for (let n = 0; n < 20; n++) {
      const groupId = await makeGroup(a, []);
      await approved(a, groupId);
      await apply(b, groupId);
    }
    const groupId = await makeGroup(a, []);
    await approved(a, groupId);
    expect(await b.errorKeyOf("applyGroup", { body: { groupId } })).toBe("group.requestsFull");
  });

  test("of an invitation by a member nothing counts towards the 20 of anybody", async () => {
    const [owner, inviter, ...friends] = await people(24);
    if (!owner || !inviter) throw new Error("two people are needed");
    const groupId = await makeGroup(owner, [inviter]);
    await approved(owner, groupId);
    for (const friend of friends) await befriend(inviter, friend);
    const friendIds = friends.map((friend) => friend.id);
    await inviter.ok("inviteToGroup", { body: { groupId, friendIds } });
    expect(await owner.ok("listGroupRequests")).toHaveLength(22);
    const other = await makeGroup(owner, []);
    await approved(owner, other);
    expect(await apply(inviter, other)).toMatchObject({ status: 1 });
  });

  test("a request that waits when approval is no longer needed is settled by asking again", async () => {
    const [a, b] = await four();
    const groupId = await makeGroup(a, []);
    await approved(a, groupId);
    const first = await apply(b, groupId);
    await a.ok("setGroupSettings", { body: { groupId, joinApproval: false } });
    expect(await apply(b, groupId)).toMatchObject({ id: first.id, status: 2 });
    expect(await a.ok("listGroupRequests")).toEqual([]);
  });
});

describe("handling requests", () => {
  const asked = async () => {
    const [a, b, c, d] = await four();
    const groupId = await makeGroup(a, [b, c]);
    await approved(a, groupId);
    await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
    return { a, b, c, d, groupId, vo: await apply(d, groupId) };
  };

  test("approve: 76 to the applicant and the other admins, 61 follows, 90 and tip", async () => {
    const { a, b, d, groupId, vo } = await asked();
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

  test("reject: 77 to the applicant and the other admins, who may be asked again", async () => {
    const { a, b, d, groupId, vo } = await asked();
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

  test("by somebody who may not: refused", async () => {
    const { c, d, vo } = await asked();
    for (const name of ["approveGroupRequest", "rejectGroupRequest"] as const) {
      expect(await c.errorKeyOf(name, { query: { id: vo.id } })).toBe("group.noRight");
      expect(await d.errorKeyOf(name, { query: { id: vo.id } })).toBe("group.requestUnknown");
      expect(await d.errorKeyOf(name, { query: { id: 999_999 } })).toBe("group.requestUnknown");
    }
  });

  test("two at once let the person in once", async () => {
    const { a, b, groupId, vo } = await asked();
    const answers = await Promise.all(
      [a, b].map((person) => person.call("approveGroupRequest", { query: { id: vo.id } })),
    );
    expect(answers.map((answer) => answer.envelope.code).sort((x, y) => x - y)).toEqual([200, 500]);
    expect(await a.ok("findGroup", { params: { id: groupId } })).toMatchObject({ membersCount: 4 });
  });

  test("an ordinary member's invitation becomes requests; the tip names the inviter once approved", async () => {
    const [a, b, c, d] = await four();
    const groupId = await makeGroup(a, [b]);
    await approved(a, groupId);
    await befriend(b, c);
    await befriend(b, d);
    const [owner, inviter, invited] = [await a.connect(), await b.connect(), await c.connect()];
    await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id, d.id] } });
    const vo = contentOf(await owner.nextOf(75));
    expect(vo).toMatchObject({ sendId: c.id, inviterId: b.id, inviterNickName: nick(b), status: 1 });
    expect(await roleOf(c, groupId)).toBeUndefined();
    // Asking twice makes no second request.
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

  test("a dissolved group takes its requests along: 77 and 61 with status 5, and room for other requests", async () => {
    const { a, b, c, d, groupId, vo } = await asked();
    const [e] = await people(1);
    if (!e) throw new Error("somebody is needed");
    await befriend(c, e);
    await c.ok("inviteToGroup", { body: { groupId, friendIds: [e.id] } });
    const sockets = [await a.connect(), await b.connect()];
    const [inviter, own] = [await c.connect(), await d.connect()];
    await a.ok("dissolveGroup", { params: { id: groupId } });
    const { applyTime: _, ...left } = { ...vo, status: 5 };
    for (const socket of [...sockets, own]) expect(contentOf(await socket.nextOf(77))).toMatchObject(left);
    expect(contentOf(await inviter.nextOf(77))).toMatchObject({ sendId: e.id, status: 5 });
    for (const socket of sockets) expect(contentOf(await socket.nextOf(61))).toMatchObject(left);
    for (const person of [a, b, c, d]) expect(await person.ok("listGroupRequests")).toEqual([]);
    expect(await server.app.store.countPendingGroupRequests(d.id)).toBe(0);
    for (const socket of [...sockets, inviter, own]) socket.close();
  });

  test("who comes in by an admin's invitation has no request any more", async () => {
    const { a, b, d, groupId, vo } = await asked();
    await befriend(a, d);
    const socket = await b.connect();
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [d.id] } });
    expect(contentOf(await socket.nextOf(76))).toMatchObject({ id: vo.id, status: 2 });
    expect(contentOf(await socket.nextOf(61))).toMatchObject({ id: vo.id, status: 2 });
    expect(await b.ok("listGroupRequests")).toEqual([]);
    socket.close();
  });
});
