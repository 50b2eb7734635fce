import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const registerThree = async (): Promise<[TestPerson, TestPerson, TestPerson]> => [
  await registerPerson(server.url),
  await registerPerson(server.url),
  await registerPerson(server.url),
];
const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;
const nick = (person: TestPerson) => `N ${person.userName}`;

describe("POST /group/create", () => {
  test("answers the group; push 90 and the tip go to the first members and the creator's other clients", async () => {
    const [a, b, c] = await registerThree();
    await befriend(a, b);
    await befriend(a, c);
    const tab = await a.elsewhere({ terminal: 1 });
    const [aSocket, other, bSocket] = [await a.connect(), await tab.connect(), await b.connect()];
    const vo = await a.ok("createGroup", { body: { name: "Climbers", memberIds: [b.id, c.id, b.id, a.id] } });
    expect(vo).toEqual({
      id: expect.any(Number),
      name: "Climbers",
      ownerId: a.id,
      headImage: null,
      headImageThumb: null,
      membersCount: 3,
      notice: null,
      remarkGroupName: null,
      showGroupName: "Climbers",
      remarkNickName: null,
      showNickName: nick(a),
      role: 3,
      isAllMuted: false,
      isMuted: false,
      inviteRole: 1,
      editRole: 2,
      attrRole: 2,
      joinMode: 2,
      joinApproval: true,
      isFindable: false,
      attributes: {},
      isTop: false,
      msgRemind: 0,
      msgRemindUntil: null,
      isDnd: false,
      isBanned: false,
      reason: null,
      dissolve: false,
      quit: false,
      wasRemoved: false,
      stayFrom: expect.any(Number),
      maxMembers: 500,
      rtcInfo: null,
    });
    const shown = await bSocket.nextOf(90);
    expect(shown).toMatchObject({ cmd: 4, data: { sendId: a.id, groupId: vo.id } });
    expect(contentOf(shown)).toMatchObject({ id: vo.id, role: 1, showNickName: nick(b), membersCount: 3 });
    expect(await bSocket.nextOf(21)).toMatchObject({
      cmd: 4,
      data: {
        groupId: vo.id,
        sendId: a.id,
        sendRole: 3,
        content: `'${nick(a)}'邀请'${nick(b)},${nick(c)}'加入了群聊`,
        tip: {
          key: "group.invited",
          params: { name: nick(a), names: `${nick(b)},${nick(c)}`, ids: `${b.id},${c.id}` },
        },
      },
    });
    expect(contentOf(await other.nextOf(90))).toMatchObject({ id: vo.id, role: 3 });
    await aSocket.flush();
    expect(aSocket.of(90)).toEqual([]);
    expect(aSocket.of(21)).toHaveLength(1);
    for (const socket of [aSocket, other, bSocket]) socket.close();
  });

  test("a group without other members gets no tip", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    const vo = await a.ok("createGroup", { body: { name: "Mine" } });
    await socket.flush();
    expect(socket.of(21)).toEqual([]);
    expect(await a.ok("listGroups")).toEqual([vo]);
    socket.close();
  });

  test("a repeated tmpId answers the same group in its current state and pushes nothing", async () => {
    const [a, b, c] = await registerThree();
    await befriend(a, b);
    await befriend(a, c);
    const body = { tmpId: "once", name: "Climbers", memberIds: [b.id] };
    const first = await a.ok("createGroup", { body });
    const socket = await b.connect();
    expect(await a.ok("createGroup", { body })).toEqual(first);
    // Also after the group has changed and the invited person is no longer a friend.
    await b.ok("deleteFriend", { params: { id: a.id } });
    await a.ok("modifyGroup", { body: { id: first.id, name: "Hikers" } });
    await socket.nextOf(90);
    const again = await a.ok("createGroup", { body });
    expect(again).toMatchObject({ id: first.id, name: "Hikers" });
    await socket.flush();
    expect(socket.of(90)).toHaveLength(1);
    expect(await a.ok("listGroups")).toEqual([again]);
    // Two parallel calls create one group; the same tmpId of somebody else creates another.
    const twice = { body: { ...body, tmpId: "twice", memberIds: [c.id] } };
    const [one, two] = await Promise.all([a.ok("createGroup", twice), a.ok("createGroup", twice)]);
    expect(two).toEqual(one);
    const other = await c.ok("createGroup", { body: { tmpId: "once", name: "Climbers" } });
    expect(new Set([first.id, one.id, other.id]).size).toBe(3);
    socket.close();
  });

  test("with somebody who is not a friend, or has blocked the creator, nothing is created", async () => {
    const [a, b, c] = await registerThree();
    await befriend(a, b);
    const make = (memberIds: number[]) => a.call("createGroup", { body: { name: "G", memberIds } });
    expect((await make([b.id, c.id])).envelope.message).toBe("部分用户不是您的好友，邀请失败");
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    expect((await make([b.id])).envelope.key).toBe("group.notFriends");
    expect((await make([999_999])).envelope.key).toBe("group.notFriends");
    expect(await a.ok("listGroups")).toEqual([]);
  });

  test.each([
    ["no name", { memberIds: [] }],
    ["an empty name", { name: " " }],
    ["a name of 61 characters", { name: "群".repeat(61) }],
    ["51 members", { name: "G", memberIds: Array.from({ length: 51 }, (_, n) => n + 1) }],
    ["members that are no ids", { name: "G", memberIds: ["1"] }],
  ])("%s is malformed", async (_, body) => {
    const a = await registerPerson(server.url);
    expect((await a.call("createGroup", { body: body as { name: string } })).status).toBe(400);
  });

  test("a picture that this server did not issue is refused", async () => {
    const a = await registerPerson(server.url);
    const body = { name: "G", headImage: "/files/abc/x.png" };
    expect(await a.errorKeyOf("createGroup", { body })).toBe("file.notIssued");
    expect(await a.ok("listGroups")).toEqual([]);
  });
});

describe("reading groups", () => {
  test("a member sees the whole group, others see its card", async () => {
    const [a, b, c] = await registerThree();
    const id = await makeGroup(a, [b], "Lake house");
    expect(await b.ok("findGroup", { params: { id } })).toMatchObject({ id, role: 1, ownerId: a.id });
    const card = {
      id,
      name: "Lake house",
      headImage: null,
      headImageThumb: null,
      membersCount: 0,
      joinMode: 1,
    };
    expect(await c.ok("findGroup", { params: { id } })).toEqual(card);
    expect(await c.ok("findGroupsByName", { query: { name: "lake HOUSE" } })).toContainEqual(card);
    expect((await c.ok("findGroupsByName", { query: { name: String(id) } }))[0]).toEqual(card);
    expect(await c.errorKeyOf("listGroupMembers", { params: { id } })).toBe("group.notFound");
    const { envelope } = await c.call("findGroup", { params: { id: 999_999 } });
    expect(envelope.message).toBe("群组不存在");
    expect(await c.ok("listGroups")).toEqual([]);
  });

  test("an empty search is malformed", async () => {
    const a = await registerPerson(server.url);
    expect((await a.call("findGroupsByName", { query: { name: " " } })).status).toBe(400);
  });

  test("members are listed with roles, names in the group and whether they are online", async () => {
    const [a, b, c] = await registerThree();
    const id = await makeGroup(a, [b, c]);
    await b.ok("modifyGroup", { body: { id, remarkNickName: "Bee" } });
    await c.ok("quitGroup", { params: { id } });
    const socket = await a.connect();
    expect(await b.ok("listGroupMembers", { params: { id } })).toEqual([
      {
        userId: a.id,
        showNickName: nick(a),
        remarkNickName: null,
        headImage: null,
        online: true,
        role: 3,
        isMuted: false,
        quit: false,
      },
      {
        userId: b.id,
        showNickName: "Bee",
        remarkNickName: "Bee",
        headImage: null,
        online: false,
        role: 1,
        isMuted: false,
        quit: false,
      },
      expect.objectContaining({ userId: c.id, quit: true }),
    ]);
    socket.close();
  });

  test("members see who of them is online, except across a block", async () => {
    const [a, b, c] = await registerThree();
    await makeGroup(a, [b, c]);
    const socket = await b.connect();
    const onlineTerminals = () => c.ok("findOnlineTerminals", { query: { userIds: [b.id] } });
    expect(await onlineTerminals()).toEqual([{ userId: b.id, terminals: [2] }]);
    await b.ok("addToBlacklist", { query: { userId: c.id } });
    expect(await onlineTerminals()).toEqual([]);
    socket.close();
  });

  test("members and former members are not shown to each other unless they were there at the same time", async () => {
    const [a, b, c] = await registerThree();
    const id = await makeGroup(a, [b]);
    await b.ok("quitGroup", { params: { id } });
    await befriend(a, c);
    await a.ok("inviteToGroup", { body: { groupId: id, friendIds: [c.id] } });
    const seenBy = async (person: TestPerson) =>
      (await person.ok("listGroupMembers", { params: { id } })).map((member) => member.userId);
    expect([await seenBy(a), await seenBy(b), await seenBy(c)]).toEqual([
      [a.id, b.id, c.id],
      [a.id, b.id],
      [a.id, c.id],
    ]);
  });

  test("a former member keeps the group with its name, but without its notice", async () => {
    const [a, b] = await registerThree();
    const id = await makeGroup(a, [b]);
    await a.ok("modifyGroup", { body: { id, notice: "at six", attributes: { city: "Bern" } } });
    await b.ok("quitGroup", { params: { id } });
    const [vo] = await b.ok("listGroups");
    expect(vo).toMatchObject({
      id,
      name: "Group",
      quit: true,
      notice: null,
      membersCount: 1,
    });
    expect(vo?.attributes).toEqual({});
    expect(await b.ok("findGroup", { params: { id } })).toEqual(vo);
    expect(await b.ok("listGroupMembers", { params: { id } })).toHaveLength(2);
  });

  test.each(Object.entries(ENDPOINTS).filter(([, { path }]) => path.startsWith("/group/")))(
    "%s without a valid token is refused",
    async (_, definition) => {
      const a = await registerPerson(server.url);
      const path = definition.path.replace(":id", "1");
      const body = definition.method === "GET" ? undefined : {};
      a.tokens = { ...a.tokens, accessToken: "nonsense" };
      expect((await a.send(definition, path, body)).envelope.code).toBe(401);
      a.tokens = { ...a.tokens, accessToken: "" };
      expect((await a.send(definition, path, body)).envelope.code).toBe(400);
    },
  );
});

describe("PUT /group/modify", () => {
  test("new group info: each member receives push 90 with their own view, and tips are stored", async () => {
    const [a, b, c] = await registerThree();
    const id = await makeGroup(a, [b, c]);
    await b.ok("modifyGroup", { body: { id, remarkGroupName: "My lake" } });
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    const vo = await a.ok("modifyGroup", { body: { id, name: "Lake", notice: "bring <b>cake</b>" } });
    expect(vo).toMatchObject({ name: "Lake", showGroupName: "Lake", notice: "bring <b>cake</b>" });
    expect(contentOf(await bSocket.nextOf(90))).toMatchObject({
      name: "Lake",
      showGroupName: "My lake",
      notice: "bring <b>cake</b>",
      role: 1,
    });
    expect((await bSocket.nextOf(21)).data?.tip).toEqual({
      key: "group.renamed",
      params: { name: nick(a), group: "Lake" },
    });
    expect((await bSocket.nextOf(21)).data?.tip).toEqual({
      key: "group.noticeChanged",
      params: { name: nick(a) },
    });
    await aSocket.flush();
    expect(aSocket.of(90)).toEqual([]);
    for (const socket of [aSocket, bSocket]) socket.close();
  });

  test("the whole group posted back changes nothing and needs no right", async () => {
    const [a, b] = await registerThree();
    const id = await makeGroup(a, [b]);
    await a.ok("modifyGroup", { body: { id, notice: "n", attributes: { x: "1" } } });
    const vo = (await b.ok("findGroup", { params: { id } })) as { id: number };
    const socket = await a.connect();
    expect(await b.ok("modifyGroup", { body: vo })).toEqual(vo);
    await socket.flush();
    expect(socket.frames).toHaveLength(1);
    socket.close();
  });

  test("own remarks: only the member sees their name for the group, everybody sees their name in it", async () => {
    const [a, b] = await registerThree();
    const id = await makeGroup(a, [b]);
    const tab = await b.elsewhere({ terminal: 1 });
    const [owner, other] = [await a.connect(), await tab.connect()];
    expect(await b.ok("modifyGroup", { body: { id, remarkGroupName: "Mine" } })).toMatchObject({
      showGroupName: "Mine",
      name: "Group",
    });
    expect(contentOf(await other.nextOf(90))).toMatchObject({ showGroupName: "Mine" });
    await owner.flush();
    expect(owner.of(90)).toEqual([]);
    expect(await b.ok("modifyGroup", { body: { id, remarkNickName: "Bee" } })).toMatchObject({
      showNickName: "Bee",
      remarkGroupName: "Mine",
    });
    await owner.nextOf(90);
    expect(
      await b.ok("modifyGroup", { body: { id, remarkNickName: "", remarkGroupName: null } }),
    ).toMatchObject({
      showNickName: nick(b),
      showGroupName: "Group",
    });
    for (const socket of [owner, other]) socket.close();
  });

  test("attributes need a right of their own, and may have names such as `constructor`", async () => {
    const [a, b] = await registerThree();
    const id = await makeGroup(a, [b]);
    const attributes = { constructor: "x", city: "Bern" };
    expect(await b.errorKeyOf("modifyGroup", { body: { id, attributes } })).toBe("group.noRight");
    await a.ok("setGroupSettings", { body: { groupId: id, attrRole: 1 } });
    expect((await b.ok("modifyGroup", { body: { id, attributes } })).attributes).toEqual(attributes);
    expect(await b.errorKeyOf("modifyGroup", { body: { id, name: "B's" } })).toBe("group.noRight");
    expect((await b.ok("modifyGroup", { body: { id, attributes: {} } })).attributes).toEqual({});
  });

  test.each([
    ["a notice of 1025", { notice: "n".repeat(1025) }],
    ["a remark of 21", { remarkNickName: "n".repeat(21) }],
    ["an attribute of 129", { attributes: { a: "x".repeat(129) } }],
    ["an attribute without a name", { attributes: { "": "x" } }],
    [
      "21 attributes",
      { attributes: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) },
    ],
    ["an empty name", { name: "" }],
  ])("%s is malformed", async (_, body) => {
    const a = await registerPerson(server.url);
    const id = await makeGroup(a, []);
    expect((await a.call("modifyGroup", { body: { id, ...body } })).status).toBe(400);
  });
});

describe("group settings and own preferences", () => {
  test("PUT /group/settings changes the given settings; push 90 to all", async () => {
    const [a, b] = await registerThree();
    const groupId = await makeGroup(a, [b]);
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    await a.ok("setGroupSettings", { body: { groupId, inviteRole: 2, joinApproval: true } });
    const wanted = { inviteRole: 2, editRole: 2, attrRole: 2, joinApproval: true };
    expect(contentOf(await bSocket.nextOf(90))).toMatchObject(wanted);
    expect(contentOf(await aSocket.nextOf(90))).toMatchObject(wanted);
    await a.ok("setGroupSettings", { body: { groupId, editRole: 1 } });
    expect(contentOf(await bSocket.nextOf(90))).toMatchObject({ ...wanted, editRole: 1 });
    const bad = { groupId, inviteRole: 3 } as unknown as { groupId: number };
    expect((await a.call("setGroupSettings", { body: bad })).status).toBe(400);
    for (const socket of [aSocket, bSocket]) socket.close();
  });

  test("alert level, pin and do-not-disturb are private: push 90 only to the person's other clients", async () => {
    const [a, b, c] = await registerThree();
    const groupId = await makeGroup(a, [b]);
    const tab = await b.elsewhere({ terminal: 1 });
    const [owner, ownSocket, otherSocket] = [await a.connect(), await b.connect(), await tab.connect()];
    await b.ok("setGroupMsgRemind", { body: { groupId, msgRemind: 1 } });
    expect(contentOf(await otherSocket.nextOf(90))).toMatchObject({ msgRemind: 1, isDnd: false });
    await b.ok("setGroupTop", { body: { groupId, isTop: true } });
    expect(contentOf(await otherSocket.nextOf(90))).toMatchObject({ isTop: true });
    await b.ok("setGroupDnd", { body: { groupId, isDnd: true } });
    expect(contentOf(await otherSocket.nextOf(90))).toMatchObject({ msgRemind: 2, isDnd: true });
    await b.ok("setGroupDnd", { body: { groupId, isDnd: false } });
    expect(contentOf(await otherSocket.nextOf(90))).toMatchObject({ msgRemind: 0, isDnd: false });
    await Promise.all([owner.flush(), ownSocket.flush()]);
    expect([owner.of(90), ownSocket.of(90)]).toEqual([[], []]);
    expect(await c.errorKeyOf("setGroupTop", { body: { groupId, isTop: true } })).toBe("group.notFound");
    const unknown = { groupId: 999_999, isTop: true };
    expect(await c.errorKeyOf("setGroupTop", { body: unknown })).toBe("group.notFound");
    expect(await c.errorKeyOf("listGroupMembers", { params: { id: 999_999 } })).toBe("group.notFound");
    expect(await c.errorKeyOf("listGroupMembers", { params: { id: groupId } })).toBe("group.notFound");
    const bad = { groupId, msgRemind: 3 } as unknown as { groupId: number; msgRemind: 0 };
    expect((await b.call("setGroupMsgRemind", { body: bad })).status).toBe(400);
    for (const socket of [owner, ownSocket, otherSocket]) socket.close();
  });
});

test("a person may change groups 200 times a minute, by whichever call", async () => {
  await using limited = await createTestApp();
  const [a, b] = [await registerPerson(limited.url), await registerPerson(limited.url)];
  const id = await makeGroup(a, [b]);
  const members = { body: { groupId: id, userIds: [b.id] } };
  const calls: (() => Promise<{ status: number }>)[] = [
    () => a.call("createGroup", { body: { name: "Other" } }),
    () => a.call("modifyGroup", { body: { id, remarkNickName: "Mine" } }),
    () => a.call("setGroupSettings", { body: { groupId: id, joinApproval: true } }),
    () => a.call("muteGroup", { body: { id, isMuted: true } }),
    () => a.call("muteGroupMembers", { body: { ...members.body, isMuted: true } }),
    () => a.call("addGroupManagers", members),
    () => a.call("removeGroupManagers", members),
    () => a.call("inviteToGroup", { body: { groupId: id, friendIds: [b.id] } }),
    () => a.call("removeGroupMembers", members),
    () => a.call("transferGroup", { body: { groupId: id, userId: b.id } }),
  ];
  // Refused calls count too. The first one made the group.
  const refused = await Promise.all(
    Array.from({ length: 200 }, () => a.call("modifyGroup", { body: { id: 999_999, name: "No" } })),
  );
  expect(refused.filter(({ status }) => status === 429)).toHaveLength(1);
  for (const call of calls) expect((await call()).status).toBe(429);
  await b.ok("modifyGroup", { body: { id, remarkNickName: "Bob" } });
  await a.ok("setGroupTop", { body: { groupId: id, isTop: true } });
});
