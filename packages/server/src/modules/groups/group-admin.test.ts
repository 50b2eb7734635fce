import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { PASSWORD, type TestPerson, befriend, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;
const ban = (groupId: number, reason: string) =>
  sendAdminCommand(server.dataDir, { name: "banGroup", groupId, reason });
const unban = (groupId: number) => sendAdminCommand(server.dataDir, { name: "unbanGroup", groupId });
const registerThree = async () =>
  [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ] as const;
/** A group that people join only with an approval. */
async function makeGroupWithApproval(owner: TestPerson, members: TestPerson[]): Promise<number> {
  const groupId = await makeGroup(owner, members);
  await owner.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
  return groupId;
}
const nick = (person: TestPerson) => `N ${person.userName}`;

describe("ban-group and unban-group", () => {
  test("members get the reason and a tip; after unban they can send again", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const id = await makeGroup(a, [b], "Traders");
    const socket = await b.connect();
    const message = (content: string) => ({ body: { groupId: id, type: 0, content } });
    // From now on the server has the group in its cache.
    await b.ok("sendGroupMessage", message("before"));
    expect(await ban(id, " spam ")).toEqual({ text: "The group Traders is banned." });
    expect(contentOf(await socket.nextOf(90))).toMatchObject({ isBanned: true, reason: "spam" });
    expect((await socket.nextOf(21)).data).toMatchObject({
      groupId: id,
      content: "群聊已被管理员封禁，原因:spam",
      tip: { key: "group.banned", params: { reason: "spam" } },
    });
    for (const who of [a, b])
      expect(await who.errorKeyOf("sendGroupMessage", message("banned"))).toBe("group.banned");
    const { envelope } = await a.call("muteGroup", { body: { id, isMuted: true } });
    expect(envelope.message).toBe("群组'Traders'已被封禁,原因:spam");
    const stranger = await registerPerson(server.url);
    expect(await stranger.errorKeyOf("applyGroup", { body: { groupId: id } })).toBe("group.banned");
    expect(await unban(id)).toEqual({ text: "The group Traders is no longer banned." });
    expect(contentOf(await socket.nextOf(90))).toMatchObject({ isBanned: false, reason: null });
    expect((await socket.nextOf(21)).data?.["tip"]).toEqual({ key: "group.unbanned", params: {} });
    await b.ok("sendGroupMessage", message("after"));
    await a.ok("muteGroup", { body: { id, isMuted: true } });
    socket.close();
  });

  test("an invalid command is rejected with an error message", async () => {
    const a = await registerPerson(server.url);
    const id = await makeGroup(a, []);
    expect(await ban(999_999, "spam")).toEqual({ error: "There is no group 999999." });
    expect(await ban(id, "  ")).toEqual({ error: "The reason must have 1 to 100 characters." });
    expect(await unban(id)).toEqual({ error: `The group ${id} is not banned.` });
    await a.ok("dissolveGroup", { params: { id } });
    expect(await ban(id, "spam")).toEqual({ error: `The group ${id} is dissolved.` });
  });
});

describe("a person who closes their account", () => {
  test("leaves their groups; the others see one member less", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const id = await makeGroup(a, [b]);
    const socket = await a.connect();
    await b.ok("unregister", { body: { password: PASSWORD } });
    expect(contentOf(await socket.nextOf(90))).toMatchObject({ id, membersCount: 1 });
    expect((await a.ok("listGroupMembers", { params: { id } })).map((member) => member.quit)).toEqual([
      false,
      true,
    ]);
    socket.close();
  });

  test("transfers groups to the oldest admin, else the oldest member, and dissolves those without other members", async () => {
    const [a, b, c] = await registerThree();
    const [led, plain, alone] = [await makeGroup(a, [b]), await makeGroup(a, [b]), await makeGroup(a, [])];
    await befriend(a, c);
    for (const groupId of [led, plain]) {
      server.clock.advance(1_000);
      await a.ok("inviteToGroup", { body: { groupId, friendIds: [c.id] } });
    }
    await a.ok("addGroupManagers", { body: { groupId: led, userIds: [c.id] } });
    const socket = await c.connect();
    await a.ok("unregister", { body: { password: PASSWORD } });
    expect((await socket.nextOf(21)).data).toMatchObject({
      groupId: led,
      tip: { key: "group.ownerLeft", params: { name: nick(c) } },
    });
    expect(await c.ok("findGroup", { params: { id: led } })).toMatchObject({ role: 3, ownerId: c.id });
    expect(await b.ok("findGroup", { params: { id: plain } })).toMatchObject({ role: 3, ownerId: b.id });
    expect((await server.app.store.findGroup(alone))?.dissolvedAt).toBe(server.clock.now());
    socket.close();
  });

  test("recalls their own requests to join", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const groupId = await makeGroupWithApproval(a, []);
    const { id } = await b.ok("applyGroup", { body: { groupId } });
    const socket = await a.connect();
    await b.ok("unregister", { body: { password: PASSWORD } });
    expect(contentOf(await socket.nextOf(77))).toMatchObject({ id, status: 4 });
    expect(contentOf(await socket.nextOf(61))).toMatchObject({ id, status: 4 });
    expect(await a.ok("listGroupRequests")).toEqual([]);
    socket.close();
  });

  test("recalls the requests of others to add them to a group", async () => {
    const [a, b, c] = await registerThree();
    const groupId = await makeGroupWithApproval(a, [b]);
    await befriend(b, c);
    await b.ok("inviteToGroup", { body: { groupId, friendIds: [c.id] } });
    const [leader, inviter] = [await a.connect(), await b.connect()];
    await c.ok("unregister", { body: { password: PASSWORD } });
    for (const socket of [leader, inviter]) {
      expect(contentOf(await socket.nextOf(77))).toMatchObject({ sendId: c.id, status: 4 });
    }
    expect(contentOf(await leader.nextOf(61))).toMatchObject({ sendId: c.id, status: 4 });
    for (const person of [a, b]) expect(await person.ok("listGroupRequests")).toEqual([]);
    for (const socket of [leader, inviter]) socket.close();
  });

  test("closes the requests of others to a group that is dissolved", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const groupId = await makeGroupWithApproval(a, []);
    const { id } = await b.ok("applyGroup", { body: { groupId } });
    const socket = await b.connect();
    await a.ok("unregister", { body: { password: PASSWORD } });
    expect(contentOf(await socket.nextOf(77))).toMatchObject({ id, status: 5 });
    expect(await b.ok("listGroupRequests")).toEqual([]);
    socket.close();
  });

  test("sends nothing to a group that they left before, and does not change the stay there", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const groupId = await makeGroup(a, [b]);
    await b.ok("quitGroup", { params: { id: groupId } });
    const stays = await server.app.store.listGroupStays(groupId, b.id);
    await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: "later" } });
    const socket = await a.connect();
    await b.ok("unregister", { body: { password: PASSWORD } });
    await socket.flush();
    expect(socket.of(90)).toEqual([]);
    expect(await server.app.store.listGroupStays(groupId, b.id)).toEqual(stays);
    socket.close();
  });

  test("does not touch the requests of others to a group that gets another owner", async () => {
    const [a, b, c] = await registerThree();
    const groupId = await makeGroupWithApproval(a, [b]);
    const request = await c.ok("applyGroup", { body: { groupId } });
    await a.ok("unregister", { body: { password: PASSWORD } });
    expect(await b.ok("listGroupRequests")).toEqual([request]);
  });
});

test("a new nickname is shown to the groups of a person", async () => {
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  const id = await makeGroup(a, [b]);
  const socket = await b.connect();
  await a.ok("updateUser", { body: { id: a.id, nickName: "Anew" } });
  expect((await socket.nextOf(90)).data).toMatchObject({ groupId: id });
  expect((await b.ok("listGroupMembers", { params: { id } }))[0]?.showNickName).toBe("Anew");
  socket.close();
});
