import { describe, expect, test } from "vitest";
import { ChatType } from "@parley/protocol/codes";
import { alertLevelEnd } from "../model/chats/chat-prefs.ts";
import { friendVO, GROUP, GROUP_CHAT, groupRequestVO, groupRow, groupVO, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  advanceTime,
  answerLoginRequests,
  createLoggedInClient,
  type SingleClient,
} from "../testing/single-client.ts";
import {
  pendingRequestCount,
  groupOf,
  groupsOf,
  createClientInGroup,
  groupRequestPush,
  groupPush,
  createClientWithMembers,
} from "../testing/single-client-groups.ts";

const readNoticesOf = ({ client }: SingleClient) => client.getState().readNotices;

describe("actions", () => {
  test("G22 a created group is in the state when the call resolves", async () => {
    const single = await createLoggedInClient();
    const created = single.client.groups.create({ name: "New", memberIds: [2] });
    expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
      tmpId: expect.any(String),
      name: "New",
      memberIds: [2],
    });
    await single.respond("/group/create", groupVO({ id: 9, name: "New", role: 3 }));
    expect((await created).ok).toBe(true);
    expect(groupsOf(single).order).toEqual([9]);
  });

  test("G52 an unanswered creation is repeated with the same tmpId until it is answered or another form is sent", async () => {
    const single = await createLoggedInClient();
    const create = (name: string) => {
      const created = single.client.groups.create({ name, memberIds: [2] });
      return { created, body: bodyOf(single.ports.http.waiting.at(-1)?.request) as { tmpId: string } };
    };
    const lost = create("New");
    single.ports.http.replyRaw("/group/create", { kind: "failed", reason: "timeout" });
    expect((await lost.created).ok).toBe(false);
    const again = create("New");
    expect(again.body).toEqual(lost.body);
    single.ports.http.replyRaw("/group/create", { kind: "failed", reason: "timeout" });
    expect((await again.created).ok).toBe(false);
    const other = create("Other");
    expect(other.body.tmpId).not.toBe(lost.body.tmpId);
    await single.respond("/group/create", groupVO({ id: 9, name: "Other", role: 3 }));
    expect((await other.created).ok).toBe(true);
    expect(create("Other").body.tmpId).not.toBe(other.body.tmpId);
  });

  test("G21 more than 50 people are added in batches, one after the other, until one fails", async () => {
    const single = await createLoggedInClient();
    const memberIds = Array.from({ length: 120 }, (_, i) => i + 10);
    const created = single.client.groups.create({ name: "Big", memberIds });
    await single.respond("/group/create", groupVO({ id: 9, role: 3 }));
    const waiting = () => single.ports.http.waiting.filter((e) => e.request.url.includes("/group/invite"));
    expect(waiting().map((e) => bodyOf(e.request))).toEqual([
      { groupId: 9, friendIds: memberIds.slice(50, 100) },
    ]);
    await single.respond("/group/invite", null);
    expect(waiting().map((e) => bodyOf(e.request))).toEqual([
      { groupId: 9, friendIds: memberIds.slice(100) },
    ]);
    await single.respond("/group/invite", null, 500);
    expect((await created).ok).toBe(true);
    expect(single.notices).toHaveLength(1);
  });

  test("G20 an edit sends only what differs, and nothing if nothing differs", async () => {
    const single = await createClientInGroup({ role: 3, notice: null, attributes: { a: "1" } });
    expect(
      await single.client.groups.modify(GROUP, { name: "Group", notice: "", attributes: { a: "1" } }),
    ).toEqual({ ok: true, value: null });
    expect(pendingRequestCount(single, "/group/modify")).toBe(0);
    const done = single.client.groups.modify(GROUP, { name: "Group", notice: "Hi", attributes: { a: "2" } });
    expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
      id: GROUP,
      notice: "Hi",
      attributes: { a: "2" },
    });
    await single.respond("/group/modify", groupVO({ role: 3, notice: "Hi", attributes: { a: "2" } }));
    expect((await done).ok).toBe(true);
    expect(groupOf(single)?.notice).toBe("Hi");
  });

  test("G9 an answered action is applied, unless a push arrived before the answer", async () => {
    const single = await createClientInGroup({ role: 3 });
    void single.client.groups.setAllMuted(GROUP, true);
    await single.respond("/group/muted", null);
    expect(groupOf(single)?.isAllMuted).toBe(true);
    void single.client.groups.setAllMuted(GROUP, true);
    await single.push(groupPush({ role: 3, isAllMuted: true }), groupPush({ role: 3, isAllMuted: false }));
    await single.respond("/group/muted", null);
    expect(groupOf(single)?.isAllMuted).toBe(false);
  });

  test("G9 a group that an action returns is loaded again when a push arrived before the answer", async () => {
    const single = await createClientInGroup({ role: 3 });
    void single.client.groups.modify(GROUP, { name: "Mine" });
    await single.push(groupPush({ role: 3, name: "Theirs" }));
    await single.respond("/group/modify", groupVO({ role: 3, name: "Mine" }));
    expect(groupOf(single)?.name).toBe("Theirs");
    await single.respond("/group/find", groupVO({ role: 3, name: "Mine" }));
    expect(groupOf(single)?.name).toBe("Mine");
  });

  test("G9 after a failed action the lists are loaded again, and one toast is shown", async () => {
    const single = await createClientInGroup();
    const done = single.client.groups.quit(GROUP);
    await single.respond("/group/quit/5", null, 500);
    expect((await done).ok).toBe(false);
    expect(single.notices).toHaveLength(1);
    expect(groupOf(single)?.quit).toBe(false);
    await single.respond("/group/list", [groupVO({ quit: true })]);
    expect(groupOf(single)?.quit).toBe(true);
  });

  test("G9 an action on members is shown at once and verified", async () => {
    const single = await createClientWithMembers({ role: 3 });
    const member = (id: number) => groupsOf(single).members[GROUP]?.byId[id];
    void single.client.groups.setMuted(GROUP, [11], true);
    await single.respond("/group/members/muted", null);
    expect(member(11)?.isMuted).toBe(true);
    void single.client.groups.setManagers(GROUP, [11], true);
    await single.respond("/group/manager/add", null);
    expect(groupsOf(single).members[GROUP]?.order).toEqual([11, ME, 12]);
    void single.client.groups.removeMembers(GROUP, [12], false);
    await single.respond("/group/members/remove", null);
    expect(groupsOf(single).members[GROUP]?.order).toEqual([11, ME]);
    void single.client.groups.transfer(GROUP, 11);
    await single.respond("/group/transfer", null);
    expect(groupOf(single)).toMatchObject({ ownerId: 11, role: 1 });
    expect(member(11)).toMatchObject({ role: 3, isMuted: false });
    await advanceTime(single, 1_000);
    expect(pendingRequestCount(single, "/group/members/5")).toBe(1);
  });

  test.each([
    ["quit", "/group/quit/5", { quit: true }],
    ["dissolve", "/group/delete/5", { dissolve: true }],
  ] as const)("G1 after a %s the group is not listed and keeps its name", async (action, url, part) => {
    const single = await createClientInGroup({ role: 3 });
    void single.client.groups[action](GROUP);
    await single.respond(url, null);
    expect(groupsOf(single).order).toEqual([]);
    expect(groupOf(single)).toMatchObject({ name: "Group", ...part });
  });

  test("G23 asking to join yields a pending request, or membership at once", async () => {
    const single = await createLoggedInClient();
    void single.client.groups.apply(GROUP, "please");
    await single.respond("/group/request/apply", groupRequestVO({ sendId: ME }));
    expect(groupsOf(single).requests).toHaveLength(1);
    void single.client.groups.apply(6, "");
    await single.respond(
      "/group/request/apply",
      groupRequestVO({ id: 2, groupId: 6, sendId: ME, status: 2 }),
    );
    await single.respond("/group/find/6", groupVO({ id: 6 }));
    expect(groupsOf(single).order).toEqual([6]);
    expect(groupsOf(single).requests).toHaveLength(1);
  });

  test("G4 a request is removed after it was answered", async () => {
    const single = await createClientInGroup({ role: 2 });
    await single.push(groupRequestPush(75), groupRequestPush(75, { id: 2 }));
    void single.client.groups.approve(1);
    await single.respond("/group/request/approve?id=1", null);
    void single.client.groups.reject(2);
    await single.respond("/group/request/reject?id=2", null);
    expect(groupsOf(single).requests).toEqual([]);
  });

  test("G4 a late push of a request that was already answered is ignored", async () => {
    const single = await createClientInGroup({ role: 2 });
    void single.client.groups.approve(1);
    await single.respond("/group/request/approve?id=1", null);
    await single.push(groupRequestPush(75));
    expect(groupsOf(single).requests).toEqual([]);
  });

  test("G23 after an invitation that may have become requests these are loaded", async () => {
    const single = await createClientInGroup();
    void single.client.groups.invite(GROUP, [2]);
    await single.respond("/group/invite", null);
    await single.respond("/group/request/list", [groupRequestVO({ sendId: 2, inviterId: ME })]);
    expect(groupsOf(single).requests).toHaveLength(1);
  });

  test("G27 a search shows at most 20 groups and raises no toast", async () => {
    const single = await createLoggedInClient();
    const card = { name: "G", headImage: null, headImageThumb: null, membersCount: 1, joinMode: 1 };
    const found = single.client.groups.search("g");
    await single.respond(
      "/group/findByName?name=g",
      Array.from({ length: 25 }, (_, id) => ({ ...card, id })),
    );
    expect(await found).toMatchObject({ ok: true, value: { length: 20 } });
    const failed = single.client.groups.search("h");
    await single.respond("/group/findByName?name=h", null, 500);
    expect((await failed).ok).toBe(false);
    expect(single.notices).toEqual([]);
  });

  test("G1 the card of another group is returned and not stored; an own group is stored", async () => {
    const single = await createLoggedInClient();
    const card = { id: 8, name: "G", headImage: null, headImageThumb: null, membersCount: 1, joinMode: 1 };
    const found = single.client.groups.find(8);
    await single.respond("/group/find/8", card);
    expect(await found).toEqual({ ok: true, value: card });
    expect(groupsOf(single).byId).toEqual({});
    void single.client.groups.find(GROUP);
    await single.respond("/group/find/5", groupVO());
    expect(groupsOf(single).order).toEqual([GROUP]);
  });

  test("G20 rights are set as given, and the readers of a message can be loaded", async () => {
    const single = await createClientInGroup({ role: 3 });
    void single.client.groups.setRights(GROUP, { joinMode: 3, isFindable: false, inviteRole: 2 });
    expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
      groupId: GROUP,
      joinMode: 3,
      isFindable: false,
      inviteRole: 2,
    });
    await single.respond("/group/settings", null);
    expect(groupOf(single)).toMatchObject({
      joinMode: 3,
      joinApproval: true,
      isFindable: false,
      inviteRole: 2,
      editRole: 2,
    });
    const readers = single.client.groups.readers(GROUP, 77);
    await single.respond("/message/group/findReadedUsers?groupId=5&messageId=77&who=read", [11]);
    expect(await readers).toEqual({ ok: true, value: [11] });
  });
});

describe("settings of a chat", () => {
  async function createClientWithGroupChat(): Promise<SingleClient> {
    const single = await createClientInGroup();
    await single.push({ cmd: 4, data: groupRow({ id: 1 }) });
    return single;
  }
  const chat = (single: SingleClient) => single.client.getState().chats.byKey[GROUP_CHAT];

  test.each([
    ["accepts", 200, true],
    ["refuses", 500, false],
  ])("G12 a pin is shown at once and stays only if the server %s it", async (_what, code, isTop) => {
    const single = await createClientWithGroupChat();
    const done = single.client.chats.setTop(GROUP_CHAT, true);
    expect(chat(single)?.isTop).toBe(true);
    await single.respond("/group/top", null, code);
    expect((await done).ok).toBe(isTop);
    expect(chat(single)?.isTop).toBe(isTop);
    expect(single.notices.filter(({ kind }) => kind === "failure")).toEqual([]);
  });

  test.each([0, 1, 2] as const)("G12 a group can be set to alert level %i", async (msgRemind) => {
    const single = await createClientWithGroupChat();
    void single.client.chats.setAlerts(GROUP_CHAT, msgRemind);
    expect(chat(single)?.msgRemind).toBe(msgRemind);
    expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
      groupId: GROUP,
      msgRemind,
      until: null,
    });
    await single.respond("/group/msgRemind", null);
    expect(groupOf(single)).toMatchObject({ msgRemind, isDnd: msgRemind === 2 });
  });

  test.each([
    ["accepts", 200],
    ["refuses", 500],
  ])(
    "MU7 a group that is muted for a time shows it at once, and stays so if the server %s it",
    async (_, code) => {
      const single = await createClientWithGroupChat();
      const { client } = single;
      const end = () => alertLevelEnd(client.getState(), { type: ChatType.GROUP, targetId: GROUP });
      const done = client.chats.setAlerts(GROUP_CHAT, 2, 1_000_000);
      expect([chat(single)?.msgRemind, end()]).toEqual([2, 1_000_000]);
      expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toEqual({
        groupId: GROUP,
        msgRemind: 2,
        until: 1_000_000,
      });
      await single.respond("/group/msgRemind", null, code);
      expect((await done).ok).toBe(code === 200);
      expect([chat(single)?.msgRemind, end()]).toEqual(code === 200 ? [2, 1_000_000] : [0, null]);
      if (code !== 200) return;
      void client.chats.setAlerts(GROUP_CHAT, 0);
      expect([chat(single)?.msgRemind, end()]).toEqual([0, null]);
    },
  );

  test("G12 a setting that another device changed at the same time is loaded from the server", async () => {
    const single = await createClientWithGroupChat();
    void single.client.chats.setTop(GROUP_CHAT, true);
    await single.push(groupPush({ isTop: false }));
    await single.respond("/group/top", null);
    await single.respond("/group/find/5", groupVO({ isTop: true }));
    expect(chat(single)?.isTop).toBe(true);
  });

  test("G12 a list that was requested before a setting changed does not undo the change", async () => {
    const single = await createClientWithGroupChat();
    void single.client.chats.setTop(GROUP_CHAT, true);
    void single.client.groups.reload();
    await single.respond("/group/list", [groupVO({ isTop: false })]);
    await single.respond("/group/top", null);
    expect(chat(single)?.isTop).toBe(true);
  });

  test("G12 settings of a group without membership are refused without a request", async () => {
    const single = await createLoggedInClient();
    const requestCount = single.waiting().length;
    expect((await single.client.chats.setTop(GROUP_CHAT, true)).ok).toBe(false);
    expect(single.waiting()).toHaveLength(requestCount);
  });
});

describe("notices", () => {
  test("G24 a notice that was read in one tab is read in the others", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await createLoggedInClient({
      device,
      storage: single.ports.storage.tab(true),
      name: "other",
    });
    for (const tab of [single, other]) await tab.push(groupPush({ notice: "Hi" }));
    single.client.groups.readNotice(GROUP);
    expect(readNoticesOf(other)).toEqual({ [GROUP]: "Hi" });
  });

  test("G24 the author of a notice has read it, and without a notice nothing is stored", async () => {
    const single = await createClientInGroup({ role: 3 });
    single.client.groups.readNotice(GROUP);
    expect(readNoticesOf(single)).toEqual({});
    void single.client.groups.modify(GROUP, { notice: "Hi" });
    await single.respond("/group/modify", groupVO({ role: 3, notice: "Hi" }));
    expect(readNoticesOf(single)).toEqual({ [GROUP]: "Hi" });
  });
});

describe("another server database", () => {
  test("G29 members and read notices are dropped", async () => {
    const single = await createClientWithMembers({ notice: "Hi" });
    single.client.groups.readNotice(GROUP);
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 15_000);
    await single.goOnline("epoch 2");
    expect([groupsOf(single).members, readNoticesOf(single)]).toEqual([{}, {}]);
    await advanceTime(single, 200);
    const database = await single.ports.storage.open("parley-chats:https://im.example:1");
    expect(await database.value("readNotices")).toEqual({});
    await answerLoginRequests(single, [friendVO()], [groupVO({ name: "Other" })]);
    expect(groupOf(single)?.name).toBe("Other");
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
  });
});
