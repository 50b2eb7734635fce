import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson, makeGroup, request } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(
  async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off", RECALL_SECONDS: "120" } })),
);
afterAll(() => server[Symbol.asyncDispose]());

/** An owner, two admins and two members. */
async function makeFive() {
  const people: TestPerson[] = [];
  for (let n = 0; n < 5; n++) people.push(await registerPerson(server.url));
  const [owner, admin, admin2, member, member2] = people as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ];
  const groupId = await makeGroup(owner, [admin, admin2, member, member2]);
  await owner.ok("addGroupManagers", { body: { groupId, userIds: [admin.id, admin2.id] } });
  return { owner, admin, admin2, member, member2, groupId };
}

const sendIn = (from: TestPerson, groupId: number, content = "secretword") =>
  from.ok("sendGroupMessage", { body: { groupId, type: 0, content } });
const recall = (person: TestPerson, id: number) => person.call("recallGroupMessage", { params: { id } });
const historyOf = (reader: TestPerson, groupId: number) =>
  reader.ok("groupHistory", { query: { groupId, minId: 0 } });

describe("DELETE /message/group/recall/:id", () => {
  test("a stored event goes to everybody, and the row becomes a tip in its place", async () => {
    const { owner, member, groupId } = await makeFive();
    const sent = await sendIn(member, groupId);
    await member.ok("sendGroupMessage", {
      body: { groupId, type: 7, content: "secretword two", quoteMessageId: sent.id },
    });
    const acting = member.tab("acting");
    const [own, other, peer] = [
      await acting.connect(),
      await member.tab("x").connect(),
      await owner.connect(),
    ];
    const event = (await recall(acting, sent.id)).envelope.data;
    expect(event).toMatchObject({
      type: 10,
      groupId,
      sendId: member.id,
      sendRole: 1,
      content: String(sent.id),
    });
    expect(await other.nextOf(10)).toEqual({ cmd: 4, data: event });
    expect(await peer.nextOf(10)).toEqual({ cmd: 4, data: event });
    await own.flush();
    expect(own.of(10)).toEqual([]);
    const name = `N ${member.userName}`;
    const rows = await historyOf(owner, groupId);
    expect(rows.find((row) => row.id === sent.id)).toEqual({
      ...sent,
      type: 21,
      status: 2,
      content: `${name}撤回了一条消息`,
      tip: { key: "recalled", params: { name } },
    });
    expect(rows.at(-1)).toEqual(event);
    expect(JSON.stringify(rows)).not.toContain("secretword");
    expect(JSON.stringify(await owner.ok("loadGroupMessages", { query: { minId: 0 } }))).not.toContain(
      "secretword",
    );
    expect((await owner.ok("searchMessages", { query: { q: "secretword" } })).hits).toEqual([]);
    // A repeated recall answers the first event, at any time, and pushes nothing.
    server.clock.advance(600_000);
    expect((await recall(member, sent.id)).envelope.data).toEqual(event);
    await peer.flush();
    expect(peer.of(10)).toHaveLength(1);
    for (const socket of [own, other, peer]) socket.close();
  });

  test("each role may recall the messages of certain others, in time and too late", async () => {
    const { owner, admin, admin2, member, member2, groupId } = await makeFive();
    const stranger = await registerPerson(server.url);
    const people = { owner, admin, admin2, member, member2, stranger };
    type Who = keyof typeof people;
    const table: [by: Who, of: Who, string | undefined, string | undefined][] = [
      ["owner", "owner", undefined, undefined],
      ["owner", "admin", undefined, undefined],
      ["owner", "member", undefined, undefined],
      ["admin", "admin", undefined, "message.recallTooLate"],
      ["admin", "admin2", "message.notYours", "message.notYours"],
      ["admin", "owner", "message.notYours", "message.notYours"],
      ["admin", "member", undefined, undefined],
      ["member", "member", undefined, "message.recallTooLate"],
      ["member", "member2", "message.notYours", "message.notYours"],
      ["member", "admin", "message.notYours", "message.notYours"],
      ["stranger", "member", "message.notFound", "message.notFound"],
    ];
    for (const [by, of, inTime, late] of table) {
      const first = await sendIn(people[of], groupId);
      const key = (await recall(people[by], first.id)).envelope.key;
      expect(key, `${by} recalls a message of ${of} in time`).toBe(inTime);
      const second = await sendIn(people[of], groupId);
      server.clock.advance(121_000);
      const keyLate = (await recall(people[by], second.id)).envelope.key;
      expect(keyLate, `${by} recalls a message of ${of} too late`).toBe(late);
    }
  });

  test("a second recall by somebody with the right answers the first event and pushes nothing", async () => {
    const { owner, admin, member, member2, groupId } = await makeFive();
    const sent = await sendIn(member, groupId);
    const event = (await recall(member, sent.id)).envelope.data;
    const socket = await member2.connect();
    for (const again of [admin, owner]) expect((await recall(again, sent.id)).envelope.data).toEqual(event);
    expect((await recall(member2, sent.id)).envelope.key).toBe("message.notYours");
    await socket.flush();
    expect(socket.of(10)).toEqual([]);
    expect((await historyOf(owner, groupId)).at(-1)).toEqual(event);
    socket.close();
  });

  test("the tip names the person who recalled the message, and its author", async () => {
    const { admin, member, groupId } = await makeFive();
    const sent = await sendIn(member, groupId);
    await recall(admin, sent.id);
    const [name, author] = [`N ${admin.userName}`, `N ${member.userName}`];
    expect((await historyOf(member, groupId)).find((row) => row.id === sent.id)).toMatchObject({
      sendId: member.id,
      content: `'${name}'撤回了'${author}'的一条消息`,
      tip: { key: "recalledBy", params: { name, nameId: admin.id, author } },
    });
  });

  test("a device that was away gets the recall even if the admin who recalled has been removed with deletion since", async () => {
    const { owner, admin, member, member2, groupId } = await makeFive();
    const sent = await sendIn(member, groupId);
    const own = await sendIn(admin, groupId, "of the admin");
    const event = (await recall(admin, sent.id)).envelope.data;
    const body = { groupId, userIds: [admin.id], deleteMessages: true };
    await owner.ok("removeGroupMembers", { body });
    const missed = await member2.ok("loadGroupMessages", { query: { minId: sent.id } });
    expect(missed.filter((row) => row.type === 10)).toMatchObject([
      { id: event?.id, content: String(sent.id) },
    ]);
    expect(missed.some((row) => row.id === own.id)).toBe(false);
    const rows = await historyOf(member2, groupId);
    expect(rows.find((row) => row.id === event?.id)).toMatchObject({ type: 10, content: String(sent.id) });
  });

  test("a muted or former member cannot recall, and a tip cannot be recalled", async () => {
    const { owner, admin, member, groupId } = await makeFive();
    const sent = await sendIn(member, groupId);
    const tip = (await historyOf(owner, groupId))[0];
    expect((await recall(owner, tip?.id ?? 0)).envelope.key).toBe("message.notYours");
    const mute = (isMuted: boolean) =>
      owner.ok("muteGroupMembers", { body: { groupId, userIds: [member.id, admin.id], isMuted } });
    await mute(true);
    expect((await recall(member, sent.id)).envelope.key).toBe("message.muted");
    expect((await recall(admin, sent.id)).envelope.key).toBe("message.muted");
    await mute(false);
    await owner.ok("removeGroupMembers", { body: { groupId, userIds: [member.id] } });
    expect((await recall(member, sent.id)).envelope.key).toBe("message.notInGroup");
    expect((await recall(admin, sent.id)).envelope.key).toBeUndefined();
    const { envelope } = await request(server.url, "/message/group/recall/1", { method: "DELETE" });
    expect(envelope.code).toBe(400);
  });
});
