import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;
const nick = (person: TestPerson) => `N ${person.userName}`;
const tipOf = (frame: Frame) => frame.data?.["tip"];

/** An owner, an admin and a member. */
async function makeGroupOfThree() {
  const [a, b, c] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  const groupId = await makeGroup(a, [b, c]);
  await a.ok("addGroupManagers", { body: { groupId, userIds: [b.id] } });
  return { a, b, c, groupId };
}

describe("removing", () => {
  test("M112 a removed member alone gets the tip and push 91, the others get push 90; the removed member keeps what they saw", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const [owner, admin, removed] = [await a.connect(), await b.connect(), await c.connect()];
    await b.ok("removeGroupMembers", { body: { groupId, userIds: [c.id] } });
    const tip = await removed.nextOf(21);
    expect(tip.data).toMatchObject({ groupId, content: "您已被移出群聊", tip: { key: "group.removed" } });
    const acting = { sendId: b.id, groupId };
    expect(await removed.nextOf(91)).toMatchObject({ cmd: 4, data: acting });
    for (const socket of [owner, admin]) {
      const shown = await socket.nextOf(90);
      expect(shown.data).toMatchObject(acting);
      expect(contentOf(shown)).toMatchObject({ membersCount: 2 });
      await socket.flush();
      expect([socket.of(21), socket.of(91), socket.of(78)]).toEqual([[], [], []]);
    }
    const [stay] = await server.app.store.listGroupStays(groupId, c.id);
    expect(stay?.toId).toBe(tip.data?.id);
    expect(await c.ok("listGroups")).toMatchObject([{ id: groupId, quit: true, role: 1 }]);
    expect(await c.errorKeyOf("muteGroup", { body: { id: groupId, isMuted: true } })).toBe("group.notMember");
    for (const socket of [owner, admin, removed]) socket.close();
  });

  test("with their messages: push 78 to the others, and /user/changes for those who were away", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const [owner, removed] = [await a.connect(), await c.connect()];
    await a.ok("removeGroupMembers", { body: { groupId, userIds: [c.id], deleteMessages: true } });
    const push = await owner.nextOf(78);
    expect(push).toMatchObject({ cmd: 4, data: { sendId: a.id, groupId } });
    const expected = { userId: c.id, upTo: await server.app.store.newestGroupMessageId(groupId) };
    expect(contentOf(push)).toEqual(expected);
    await removed.flush();
    expect(removed.of(78)).toEqual([]);
    expect((await b.ok("loadChanges", { query: {} })).purged).toEqual([{ groupId, ...expected }]);
    for (const socket of [owner, removed]) socket.close();
  });

  test("several members at once; other people are ignored, and a second removal does nothing", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const stranger = await registerPerson(server.url);
    const body = { groupId, userIds: [b.id, c.id, stranger.id, c.id] };
    await a.ok("removeGroupMembers", { body });
    const socket = await c.connect();
    await a.ok("removeGroupMembers", { body });
    await socket.flush();
    expect(socket.frames).toHaveLength(1);
    expect(await a.ok("findGroup", { params: { id: groupId } })).toMatchObject({ membersCount: 1 });
    socket.close();
  });

  test("the owner cannot be removed; if one person cannot be removed, nobody is", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const remove = (userIds: number[]) => b.call("removeGroupMembers", { body: { groupId, userIds } });
    expect((await remove([a.id])).envelope.message).toBe("不允许移除群主");
    expect((await remove([c.id, a.id])).envelope.key).toBe("group.ownerStays");
    expect((await remove([c.id, b.id])).envelope.message).toBe("您没有权限");
    expect(await a.errorKeyOf("removeGroupMembers", { body: { groupId, userIds: [a.id] } })).toBe(
      "group.ownerStays",
    );
    expect(await c.ok("findGroup", { params: { id: groupId } })).toMatchObject({
      quit: false,
      membersCount: 3,
    });
  });

  test("a member who comes back has the old remarks and the old mute", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    await c.ok("modifyGroup", { body: { id: groupId, remarkGroupName: "Mine" } });
    await b.ok("muteGroupMembers", { body: { groupId, userIds: [c.id], isMuted: true } });
    await c.ok("quitGroup", { params: { id: groupId } });
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [c.id] } });
    expect(await c.ok("findGroup", { params: { id: groupId } })).toMatchObject({
      remarkGroupName: "Mine",
      isMuted: true,
      quit: false,
      role: 1,
    });
  });
});

describe("muting", () => {
  test("members: push 90 to the muted members and a tip to all; muting them again sends nothing", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const [owner, admin, muted] = [await a.connect(), await b.connect(), await c.connect()];
    const body = { groupId, userIds: [c.id], isMuted: true };
    await b.ok("muteGroupMembers", { body });
    expect(contentOf(await muted.nextOf(90))).toMatchObject({ isMuted: true });
    for (const socket of [owner, admin, muted]) {
      expect(tipOf(await socket.nextOf(21))).toEqual({
        key: "group.muted",
        params: { name: nick(b), names: nick(c), ids: String(c.id) },
      });
    }
    await b.ok("muteGroupMembers", { body });
    await Promise.all([owner.flush(), muted.flush()]);
    expect([owner.of(90), owner.of(21).length, muted.of(21).length]).toEqual([[], 1, 1]);
    await a.ok("muteGroupMembers", { body: { ...body, isMuted: false } });
    expect(contentOf(await muted.nextOf(90))).toMatchObject({ isMuted: false });
    expect(tipOf(await owner.nextOf(21))).toMatchObject({ key: "group.unmuted" });
    for (const socket of [owner, admin, muted]) socket.close();
  });

  test("everybody: push 90 and a tip to all; muting again sends nothing", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const [owner, member] = [await a.connect(), await c.connect()];
    await b.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    for (const socket of [owner, member]) {
      expect(contentOf(await socket.nextOf(90))).toMatchObject({ isAllMuted: true, isMuted: false });
      expect(tipOf(await socket.nextOf(21))).toEqual({ key: "group.allMuted", params: { name: nick(b) } });
    }
    await b.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    await a.ok("muteGroup", { body: { id: groupId, isMuted: false } });
    expect(tipOf(await member.nextOf(21))).toMatchObject({ key: "group.allUnmuted" });
    for (const socket of [owner, member]) socket.close();
  });
});

describe("roles", () => {
  test("admins are added and removed: push 90 and a tip to all", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const [other, member] = [await b.connect(), await c.connect()];
    const body = { groupId, userIds: [c.id] };
    await a.ok("addGroupManagers", { body });
    expect(contentOf(await member.nextOf(90))).toMatchObject({ role: 2 });
    expect(tipOf(await other.nextOf(21))).toEqual({
      key: "group.adminAdded",
      params: { name: nick(a), names: nick(c), ids: String(c.id) },
    });
    await a.ok("removeGroupManagers", { body });
    expect(contentOf(await member.nextOf(90))).toMatchObject({ role: 1 });
    expect(tipOf(await other.nextOf(21))).toMatchObject({ key: "group.adminRemoved" });
    for (const name of ["addGroupManagers", "removeGroupManagers"] as const) {
      expect(await a.errorKeyOf(name, { body: { groupId, userIds: [a.id] } })).toBe("group.noRight");
    }
    for (const socket of [other, member]) socket.close();
  });

  test("after a transfer the new owner is not muted, and the old owner is a member", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    await b.ok("muteGroupMembers", { body: { groupId, userIds: [c.id], isMuted: true } });
    const [oldOwner, newOwner] = [await a.connect(), await c.connect()];
    await a.ok("transferGroup", { body: { groupId, userId: c.id } });
    expect(contentOf(await newOwner.nextOf(90))).toMatchObject({ role: 3, ownerId: c.id, isMuted: false });
    expect(contentOf(await oldOwner.nextOf(90))).toMatchObject({ role: 1, ownerId: c.id });
    expect(tipOf(await oldOwner.nextOf(21))).toEqual({
      key: "group.transferred",
      params: { name: nick(a), names: nick(c), ids: String(c.id) },
    });
    expect(await a.errorKeyOf("dissolveGroup", { params: { id: groupId } })).toBe("group.noRight");
    for (const socket of [oldOwner, newOwner]) socket.close();
  });

  test("ownership can be transferred only to a current member", async () => {
    const { a, c, groupId } = await makeGroupOfThree();
    const stranger = await registerPerson(server.url);
    const to = (userId: number) => a.errorKeyOf("transferGroup", { body: { groupId, userId } });
    expect(await to(stranger.id)).toBe("group.targetNotMember");
    await c.ok("quitGroup", { params: { id: groupId } });
    expect(await to(c.id)).toBe("group.targetNotMember");
    await a.ok("transferGroup", { body: { groupId, userId: a.id } });
    expect(await a.ok("findGroup", { params: { id: groupId } })).toMatchObject({ role: 3 });
  });
});

describe("leaving", () => {
  test("push 91 goes to the person's own terminals, push 90 to the others", async () => {
    const { a, c, groupId } = await makeGroupOfThree();
    const tab = await c.elsewhere({ terminal: 1 });
    const [owner, other] = [await a.connect(), await tab.connect()];
    await c.ok("quitGroup", { params: { id: groupId } });
    expect(await other.nextOf(91)).toMatchObject({ cmd: 4, data: { groupId } });
    expect(contentOf(await owner.nextOf(90))).toMatchObject({ membersCount: 2 });
    await owner.flush();
    expect(owner.of(91)).toEqual([]);
    expect(await c.errorKeyOf("quitGroup", { params: { id: groupId } })).toBe("group.notMember");
    for (const socket of [owner, other]) socket.close();
  });

  test("the owner cannot quit", async () => {
    const { a, groupId } = await makeGroupOfThree();
    const { envelope } = await a.call("quitGroup", { params: { id: groupId } });
    expect(envelope.message).toBe("您是群主，不可退出群聊");
  });

  test("a former member gets nothing when the group is dissolved", async () => {
    const { a, c, groupId } = await makeGroupOfThree();
    await c.ok("quitGroup", { params: { id: groupId } });
    const socket = await c.connect();
    await a.ok("dissolveGroup", { params: { id: groupId } });
    await socket.flush();
    expect(socket.frames).toHaveLength(1);
    socket.close();
  });

  test("a dissolved group: the tip, then push 91 to all, and nothing works there now", async () => {
    const { a, b, c, groupId } = await makeGroupOfThree();
    const sockets = [await a.connect(), await b.connect(), await c.connect()];
    await a.ok("dissolveGroup", { params: { id: groupId } });
    for (const socket of sockets) {
      expect(tipOf(await socket.nextOf(21))).toEqual({ key: "group.dissolved", params: { name: nick(a) } });
      expect((await socket.nextOf(91)).data).toMatchObject({ groupId });
      expect(socket.of(90)).toEqual([]);
      socket.close();
    }
    expect(await c.ok("listGroups")).toMatchObject([{ id: groupId, dissolve: true, quit: false }]);
    const { envelope } = await a.call("dissolveGroup", { params: { id: groupId } });
    expect(envelope.message).toBe("群组'Group'已解散");
    expect(await c.errorKeyOf("quitGroup", { params: { id: groupId } })).toBe("group.dissolved");
    const stranger = await registerPerson(server.url);
    expect(await stranger.errorKeyOf("findGroup", { params: { id: groupId } })).toBe("group.notFound");
    expect(await stranger.ok("findGroupsByName", { query: { name: String(groupId) } })).not.toContainEqual(
      expect.objectContaining({ id: groupId }),
    );
  });
});
