import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { befriend } from "../../testing/test-person.ts";
import {
  type Client,
  accept,
  ann,
  bob,
  bobTab,
  client,
  cy,
  expectOver,
  expectNothingNew,
  groupId,
  host,
  news,
  pass,
  query,
  server,
  waitForBackground,
  setup,
  tips,
  view,
  useGroupCallClients,
} from "../../testing/group-call-clients.ts";

const {
  RTC_GROUP_SETUP: SETUP,
  RTC_GROUP_ACCEPT: ACCEPT,
  RTC_GROUP_REJECT: REJECT,
  RTC_GROUP_FAILED: FAILED,
  RTC_GROUP_CANCEL: CANCEL,
  RTC_GROUP_QUIT: QUIT,
  RTC_GROUP_DEVICE: DEVICE,
} = MessageType;

useGroupCallClients();

/** The network of people in a call is lost, and the server has noticed it. */
async function loseSockets(...clients: Client[]): Promise<void> {
  for (const { person, socket } of clients) {
    socket.ws.terminate();
    await socket.closed;
    await expect
      .poll(async () => (await server.app.store.findCallMember(person.id))?.detachedAt)
      .not.toBeNull();
  }
}

describe("GS4 GS5 GS10 GS11 group.reject, group.failed, group.quit, group.cancel", () => {
  test("no session: answer and push nothing", async () => {
    for (const name of ["rejectGroupCall", "quitGroupCall", "cancelGroupCall"] as const)
      await ann.person.ok(name, query());
    await ann.person.ok("failGroupCall", { body: { groupId } });
    await expectNothingNew(host, ann);
  });

  test.each(["rejectGroupCall", "quitGroupCall"] as const)(
    "INVITED: %s takes one out, the last one ends the call",
    async (name) => {
      await setup(ann, bob);
      for (const each of [host, ann, bob, bobTab]) await news(each);
      await bob.person.ok(name, query());
      const rejected = [[REJECT, bob.person.id, ""]];
      for (const each of [host, ann, bobTab]) expect(await news(each)).toEqual(rejected);
      await ann.person.ok(name, query());
      expect(await news(host)).toEqual([
        [REJECT, ann.person.id, ""],
        [CANCEL, ann.person.id, ""],
      ]);
      await waitForBackground();
      await expectOver();
    },
  );

  test("INVITED: a client that cannot take the call leaves it to the others; the last one is out", async () => {
    await setup(ann, bob);
    for (const each of [host, ann, bob, bobTab]) await news(each);
    const fail = (by: Client) =>
      by.person.ok("failGroupCall", { body: { groupId, reason: "no microphone" } });
    await fail(bob);
    await expectNothingNew(host, ann, bobTab);
    await fail(bobTab);
    const failed = [[FAILED, bob.person.id, { userIds: [bob.person.id], reason: "no microphone" }]];
    for (const each of [host, ann, bob]) expect(await news(each)).toEqual(failed);
    expect(await server.app.store.findCallMember(bob.person.id)).toBeUndefined();
  });

  test("GS1 GS19 IN: quit tells the others, also that of the host, and the call ends with the last but one", async () => {
    await setup(ann, bob);
    await accept(ann);
    await accept(bob);
    for (const each of [host, ann, bob]) await news(each);
    await bobTab.person.ok("quitGroupCall", query());
    await expectNothingNew(host);
    await host.person.ok("quitGroupCall", query());
    for (const each of [ann, bob]) expect(await news(each)).toEqual([[QUIT, host.person.id, ""]]);
    expect(await ann.person.errorKeyOf("cancelGroupCall", query())).toBe("call.notHost");
    await bob.person.ok("quitGroupCall", query());
    expect(await news(ann)).toEqual([
      [QUIT, bob.person.id, ""],
      [CANCEL, bob.person.id, ""],
    ]);
    await waitForBackground();
    await expectOver();
  });

  test("a client that still rings though another one has answered learns both by its heartbeat", async () => {
    await setup(bob);
    await accept(bob);
    for (const each of [bob, bobTab]) await news(each);
    await bobTab.person.ok("beatGroupCall", query());
    expect(await news(bobTab)).toEqual([
      [ACCEPT, bob.person.id, ""],
      [CANCEL, bob.person.id, ""],
    ]);
    await bob.person.ok("beatGroupCall", query());
    expect(await news(bob)).toEqual([]);
    await bob.person.ok("quitGroupCall", query());
  });

  test("cancel: the host ends it for all, nobody else may", async () => {
    await setup(ann, bob);
    await accept(ann);
    for (const each of [ann, bob]) await news(each);
    expect(await ann.person.errorKeyOf("cancelGroupCall", query())).toBe("call.notHost");
    await host.person.ok("cancelGroupCall", query());
    for (const each of [ann, bob, bobTab])
      expect((await news(each)).at(-1)).toEqual([CANCEL, host.person.id, ""]);
    await waitForBackground();
    await expectOver();
    expect((await cy.person.ok("listGroups"))[0]?.rtcInfo).toBeNull();
  });
});

test("GS11 cancel: a late request of a host who has quit, or of another client of the host, ends nothing for those who talk", async () => {
  const hostTab = host.person.tab("host-tab");
  await setup(ann, bob);
  await hostTab.ok("cancelGroupCall", query());
  await accept(ann);
  await accept(bob);
  await hostTab.ok("cancelGroupCall", query());
  await host.person.ok("quitGroupCall", query());
  for (const each of [ann, bob]) await news(each);
  await host.person.ok("cancelGroupCall", query());
  await expectNothingNew(ann, bob);
  expect((await cy.person.ok("findGroupCall", query())).isChating).toBe(true);
});

describe("GS12 GS13 GS14 group.invite deadline, group.gone, group.heartbeat", () => {
  test("people who have not answered in 30 s are out, all in one signal; if nobody comes, it is over", async () => {
    await setup(ann, bob);
    await accept(ann);
    for (const each of [host, ann, bob]) await news(each);
    await pass(30_000);
    const failed = [[FAILED, host.person.id, { userIds: [bob.person.id], reason: "未进入通话" }]];
    for (const each of [host, ann, bob, bobTab]) expect((await news(each)).slice(-1)).toEqual(failed);
    await ann.person.ok("quitGroupCall", query());
    await setup(ann, bob);
    await news(host);
    await pass(30_000);
    const userIds = [ann.person.id, bob.person.id];
    expect(await news(host)).toEqual([
      [FAILED, host.person.id, { userIds, reason: "未进入通话" }],
      [CANCEL, host.person.id, ""],
    ]);
  });

  test("a client that closes its socket for good has quit; a host who is alone has cancelled", async () => {
    await setup(ann, bob);
    await accept(ann);
    for (const each of [host, bob]) await news(each);
    ann.socket.close();
    await ann.socket.closed;
    await expect.poll(() => news(host)).toEqual([[QUIT, ann.person.id, ""]]);
    await news(bob);
    host.socket.close();
    await host.socket.closed;
    await expect.poll(() => news(bob)).toEqual([[CANCEL, host.person.id, ""]]);
    expect(await server.app.store.findCall(`g${groupId}`)).toBeUndefined();
  });

  test("without a heartbeat a client is out after 45 s, and learns by the next one that the call has ended", async () => {
    await setup(ann);
    await accept(ann);
    await pass(30_000);
    await host.person.ok("beatGroupCall", query());
    for (const each of [host, ann]) await news(each);
    await pass(15_000);
    expect((await news(host)).map((signal) => (signal as unknown[])[0])).toEqual([QUIT, CANCEL]);
    await ann.person.ok("beatGroupCall", query());
    expect(await news(ann)).toEqual([[CANCEL, ann.person.id, ""]]);
    await expectOver();
  });

  test("a host whose client is silent before anybody came has cancelled after 25 s", async () => {
    await setup(ann);
    await news(ann);
    await loseSockets(host);
    await pass(24_000);
    await expectNothingNew(ann);
    await pass(1_000);
    expect(await news(ann)).toEqual([[CANCEL, host.person.id, ""]]);
    await expectOver();
  });

  test("the sockets of all are lost: a client that is back in 25 s is in the call and gets the signals of that time", async () => {
    await setup(ann, bob);
    await accept(ann);
    await accept(bob);
    for (const each of [host, ann, bob]) await news(each);
    await loseSockets(host, ann, bob);
    const body = { groupId, isCamera: true, isMicroPhone: true };
    await ann.person.ok("setGroupCallDevice", { body });
    await pass(24_000);
    const back = [await client(host.person, "host"), await client(bob.person, "bob")] as const;
    const isShareScreen = false;
    const device = [DEVICE, ann.person.id, { isCamera: true, isMicroPhone: true, isShareScreen }];
    for (const each of back) await expect.poll(() => news(each)).toEqual([device]);
    await pass(1_000);
    // Ann has not come back.
    for (const each of back) expect(await news(each)).toEqual([[QUIT, ann.person.id, ""]]);
    expect((await cy.person.ok("findGroupCall", query())).userInfos).toHaveLength(2);
  });

  test("the sockets of all are lost and nobody comes back: the call is over once, and everybody is free", async () => {
    await setup(ann, bob);
    await accept(ann);
    await accept(bob);
    await loseSockets(host, ann, bob);
    await pass(25_000);
    await expectOver();
  });

  test("a person who is logged out while the socket is lost has quit at once", async () => {
    await setup(ann, bob);
    await accept(ann);
    await news(host);
    await loseSockets(ann);
    await ann.person.ok("logout");
    await expect.poll(() => news(host)).toEqual([[QUIT, ann.person.id, ""]]);
  });

  test("GS15 a client that connects later rings, and one in the call gets what has waited", async () => {
    await setup(ann, bob);
    await accept(ann);
    const late = await client(bob.person, "late");
    await expect
      .poll(() => news(late))
      .toEqual([[SETUP, host.person.id, [view(host, { isIn: true }), view(ann, { isIn: true }), view(bob)]]]);
    await loseSockets(ann);
    await accept(late);
    const back = await client(ann.person, "ann");
    await expect.poll(() => news(back)).toEqual([[ACCEPT, bob.person.id, ""]]);
  });
});

describe("GS16 GS17 GS18 group.kicked, group.dissolved, group.muted", () => {
  test("a person who is removed from the group is out of its call at once, with the reason", async () => {
    await setup(ann, bob);
    await accept(ann);
    await accept(bob);
    for (const each of [host, ann, bob]) await news(each);
    await host.person.ok("removeGroupMembers", { body: { groupId, userIds: [bob.person.id] } });
    const removed = { userIds: [bob.person.id], reason: "已不在群聊" };
    await expect.poll(() => news(ann)).toEqual([[FAILED, bob.person.id, removed]]);
    expect(await news(bob)).toEqual([
      [FAILED, host.person.id, removed],
      [CANCEL, host.person.id, ""],
    ]);
    await ann.person.ok("quitGroup", { params: { id: groupId } });
    await expect.poll(() => server.app.store.findCall(`g${groupId}`)).toBeUndefined();
    expect(await server.app.store.findCallMember(host.person.id)).toBeUndefined();
  });

  test("a dissolved or banned group has no call, and no tip says that it has ended", async () => {
    await setup(ann, bob);
    await accept(ann);
    for (const each of [ann, bob]) await news(each);
    await sendAdminCommand(server.dataDir, { name: "banGroup", groupId, reason: "spam" });
    for (const each of [ann, bob])
      await expect.poll(() => news(each)).toEqual([[CANCEL, host.person.id, ""]]);
    expect(await tips()).toEqual(["group.callStarted"]);
    await sendAdminCommand(server.dataDir, { name: "unbanGroup", groupId });
    await setup(ann);
    await news(ann);
    await host.person.ok("dissolveGroup", { params: { id: groupId } });
    await expect.poll(() => news(ann)).toEqual([[CANCEL, host.person.id, ""]]);
    expect(await server.app.store.findCallMember(ann.person.id)).toBeUndefined();
  });

  test("a muted member stays in the call, and can accept if called before", async () => {
    await setup(ann, bob);
    await accept(ann);
    const userIds = [ann.person.id, bob.person.id];
    for (const each of [host, bob]) await news(each);
    await host.person.ok("muteGroupMembers", { body: { groupId, userIds, isMuted: true } });
    await host.person.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    await accept(bob);
    expect(await news(host)).toEqual([[ACCEPT, bob.person.id, ""]]);
    expect((await server.app.store.findCallMember(ann.person.id))?.callKey).toBe(`g${groupId}`);
  });
});

describe("GS20 group.gone client", () => {
  const report = (by: Client, clientId: string) => by.person.ok("reportEndedClient", { query: { clientId } });

  test("a person who was in the call with the gone client has quit; a client on which it only rings, or that is not in it, changes nothing", async () => {
    await setup(ann, bob);
    await accept(ann);
    await report(bobTab, "bob");
    await accept(bobTab);
    for (const each of [host, ann, bobTab]) await news(each);
    await report(bobTab, "bob");
    await report(bobTab, "host");
    await expectNothingNew(host, ann, bobTab);
    await report(bob, "bob-tab");
    for (const each of [host, ann]) expect(await news(each)).toEqual([[QUIT, bob.person.id, ""]]);
    // Free at once, and not in the way of another client.
    await bob.person.ok("joinGroupCall", query());
  });

  test("a host whose client is gone before anybody came has cancelled, and may start another call at once", async () => {
    await setup(ann);
    await news(ann);
    await report({ ...host, person: host.person.tab("next page") }, "host");
    expect(await news(ann)).toEqual([[CANCEL, host.person.id, ""]]);
    await waitForBackground();
    await expectOver();
    await setup(ann);
  });
});

test("PS19 somebody in a call of a group is busy for a private call", async () => {
  await setup(ann);
  const input = { query: { uid: host.person.id, mode: "voice" } } as const;
  await befriend(ann.person, host.person).catch(() => undefined);
  expect(await ann.person.errorKeyOf("setupPrivateCall", input)).toBe("call.youAreInCall");
  expect(await bob.person.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
});
