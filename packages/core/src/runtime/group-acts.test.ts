import { describe, expect, test } from "vitest";
import { friendVO, GROUP, GROUP_CHAT, groupRequestVO, groupRow, groupVO, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { answerStart, loggedIn, type Solo } from "../testing/logged-in.ts";
import {
  asksFor,
  group,
  groups,
  inGroup,
  pass,
  request,
  shown,
  withMembers,
} from "../testing/solo-groups.ts";

describe("actions", () => {
  test("G22 a new group is known when its making is answered", async () => {
    const solo = await loggedIn();
    const made = solo.client.groups.create({ name: "New", memberIds: [2] });
    expect(bodyOf(solo.ports.http.waiting.at(-1)?.request)).toEqual({
      tmpId: expect.any(String),
      name: "New",
      memberIds: [2],
    });
    await solo.reply("/group/create", groupVO({ id: 9, name: "New", role: 3 }));
    expect((await made).ok).toBe(true);
    expect(groups(solo).order).toEqual([9]);
  });

  test("G52 a making without an answer is repeated under its tmpId, until its group is known or another one is wanted", async () => {
    const solo = await loggedIn();
    const make = (name: string) => {
      const made = solo.client.groups.create({ name, memberIds: [2] });
      return { made, body: bodyOf(solo.ports.http.waiting.at(-1)?.request) as { tmpId: string } };
    };
    const lost = make("New");
    solo.ports.http.replyRaw("/group/create", { kind: "failed", reason: "timeout" });
    expect((await lost.made).ok).toBe(false);
    const again = make("New");
    expect(again.body).toEqual(lost.body);
    solo.ports.http.replyRaw("/group/create", { kind: "failed", reason: "timeout" });
    expect((await again.made).ok).toBe(false);
    const other = make("Other");
    expect(other.body.tmpId).not.toBe(lost.body.tmpId);
    await solo.reply("/group/create", groupVO({ id: 9, name: "Other", role: 3 }));
    expect((await other.made).ok).toBe(true);
    expect(make("Other").body.tmpId).not.toBe(other.body.tmpId);
  });

  test("G21 more than 50 people go in parts, one after the other, until one fails", async () => {
    const solo = await loggedIn();
    const memberIds = Array.from({ length: 120 }, (_, i) => i + 10);
    const made = solo.client.groups.create({ name: "Big", memberIds });
    await solo.reply("/group/create", groupVO({ id: 9, role: 3 }));
    const waiting = () => solo.ports.http.waiting.filter((e) => e.request.url.includes("/group/invite"));
    expect(waiting().map((e) => bodyOf(e.request))).toEqual([
      { groupId: 9, friendIds: memberIds.slice(50, 100) },
    ]);
    await solo.reply("/group/invite", null);
    expect(waiting().map((e) => bodyOf(e.request))).toEqual([
      { groupId: 9, friendIds: memberIds.slice(100) },
    ]);
    await solo.reply("/group/invite", null, 500);
    expect((await made).ok).toBe(true);
    expect(solo.notices).toHaveLength(1);
  });

  test("G20 a change sends what differs, and nothing where nothing differs", async () => {
    const solo = await inGroup({ role: 3, notice: null, attributes: { a: "1" } });
    expect(
      await solo.client.groups.modify(GROUP, { name: "Group", notice: "", attributes: { a: "1" } }),
    ).toEqual({ ok: true, value: null });
    expect(asksFor(solo, "/group/modify")).toBe(0);
    const done = solo.client.groups.modify(GROUP, { name: "Group", notice: "Hi", attributes: { a: "2" } });
    expect(bodyOf(solo.ports.http.waiting.at(-1)?.request)).toEqual({
      id: GROUP,
      notice: "Hi",
      attributes: { a: "2" },
    });
    await solo.reply("/group/modify", groupVO({ role: 3, notice: "Hi", attributes: { a: "2" } }));
    expect((await done).ok).toBe(true);
    expect(group(solo)?.notice).toBe("Hi");
  });

  test("G9 an answer shows what was done, unless a push came meanwhile", async () => {
    const solo = await inGroup({ role: 3 });
    void solo.client.groups.setAllMuted(GROUP, true);
    await solo.reply("/group/muted", null);
    expect(group(solo)?.isAllMuted).toBe(true);
    void solo.client.groups.setAllMuted(GROUP, true);
    await solo.push(shown({ role: 3, isAllMuted: true }), shown({ role: 3, isAllMuted: false }));
    await solo.reply("/group/muted", null);
    expect(group(solo)?.isAllMuted).toBe(false);
  });

  test("G9 an answer that is the group is asked for again when a push came meanwhile", async () => {
    const solo = await inGroup({ role: 3 });
    void solo.client.groups.modify(GROUP, { name: "Mine" });
    await solo.push(shown({ role: 3, name: "Theirs" }));
    await solo.reply("/group/modify", groupVO({ role: 3, name: "Mine" }));
    expect(group(solo)?.name).toBe("Theirs");
    await solo.reply("/group/find", groupVO({ role: 3, name: "Mine" }));
    expect(group(solo)?.name).toBe("Mine");
  });

  test("G9 after a failure the lists are asked for again, and one toast is raised", async () => {
    const solo = await inGroup();
    const done = solo.client.groups.quit(GROUP);
    await solo.reply("/group/quit/5", null, 500);
    expect((await done).ok).toBe(false);
    expect(solo.notices).toHaveLength(1);
    expect(group(solo)?.quit).toBe(false);
    await solo.reply("/group/list", [groupVO({ quit: true })]);
    expect(group(solo)?.quit).toBe(true);
  });

  test("G9 what is done to members shows on them, and is checked", async () => {
    const solo = await withMembers({ role: 3 });
    const member = (id: number) => groups(solo).members[GROUP]?.byId[id];
    void solo.client.groups.setMuted(GROUP, [11], true);
    await solo.reply("/group/members/muted", null);
    expect(member(11)?.isMuted).toBe(true);
    void solo.client.groups.setManagers(GROUP, [11], true);
    await solo.reply("/group/manager/add", null);
    expect(groups(solo).members[GROUP]?.order).toEqual([11, ME, 12]);
    void solo.client.groups.removeMembers(GROUP, [12], false);
    await solo.reply("/group/members/remove", null);
    expect(groups(solo).members[GROUP]?.order).toEqual([11, ME]);
    void solo.client.groups.transfer(GROUP, 11);
    await solo.reply("/group/transfer", null);
    expect(group(solo)).toMatchObject({ ownerId: 11, role: 1 });
    expect(member(11)).toMatchObject({ role: 3, isMuted: false });
    await pass(solo, 1_000);
    expect(asksFor(solo, "/group/members/5")).toBe(1);
  });

  test.each([
    ["quit", "/group/quit/5", { quit: true }],
    ["dissolve", "/group/delete/5", { dissolve: true }],
  ] as const)("G1 a group I %s goes from the list and keeps its name", async (action, url, part) => {
    const solo = await inGroup({ role: 3 });
    void solo.client.groups[action](GROUP);
    await solo.reply(url, null);
    expect(groups(solo).order).toEqual([]);
    expect(group(solo)).toMatchObject({ name: "Group", ...part });
  });

  test("G23 who asks to join has a request that waits, or is in at once", async () => {
    const solo = await loggedIn();
    void solo.client.groups.apply(GROUP, "please");
    await solo.reply("/group/request/apply", groupRequestVO({ sendId: ME }));
    expect(groups(solo).requests).toHaveLength(1);
    void solo.client.groups.apply(6, "");
    await solo.reply("/group/request/apply", groupRequestVO({ id: 2, groupId: 6, sendId: ME, status: 2 }));
    await solo.reply("/group/find/6", groupVO({ id: 6 }));
    expect(groups(solo).order).toEqual([6]);
    expect(groups(solo).requests).toHaveLength(1);
  });

  test("G4 a request that I answer goes", async () => {
    const solo = await inGroup({ role: 2 });
    await solo.push(request(75), request(75, { id: 2 }));
    void solo.client.groups.approve(1);
    await solo.reply("/group/request/approve?id=1", null);
    void solo.client.groups.reject(2);
    await solo.reply("/group/request/reject?id=2", null);
    expect(groups(solo).requests).toEqual([]);
  });

  test("G4 the push of a request that I have answered may come late", async () => {
    const solo = await inGroup({ role: 2 });
    void solo.client.groups.approve(1);
    await solo.reply("/group/request/approve?id=1", null);
    await solo.push(request(75));
    expect(groups(solo).requests).toEqual([]);
  });

  test("G23 an invitation that may have become requests asks for them", async () => {
    const solo = await inGroup({ joinApproval: true });
    void solo.client.groups.invite(GROUP, [2]);
    await solo.reply("/group/invite", null);
    await solo.reply("/group/request/list", [groupRequestVO({ sendId: 2, inviterId: ME })]);
    expect(groups(solo).requests).toHaveLength(1);
  });

  test("G27 a search shows at most 20 groups, and raises no toast", async () => {
    const solo = await loggedIn();
    const card = { name: "G", headImage: null, headImageThumb: null, membersCount: 1 };
    const found = solo.client.groups.search("g");
    await solo.reply(
      "/group/findByName?name=g",
      Array.from({ length: 25 }, (_, id) => ({ ...card, id })),
    );
    expect(await found).toMatchObject({ ok: true, value: { length: 20 } });
    const failed = solo.client.groups.search("h");
    await solo.reply("/group/findByName?name=h", null, 500);
    expect((await failed).ok).toBe(false);
    expect(solo.notices).toEqual([]);
  });

  test("G1 a card is shown and not kept; a group I am in is", async () => {
    const solo = await loggedIn();
    const card = { id: 8, name: "G", headImage: null, headImageThumb: null, membersCount: 1 };
    const found = solo.client.groups.find(8);
    await solo.reply("/group/find/8", card);
    expect(await found).toEqual({ ok: true, value: card });
    expect(groups(solo).byId).toEqual({});
    void solo.client.groups.find(GROUP);
    await solo.reply("/group/find/5", groupVO());
    expect(groups(solo).order).toEqual([GROUP]);
  });

  test("G20 rights are set as given; readers are asked for by message", async () => {
    const solo = await inGroup({ role: 3 });
    void solo.client.groups.setRights(GROUP, { joinApproval: true, inviteRole: 2 });
    expect(bodyOf(solo.ports.http.waiting.at(-1)?.request)).toEqual({
      groupId: GROUP,
      joinApproval: true,
      inviteRole: 2,
    });
    await solo.reply("/group/settings", null);
    expect(group(solo)).toMatchObject({ joinApproval: true, inviteRole: 2, editRole: 2 });
    const readers = solo.client.groups.readers(GROUP, 77);
    await solo.reply("/message/group/findReadedUsers?groupId=5&messageId=77&who=read", [11]);
    expect(await readers).toEqual({ ok: true, value: [11] });
  });
});

describe("settings of a chat", () => {
  async function withChat(): Promise<Solo> {
    const solo = await inGroup();
    await solo.push({ cmd: 4, data: groupRow({ id: 1 }) });
    return solo;
  }
  const chat = (solo: Solo) => solo.client.getState().chats.byKey[GROUP_CHAT];

  test.each([
    ["stay", 200, true],
    ["go back", 500, false],
  ])("G12 show at once and %s as the server answers", async (_what, code, isTop) => {
    const solo = await withChat();
    const done = solo.client.chats.setTop(GROUP_CHAT, true);
    expect(chat(solo)?.isTop).toBe(true);
    await solo.reply("/group/top", null, code);
    expect((await done).ok).toBe(isTop);
    expect(chat(solo)?.isTop).toBe(isTop);
    expect(solo.notices.filter(({ kind }) => kind === "failure")).toEqual([]);
  });

  test.each([0, 1, 2] as const)("G12 a group alerts in way %i", async (msgRemind) => {
    const solo = await withChat();
    void solo.client.chats.setRemind(GROUP_CHAT, msgRemind);
    expect(chat(solo)?.msgRemind).toBe(msgRemind);
    expect(bodyOf(solo.ports.http.waiting.at(-1)?.request)).toEqual({ groupId: GROUP, msgRemind });
    await solo.reply("/group/msgRemind", null);
    expect(group(solo)).toMatchObject({ msgRemind, isDnd: msgRemind === 2 });
  });

  test("G12 where another device set something meanwhile the server is asked what holds", async () => {
    const solo = await withChat();
    void solo.client.chats.setTop(GROUP_CHAT, true);
    await solo.push(shown({ isTop: false }));
    await solo.reply("/group/top", null);
    await solo.reply("/group/find/5", groupVO({ isTop: true }));
    expect(chat(solo)?.isTop).toBe(true);
  });

  test("G12 a list that was made before it was set does not undo it", async () => {
    const solo = await withChat();
    void solo.client.chats.setTop(GROUP_CHAT, true);
    void solo.client.groups.reload();
    await solo.reply("/group/list", [groupVO({ isTop: false })]);
    await solo.reply("/group/top", null);
    expect(chat(solo)?.isTop).toBe(true);
  });

  test("G12 a group I am not in takes no settings", async () => {
    const solo = await loggedIn();
    const asked = solo.waiting().length;
    expect((await solo.client.chats.setTop(GROUP_CHAT, true)).ok).toBe(false);
    expect(solo.waiting()).toHaveLength(asked);
  });
});

describe("notices", () => {
  test("G24 reading one is told to one's other tabs", async () => {
    const device = createFakeDevice();
    const solo = await loggedIn({ device });
    const other = await loggedIn({ device, storage: solo.ports.storage.tab(true), name: "other" });
    for (const tab of [solo, other]) await tab.push(shown({ notice: "Hi" }));
    solo.client.groups.readNotice(GROUP);
    expect(groups(other).readNotices).toEqual({ [GROUP]: "Hi" });
  });

  test("G24 whoever writes one has read it; where there is none nothing is kept", async () => {
    const solo = await inGroup({ role: 3 });
    solo.client.groups.readNotice(GROUP);
    expect(groups(solo).readNotices).toEqual({});
    void solo.client.groups.modify(GROUP, { notice: "Hi" });
    await solo.reply("/group/modify", groupVO({ role: 3, notice: "Hi" }));
    expect(groups(solo).readNotices).toEqual({ [GROUP]: "Hi" });
  });
});

describe("another database", () => {
  test("G29 members and read notices are forgotten", async () => {
    const solo = await withMembers({ notice: "Hi" });
    solo.client.groups.readNotice(GROUP);
    solo.ports.sockets.last().close(1006);
    await pass(solo, 15_000);
    await solo.goOnline("epoch 2");
    expect([groups(solo).members, groups(solo).readNotices]).toEqual([{}, {}]);
    await pass(solo, 200);
    const database = await solo.ports.storage.open("parley:https://im.example:1");
    expect(await database.value("readNotices")).toEqual({});
    await answerStart(solo, [friendVO()], [groupVO({ name: "Other" })]);
    expect(group(solo)?.name).toBe("Other");
    expect(asksFor(solo, "/group/members")).toBe(0);
  });
});
