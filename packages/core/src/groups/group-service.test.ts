import { describe, expect, test } from "vitest";
import { GROUP, GROUP_CHAT, groupRequestVO, groupRow, groupVO, ME, memberVO } from "../testing/builders.ts";
import { advanceTime, createSingleClient } from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  pendingRequestCount,
  groupOf,
  groupsOf,
  createClientInGroup,
  groupLeftPush,
  groupRequestPush,
  groupPush,
  mutedTipPush,
  createClientWithMembers,
} from "../testing/single-client-groups.ts";

describe("pushes", () => {
  test("G3 push 90 adds and updates a group", async () => {
    const single = await createClientInGroup();
    expect(groupsOf(single).order).toEqual([GROUP]);
    await single.push(groupPush({ name: "Renamed", isAllMuted: true }));
    expect(groupOf(single)).toMatchObject({ showGroupName: "Renamed", isAllMuted: true });
  });

  test.each([
    ["removed", { quit: true }],
    ["dissolved", { dissolve: true }],
  ])(
    "G3 after push 91 nothing can be written, and the server is asked whether the group is %s",
    async (_what, part) => {
      const single = await createClientInGroup();
      await single.push(groupLeftPush);
      expect(groupsOf(single).order).toEqual([]);
      await single.respond(`/group/find/${GROUP}`, groupVO(part));
      expect(groupOf(single)).toMatchObject({ quit: false, dissolve: false, ...part });
    },
  );

  test("G3 a member who was added again before the answer stays a member", async () => {
    const single = await createClientInGroup();
    await single.push(groupLeftPush, groupPush());
    await single.respond(`/group/find/${GROUP}`, groupVO({ quit: true }));
    expect(groupOf(single)?.quit).toBe(false);
  });

  test("G3 a group that could not be loaded after push 91 is loaded with the lists", async () => {
    const single = await createClientInGroup();
    await single.push(groupLeftPush);
    await single.respond(`/group/find/${GROUP}`, null, 500);
    await advanceTime(single, 30_000);
    await single.respond("/group/list", [groupVO({ dissolve: true })]);
    expect(groupOf(single)).toMatchObject({ quit: false, dissolve: true });
  });

  test("G4 a pushed request is shown until it is handled on another device or withdrawn", async () => {
    const single = await createClientInGroup({ role: 2 });
    await single.push(groupRequestPush(75), groupRequestPush(75, { id: 2 }), groupRequestPush(75, { id: 3 }));
    expect(groupsOf(single).requests).toHaveLength(3);
    await single.push(
      groupRequestPush(76, { status: 2 }),
      groupRequestPush(77, { id: 2, status: 3 }),
      groupRequestPush(77, { id: 3, status: 4 }),
    );
    expect(groupsOf(single).requests).toEqual([]);
  });

  test("G6 a malformed push changes nothing", async () => {
    const single = await createClientInGroup();
    const before = groupsOf(single);
    await single.push(
      { cmd: 4, data: { type: 90, groupId: GROUP, content: "no group" } },
      { cmd: 4, data: { type: 91, content: "" } },
      { cmd: 3, data: { type: 75, sendId: 11, groupId: GROUP, content: "{}" } },
    );
    expect(groupsOf(single)).toBe(before);
  });

  test("G10 after several pushes about one group within 2 s the group is loaded once, after a single push it is not", async () => {
    const single = await createClientInGroup();
    expect(pendingRequestCount(single, "/group/find")).toBe(0);
    await single.push(groupPush({ name: "B" }), groupPush({ name: "A" }));
    await advanceTime(single, 1_000);
    await single.push(groupPush({ name: "A" }));
    await advanceTime(single, 2_000);
    expect(pendingRequestCount(single, "/group/find")).toBe(1);
    await single.respond("/group/find", groupVO({ name: "B" }));
    expect(groupOf(single)?.name).toBe("B");
  });

  test("G10 a push after an own change may be older than it, so the group is loaded again", async () => {
    const single = await createClientInGroup();
    void single.client.chats.setTop(GROUP_CHAT, true);
    await single.respond("/group/top", null);
    await single.push(groupPush({ isTop: false }));
    await advanceTime(single, 2_000);
    await single.respond("/group/find", groupVO({ isTop: true }));
    expect(groupOf(single)?.isTop).toBe(true);
  });

  test("G10 a push that makes the user a member may be older than the leaving, so the group is loaded again", async () => {
    const single = await createClientInGroup({ quit: true });
    await single.push(groupPush({}));
    expect(groupsOf(single).order).toEqual([GROUP]);
    await advanceTime(single, 2_000);
    await single.respond("/group/find", groupVO({ quit: true }));
    expect(groupsOf(single).order).toEqual([]);
  });

  test("G11 a chat is pinned and muted like its group", async () => {
    const single = await createClientInGroup({ isTop: true, msgRemind: 2 });
    await single.push({ cmd: 4, data: groupRow({ id: 1 }) });
    const settings = () => single.client.getState().chats.byKey[GROUP_CHAT];
    expect(settings()).toMatchObject({ isTop: true, msgRemind: 2 });
    expect(single.ports.sounds).toEqual([]);
    await single.push(groupPush({ msgRemind: 1 }));
    expect(settings()).toMatchObject({ isTop: false, msgRemind: 1 });
  });

  test.each([
    ["becomes", 1, 2],
    ["is no longer", 3, 1],
  ])("G28 a user who %s owner or admin loads the requests again", async (_what, before, after) => {
    const single = await createClientInGroup({ role: before });
    await single.push(groupPush({ role: after }));
    expect(pendingRequestCount(single, "/group/request/list")).toBe(1);
    await single.respond("/group/request/list", [groupRequestVO()]);
    await single.push(groupPush({ role: after, name: "Other" }));
    expect(pendingRequestCount(single, "/group/request/list")).toBe(0);
    expect(groupsOf(single).requests).toHaveLength(1);
  });
});

describe("lists", () => {
  test("G8 groups pushed while a list is loaded stay, and requests are loaded again", async () => {
    const single = await createClientInGroup();
    void single.client.groups.reload();
    await single.push(groupPush({ name: "Pushed" }), groupPush({ id: 6, name: "New" }));
    await single.respond("/group/list", [groupVO({ name: "Old" }), groupVO({ id: 7, name: "Listed" })]);
    expect(groupsOf(single).order.map((id) => groupOf(single, id)?.name)).toEqual([
      "Listed",
      "New",
      "Pushed",
    ]);
    await single.push(groupRequestPush(75));
    await single.respond("/group/request/list", []);
    expect(groupsOf(single).requests).toHaveLength(1);
    await single.respond("/group/request/list", []);
    expect(groupsOf(single).requests).toEqual([]);
  });

  test("G8 an own change made while a list is loaded stays, and that group is loaded again", async () => {
    const single = await createClientInGroup();
    void single.client.groups.reload();
    void single.client.chats.setTop(GROUP_CHAT, true);
    await single.respond("/group/list", [groupVO({ name: "Renamed" })]);
    expect(groupOf(single)).toMatchObject({ name: "Group", isTop: true });
    await single.respond("/group/top", null);
    // An answer that was requested before the change was answered may lack it, too.
    await single.respond("/group/find/5", groupVO({ name: "Renamed", isTop: false }));
    expect(groupOf(single)).toMatchObject({ name: "Group", isTop: true });
    await single.respond("/group/find/5", groupVO({ name: "Renamed", isTop: true }));
    expect(groupOf(single)).toMatchObject({ name: "Renamed", isTop: true });
  });

  test("G8 the answer to the later of two requests wins", async () => {
    const single = await createClientInGroup();
    void single.client.groups.reload();
    void single.client.groups.reload();
    const [first, second] = single.ports.http.waiting.filter((e) => e.request.url.endsWith("/group/list"));
    const answer = (name: string) => ({
      kind: "answer" as const,
      status: 200,
      text: JSON.stringify({ code: 200, message: "", data: [groupVO({ name })] }),
      retryAfterSeconds: null,
    });
    single.ports.http.finish(second!, answer("newer"));
    await flushMicrotasks();
    single.ports.http.finish(first!, answer("older"));
    await flushMicrotasks();
    expect(groupOf(single)?.name).toBe("newer");
  });

  test("G25 after a reload groups and read notices are there before the server answers", async () => {
    const single = await createClientInGroup({ notice: "Hi" });
    single.client.groups.readNotice(GROUP);
    await advanceTime(single, 200);
    const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    await flushMicrotasks();
    expect(groupsOf(again)).toMatchObject({ order: [GROUP], isLoaded: true });
    expect(again.client.getState().readNotices).toEqual({ [GROUP]: "Hi" });
    expect(groupOf(again)).toEqual(groupVO({ notice: "Hi" }));
  });
});

describe("members", () => {
  test("G14 members are loaded when needed, and members who have left stay known", async () => {
    const single = await createClientInGroup();
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    const loading = single.client.groups.loadMembers(GROUP);
    expect(groupsOf(single).members[GROUP]?.state).toBe("loading");
    await single.respond("/group/members/5", [
      memberVO({ userId: ME }),
      memberVO({ userId: 11, quit: true }),
    ]);
    expect(await loading).toEqual({ ok: true, value: null });
    expect(groupsOf(single).members[GROUP]).toMatchObject({ order: [ME], state: "loaded" });
    expect(groupsOf(single).members[GROUP]?.byId[11]?.quit).toBe(true);
  });

  test("G14 a list that cannot be loaded is marked as failed, without a toast", async () => {
    const single = await createClientInGroup();
    const loading = single.client.groups.loadMembers(GROUP);
    await single.respond("/group/members/5", null, 500);
    expect((await loading).ok).toBe(false);
    expect(groupsOf(single).members[GROUP]?.state).toBe("failed");
    expect(single.notices).toEqual([]);
  });

  test("G14 a burst of pushes and tips causes one call, and none for a list that is not shown", async () => {
    const single = await createClientWithMembers();
    await single.push(
      groupPush({ membersCount: 4 }),
      groupPush({ membersCount: 5 }),
      mutedTipPush(1),
      mutedTipPush(2),
      groupPush({ id: 6 }),
    );
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    await advanceTime(single, 1_000);
    expect(single.waiting().filter((url) => url.includes("/group/members"))).toEqual(["/group/members/5"]);
    // Something changes while the list is loading, so it is loaded once more.
    await single.push(mutedTipPush(3));
    await single.respond("/group/members/5", [memberVO({ userId: ME })]);
    await advanceTime(single, 1_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(1);
    await single.respond("/group/members/5", [memberVO({ userId: ME }), memberVO({ userId: 13 })]);
    await advanceTime(single, 5_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    expect(groupsOf(single).members[GROUP]?.order).toEqual([ME, 13]);
  });

  test("G14 a push that changes only group data does not reload members, one that changes nothing does", async () => {
    const single = await createClientWithMembers();
    await single.push(groupPush({ name: "Renamed", isAllMuted: true, isTop: true }));
    await advanceTime(single, 2_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    // A push without a visible change may mean another member's role or nickname.
    await single.push(groupPush({ name: "Renamed", isAllMuted: true, isTop: true }));
    await advanceTime(single, 1_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(1);
  });

  test("G14 an own action before a push does not prevent the reload of members", async () => {
    const single = await createClientWithMembers();
    void single.client.chats.setTop(GROUP_CHAT, true);
    // The push is older than the action and was sent because of a member's nickname.
    await single.push(groupPush({ isTop: false }));
    await advanceTime(single, 1_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(1);
  });

  test("G14 a removed member loads the list once more", async () => {
    const single = await createClientWithMembers();
    await single.push(groupLeftPush);
    await advanceTime(single, 1_000);
    await single.respond("/group/members/5", [
      memberVO({ userId: ME, quit: true }),
      memberVO({ userId: 11 }),
    ]);
    expect(groupsOf(single).members[GROUP]?.order).toEqual([11]);
  });

  test("G14 the list of a large group is loaded after a longer delay", async () => {
    const single = await createClientInGroup();
    void single.client.groups.loadMembers(GROUP);
    const many = Array.from({ length: 500 }, (_, i) => memberVO({ userId: i + 1 }));
    await single.respond("/group/members/5", many);
    await single.push(mutedTipPush(1));
    await advanceTime(single, 4_900);
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    await advanceTime(single, 100);
    expect(pendingRequestCount(single, "/group/members")).toBe(1);
  });

  test("G15 a stale list that is not shown is loaded when it is shown", async () => {
    const single = await createClientWithMembers();
    await single.push(groupPush({ id: 6 }));
    void single.client.groups.loadMembers(6);
    await single.respond("/group/members/6", []);
    await single.push(mutedTipPush(1));
    await advanceTime(single, 5_000);
    expect(pendingRequestCount(single, "/group/members")).toBe(0);
    single.client.chats.open(GROUP_CHAT);
    expect(pendingRequestCount(single, "/group/members/5")).toBe(1);
  });

  test("G15 after a reconnect only the shown list is loaded", async () => {
    const single = await createClientWithMembers();
    await single.push(groupPush({ id: 6 }));
    void single.client.groups.loadMembers(6);
    await single.respond("/group/members/6", []);
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 15_000);
    await single.goOnline();
    expect(single.waiting().filter((url) => url.includes("/group/members"))).toEqual(["/group/members/6"]);
    await single.respond("/group/members/6", [memberVO({ userId: 14 })]);
    single.client.chats.open(GROUP_CHAT);
    expect(pendingRequestCount(single, "/group/members/5")).toBe(1);
  });

  test("G16 the presence of members is requested together with that of friends", async () => {
    const single = await createClientWithMembers();
    await advanceTime(single, 30_000);
    const presenceUrl = decodeURIComponent(
      single.waiting().find((url) => url.includes("/terminal/online")) ?? "",
    );
    expect(presenceUrl).toMatch(/userIds=2,1,11,12$|userIds=2&userIds=1&userIds=11&userIds=12$/);
    await single.respond("/terminal/online", [{ userId: 12, terminals: [1] }]);
    expect(groupsOf(single).members[GROUP]?.order[0]).toBe(12);
  });

  test("G16 the presence of more than 1,000 members is not requested", async () => {
    const single = await createClientInGroup();
    void single.client.groups.loadMembers(GROUP);
    const many = Array.from({ length: 1_001 }, (_, i) => memberVO({ userId: i + 1 }));
    await single.respond("/group/members/5", many);
    await advanceTime(single, 30_000);
    expect(pendingRequestCount(single, "/terminal/online?userIds=2")).toBe(1);
    expect(single.waiting().find((url) => url.includes("/terminal/online"))).toMatch(/userIds=2$/);
  });

  test("G17 the 20 lists used last and the list of the open chat stay in memory", async () => {
    const single = await createClientWithMembers();
    single.client.chats.open(GROUP_CHAT);
    for (let id = 100; id < 121; id++) {
      void single.client.groups.loadMembers(id);
      await single.respond(`/group/members/${id}`, []);
    }
    const listIds = Object.keys(groupsOf(single).members).map(Number);
    expect(listIds).toContain(GROUP);
    expect(listIds).not.toContain(100);
    expect(listIds).toContain(101);
    expect(listIds).toHaveLength(21);
  });
});
