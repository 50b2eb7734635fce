import { describe, expect, test } from "vitest";
import { GROUP, GROUP_CHAT, groupRequestVO, groupRow, groupVO, ME, memberVO } from "../testing/builders.ts";
import { createSolo } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";
import {
  asksFor,
  group,
  groups,
  inGroup,
  out,
  pass,
  request,
  shown,
  tip,
  withMembers,
} from "../testing/solo-groups.ts";

describe("pushes", () => {
  test("G3 90 brings a group and news of it", async () => {
    const solo = await inGroup();
    expect(groups(solo).order).toEqual([GROUP]);
    await solo.push(shown({ name: "Renamed", isAllMuted: true }));
    expect(group(solo)).toMatchObject({ showGroupName: "Renamed", isAllMuted: true });
  });

  test.each([
    ["removed", { quit: true }],
    ["dissolved", { dissolve: true }],
  ])("G3 after 91 nothing can be written, and the server tells that it is %s", async (_what, part) => {
    const solo = await inGroup();
    await solo.push(out);
    expect(groups(solo).order).toEqual([]);
    await solo.reply(`/group/find/${GROUP}`, groupVO(part));
    expect(group(solo)).toMatchObject({ quit: false, dissolve: false, ...part });
  });

  test("G3 who is let in again meanwhile is in", async () => {
    const solo = await inGroup();
    await solo.push(out, shown());
    await solo.reply(`/group/find/${GROUP}`, groupVO({ quit: true }));
    expect(group(solo)?.quit).toBe(false);
  });

  test("G3 what could not be asked is asked for with the lists", async () => {
    const solo = await inGroup();
    await solo.push(out);
    await solo.reply(`/group/find/${GROUP}`, null, 500);
    await pass(solo, 30_000);
    await solo.reply("/group/list", [groupVO({ dissolve: true })]);
    expect(group(solo)).toMatchObject({ quit: false, dissolve: true });
  });

  test("G4 a request comes, and is handled elsewhere or withdrawn", async () => {
    const solo = await inGroup({ role: 2 });
    await solo.push(request(75), request(75, { id: 2 }), request(75, { id: 3 }));
    expect(groups(solo).requests).toHaveLength(3);
    await solo.push(
      request(76, { status: 2 }),
      request(77, { id: 2, status: 3 }),
      request(77, { id: 3, status: 4 }),
    );
    expect(groups(solo).requests).toEqual([]);
  });

  test("G6 what cannot be read is left alone", async () => {
    const solo = await inGroup();
    const before = groups(solo);
    await solo.push(
      { cmd: 4, data: { type: 90, groupId: GROUP, content: "no group" } },
      { cmd: 4, data: { type: 91, content: "" } },
      { cmd: 3, data: { type: 75, sendId: 11, groupId: GROUP, content: "{}" } },
    );
    expect(groups(solo)).toBe(before);
  });

  test("G10 several pushes about one group within 2 s are checked once, a single one is not", async () => {
    const solo = await inGroup();
    expect(asksFor(solo, "/group/find")).toBe(0);
    await solo.push(shown({ name: "B" }), shown({ name: "A" }));
    await pass(solo, 1_000);
    await solo.push(shown({ name: "A" }));
    await pass(solo, 2_000);
    expect(asksFor(solo, "/group/find")).toBe(1);
    await solo.reply("/group/find", groupVO({ name: "B" }));
    expect(group(solo)?.name).toBe("B");
  });

  test("G10 a push may be older than what I have set, so it is checked", async () => {
    const solo = await inGroup();
    void solo.client.chats.setTop(GROUP_CHAT, true);
    await solo.reply("/group/top", null);
    await solo.push(shown({ isTop: false }));
    await pass(solo, 2_000);
    await solo.reply("/group/find", groupVO({ isTop: true }));
    expect(group(solo)?.isTop).toBe(true);
  });

  test("G10 one that takes me in may have been under way when I left, so it is checked", async () => {
    const solo = await inGroup({ quit: true });
    await solo.push(shown({}));
    expect(groups(solo).order).toEqual([GROUP]);
    await pass(solo, 2_000);
    await solo.reply("/group/find", groupVO({ quit: true }));
    expect(groups(solo).order).toEqual([]);
  });

  test("G11 a chat is pinned and silent as its group", async () => {
    const solo = await inGroup({ isTop: true, msgRemind: 2 });
    await solo.push({ cmd: 4, data: groupRow({ id: 1 }) });
    const settings = () => solo.client.getState().chats.byKey[GROUP_CHAT];
    expect(settings()).toMatchObject({ isTop: true, msgRemind: 2 });
    expect(solo.ports.sounds).toEqual([]);
    await solo.push(shown({ msgRemind: 1 }));
    expect(settings()).toMatchObject({ isTop: false, msgRemind: 1 });
  });

  test.each([
    ["begins", 1, 2],
    ["ends", 3, 1],
  ])("G28 who %s to lead asks for the requests again", async (_what, before, after) => {
    const solo = await inGroup({ role: before });
    await solo.push(shown({ role: after }));
    expect(asksFor(solo, "/group/request/list")).toBe(1);
    await solo.reply("/group/request/list", [groupRequestVO()]);
    await solo.push(shown({ role: after, name: "Other" }));
    expect(asksFor(solo, "/group/request/list")).toBe(0);
    expect(groups(solo).requests).toHaveLength(1);
  });
});

describe("lists", () => {
  test("G8 what a push told meanwhile stays, and requests are asked for again", async () => {
    const solo = await inGroup();
    void solo.client.groups.reload();
    await solo.push(shown({ name: "Pushed" }), shown({ id: 6, name: "New" }));
    await solo.reply("/group/list", [groupVO({ name: "Old" }), groupVO({ id: 7, name: "Listed" })]);
    expect(groups(solo).order.map((id) => group(solo, id)?.name)).toEqual(["Listed", "New", "Pushed"]);
    await solo.push(request(75));
    await solo.reply("/group/request/list", []);
    expect(groups(solo).requests).toHaveLength(1);
    await solo.reply("/group/request/list", []);
    expect(groups(solo).requests).toEqual([]);
  });

  test("G8 what I do meanwhile stays, and the rest of that group is asked for", async () => {
    const solo = await inGroup();
    void solo.client.groups.reload();
    void solo.client.chats.setTop(GROUP_CHAT, true);
    await solo.reply("/group/list", [groupVO({ name: "Renamed" })]);
    expect(group(solo)).toMatchObject({ name: "Group", isTop: true });
    await solo.reply("/group/top", null);
    // What was asked for before the answer came may not know of it either.
    await solo.reply("/group/find/5", groupVO({ name: "Renamed", isTop: false }));
    expect(group(solo)).toMatchObject({ name: "Group", isTop: true });
    await solo.reply("/group/find/5", groupVO({ name: "Renamed", isTop: true }));
    expect(group(solo)).toMatchObject({ name: "Renamed", isTop: true });
  });

  test("G8 of two answers the one that was asked for last counts", async () => {
    const solo = await inGroup();
    void solo.client.groups.reload();
    void solo.client.groups.reload();
    const [first, second] = solo.ports.http.waiting.filter((e) => e.request.url.endsWith("/group/list"));
    const answer = (name: string) => ({
      kind: "answer" as const,
      status: 200,
      text: JSON.stringify({ code: 200, message: "", data: [groupVO({ name })] }),
      retryAfterSeconds: null,
    });
    solo.ports.http.finish(second!, answer("newer"));
    await settle();
    solo.ports.http.finish(first!, answer("older"));
    await settle();
    expect(group(solo)?.name).toBe("newer");
  });

  test("G25 groups and read notices are there before the server answers", async () => {
    const solo = await inGroup({ notice: "Hi" });
    solo.client.groups.readNotice(GROUP);
    await pass(solo, 200);
    const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
    await again.client.session.resume();
    await settle();
    expect(groups(again)).toMatchObject({ order: [GROUP], isLoaded: true, readNotices: { [GROUP]: "Hi" } });
    expect(group(again)).toEqual(groupVO({ notice: "Hi" }));
  });
});

describe("members", () => {
  test("G14 are asked for when needed; who has left stays known", async () => {
    const solo = await inGroup();
    expect(asksFor(solo, "/group/members")).toBe(0);
    const loading = solo.client.groups.loadMembers(GROUP);
    expect(groups(solo).members[GROUP]?.state).toBe("loading");
    await solo.reply("/group/members/5", [memberVO({ userId: ME }), memberVO({ userId: 11, quit: true })]);
    expect(await loading).toEqual({ ok: true, value: null });
    expect(groups(solo).members[GROUP]).toMatchObject({ order: [ME], state: "loaded" });
    expect(groups(solo).members[GROUP]?.byId[11]?.quit).toBe(true);
  });

  test("G14 a list that cannot be had is marked, without a toast", async () => {
    const solo = await inGroup();
    const loading = solo.client.groups.loadMembers(GROUP);
    await solo.reply("/group/members/5", null, 500);
    expect((await loading).ok).toBe(false);
    expect(groups(solo).members[GROUP]?.state).toBe("failed");
    expect(solo.notices).toEqual([]);
  });

  test("G14 a burst of pushes and tips leads to one call, and nothing where no list is shown", async () => {
    const solo = await withMembers();
    await solo.push(shown({ membersCount: 4 }), shown({ membersCount: 5 }), tip(1), tip(2), shown({ id: 6 }));
    expect(asksFor(solo, "/group/members")).toBe(0);
    await pass(solo, 1_000);
    expect(solo.waiting().filter((url) => url.includes("/group/members"))).toEqual(["/group/members/5"]);
    // Something changes while the answer is on its way: it is asked for once more.
    await solo.push(tip(3));
    await solo.reply("/group/members/5", [memberVO({ userId: ME })]);
    await pass(solo, 1_000);
    expect(asksFor(solo, "/group/members")).toBe(1);
    await solo.reply("/group/members/5", [memberVO({ userId: ME }), memberVO({ userId: 13 })]);
    await pass(solo, 5_000);
    expect(asksFor(solo, "/group/members")).toBe(0);
    expect(groups(solo).members[GROUP]?.order).toEqual([ME, 13]);
  });

  test("G14 a new name of the group concerns nobody's list; who is muted is told by a tip alone", async () => {
    const solo = await withMembers();
    await solo.push(shown({ name: "Renamed", isAllMuted: true, isTop: true }));
    await pass(solo, 2_000);
    expect(asksFor(solo, "/group/members")).toBe(0);
    // Nothing to see in it: somebody else's role, or nickname.
    await solo.push(shown({ name: "Renamed", isAllMuted: true, isTop: true }));
    await pass(solo, 1_000);
    expect(asksFor(solo, "/group/members")).toBe(1);
  });

  test("G14 what I have done myself hides no news of members", async () => {
    const solo = await withMembers();
    void solo.client.chats.setTop(GROUP_CHAT, true);
    // Of a time before that, and about somebody's nickname.
    await solo.push(shown({ isTop: false }));
    await pass(solo, 1_000);
    expect(asksFor(solo, "/group/members")).toBe(1);
  });

  test("G14 whoever is out asks once more who is in", async () => {
    const solo = await withMembers();
    await solo.push(out);
    await pass(solo, 1_000);
    await solo.reply("/group/members/5", [memberVO({ userId: ME, quit: true }), memberVO({ userId: 11 })]);
    expect(groups(solo).members[GROUP]?.order).toEqual([11]);
  });

  test("G14 of a large group more is gathered", async () => {
    const solo = await inGroup();
    void solo.client.groups.loadMembers(GROUP);
    const many = Array.from({ length: 500 }, (_, i) => memberVO({ userId: i + 1 }));
    await solo.reply("/group/members/5", many);
    await solo.push(tip(1));
    await pass(solo, 4_900);
    expect(asksFor(solo, "/group/members")).toBe(0);
    await pass(solo, 100);
    expect(asksFor(solo, "/group/members")).toBe(1);
  });

  test("G15 a list that nobody looks at waits until somebody does", async () => {
    const solo = await withMembers();
    await solo.push(shown({ id: 6 }));
    void solo.client.groups.loadMembers(6);
    await solo.reply("/group/members/6", []);
    await solo.push(tip(1));
    await pass(solo, 5_000);
    expect(asksFor(solo, "/group/members")).toBe(0);
    solo.client.chats.open(GROUP_CHAT);
    expect(asksFor(solo, "/group/members/5")).toBe(1);
  });

  test("G15 after a reconnect only the list that is looked at is asked for", async () => {
    const solo = await withMembers();
    await solo.push(shown({ id: 6 }));
    void solo.client.groups.loadMembers(6);
    await solo.reply("/group/members/6", []);
    solo.ports.sockets.last().close(1006);
    await pass(solo, 15_000);
    await solo.goOnline();
    expect(solo.waiting().filter((url) => url.includes("/group/members"))).toEqual(["/group/members/6"]);
    await solo.reply("/group/members/6", [memberVO({ userId: 14 })]);
    solo.client.chats.open(GROUP_CHAT);
    expect(asksFor(solo, "/group/members/5")).toBe(1);
  });

  test("G16 who is online among them is asked with the friends", async () => {
    const solo = await withMembers();
    await pass(solo, 30_000);
    const asked = decodeURIComponent(solo.waiting().find((url) => url.includes("/terminal/online")) ?? "");
    expect(asked).toMatch(/userIds=2,1,11,12$|userIds=2&userIds=1&userIds=11&userIds=12$/);
    await solo.reply("/terminal/online", [{ userId: 12, terminals: [1] }]);
    expect(groups(solo).members[GROUP]?.order[0]).toBe(12);
  });

  test("G16 a list of more than 1,000 is left to its own answer", async () => {
    const solo = await inGroup();
    void solo.client.groups.loadMembers(GROUP);
    const many = Array.from({ length: 1_001 }, (_, i) => memberVO({ userId: i + 1 }));
    await solo.reply("/group/members/5", many);
    await pass(solo, 30_000);
    expect(asksFor(solo, "/terminal/online?userIds=2")).toBe(1);
    expect(solo.waiting().find((url) => url.includes("/terminal/online"))).toMatch(/userIds=2$/);
  });

  test("G17 the last 20 lists are kept, and the open chat's", async () => {
    const solo = await withMembers();
    solo.client.chats.open(GROUP_CHAT);
    for (let id = 100; id < 121; id++) {
      void solo.client.groups.loadMembers(id);
      await solo.reply(`/group/members/${id}`, []);
    }
    const kept = Object.keys(groups(solo).members).map(Number);
    expect(kept).toContain(GROUP);
    expect(kept).not.toContain(100);
    expect(kept).toContain(101);
    expect(kept).toHaveLength(21);
  });
});
