import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { sendAdminCommand } from "../../admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, makeGroup, registerPerson } from "../../testing/test-person.ts";
import type { TestSocket } from "../../testing/test-socket.ts";

const {
  RTC_GROUP_SETUP: SETUP,
  RTC_GROUP_ACCEPT: ACCEPT,
  RTC_GROUP_REJECT: REJECT,
  RTC_GROUP_FAILED: FAILED,
  RTC_GROUP_CANCEL: CANCEL,
  RTC_GROUP_QUIT: QUIT,
  RTC_GROUP_INVITE: INVITE,
  RTC_GROUP_JOIN: JOIN,
  RTC_GROUP_OFFER: OFFER,
  RTC_GROUP_ANSWER: ANSWER,
  RTC_GROUP_CANDIDATE: CANDIDATE,
  RTC_GROUP_DEVICE: DEVICE,
} = MessageType;

let server: TestApp;
beforeAll(
  async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off", MAX_CALL_CHANNELS: "4" } })),
);
afterAll(() => server[Symbol.asyncDispose]());

/** A client of a person with its socket. */
interface Client {
  person: TestPerson;
  socket: TestSocket;
}

let groupId: number;
let host: Client;
let ann: Client;
let bob: Client;
/** Another client of Bob. */
let bobTab: Client;
/** A member who is not called. */
let cy: Client;
const open: TestSocket[] = [];

async function client(person: TestPerson, clientId: string): Promise<Client> {
  const tab = person.tab(clientId);
  const socket = await tab.connect();
  open.push(socket);
  return { person: tab, socket };
}

beforeEach(async () => {
  // One after the other, so that their ids have this order.
  const owner = await registerPerson(server.url);
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  const c = await registerPerson(server.url);
  groupId = await makeGroup(owner, [a, b, c]);
  [host, ann, bob, cy] = [
    await client(owner, "host"),
    await client(a, "ann"),
    await client(b, "bob"),
    await client(c, "cy"),
  ];
  bobTab = await client(b, "bob-tab");
});
afterEach(async () => {
  for (const socket of open.splice(0)) {
    socket.close();
    await socket.closed;
  }
});

const infosOf = (...clients: Client[]) => clients.map(({ person: { id } }) => ({ id, nickName: "forged" }));
const setup = (...called: Client[]) =>
  host.person.ok("setupGroupCall", { body: { groupId, userInfos: infosOf(...called) } });
const query = () => ({ query: { groupId } });
const accept = (by: Client) => by.person.ok("acceptGroupCall", query());

/** The signals of calls that have arrived since the last look: type, sender, content. */
const seen = new WeakMap<TestSocket, number>();
async function news({ person, socket }: Client): Promise<unknown[]> {
  const frames = await socket.flush();
  const fresh = frames.slice(seen.get(socket) ?? 0);
  seen.set(socket, frames.length);
  return fresh.flatMap(({ data }) => {
    if (data?.type === undefined || data.type < 100) return [];
    expect(data).toMatchObject({ groupId, selfSend: data.sendId === person.id });
    const content = String(data.content);
    return [[data.type, data.sendId, content === "" ? "" : (JSON.parse(content) as unknown)]];
  });
}

/** Nothing more has arrived. */
async function expectQuiet(...clients: Client[]): Promise<void> {
  for (const each of clients) expect(await news(each)).toEqual([]);
}

const view = ({ person: { id, userName } }: Client, part: object = {}) => ({
  id,
  nickName: `N ${userName}`,
  headImage: null,
  isIn: false,
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
  ...part,
});

/** The tips of calls in the group. */
async function tips(): Promise<unknown[]> {
  const rows = await host.person.ok("groupHistory", { query: { groupId, minId: 0 } });
  return rows.flatMap(({ tip }) => (tip?.key.startsWith("group.call") === true ? [tip.key] : []));
}

async function expectOver(): Promise<void> {
  expect(await server.app.store.findCall(`g${groupId}`)).toBeUndefined();
  for (const { person } of [host, ann, bob, cy])
    expect(await server.app.store.findCallMember(person.id)).toBeUndefined();
  expect(await tips()).toEqual(["group.callStarted", "group.callEnded"]);
}

/** Lets time pass. Sockets that nobody hears for a minute are closed. */
async function pass(ms: number): Promise<void> {
  const flush = async () => {
    for (const each of open) if (each.ws.readyState === each.ws.OPEN) await each.flush();
  };
  await flush();
  server.clock.advance(ms);
  await flush();
  server.app.sweep();
  await settle();
}

/** Waits until the server has done what it does in the background. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await server.app.store.write(async () => undefined);
  }
}

describe("GS2 group.setup", () => {
  test("no session: it rings on every client of those who are called, and the group learns of it", async () => {
    await setup(ann, bob);
    const people = [view(host, { isIn: true }), view(ann), view(bob)];
    for (const each of [ann, bob, bobTab])
      expect(await news(each)).toEqual([[SETUP, host.person.id, people]]);
    await expectQuiet(host, cy);
    expect(await tips()).toEqual(["group.callStarted"]);
    const { data } = await cy.socket.next(
      (frame) =>
        frame.data?.type === MessageType.GROUP_NEW && String(frame.data.content).includes("isChating"),
    );
    expect(JSON.parse(String(data?.content))).toMatchObject({ rtcInfo: { isChating: true } });
    expect((await cy.person.ok("listGroups"))[0]?.rtcInfo).toEqual({ isChating: true });
    const { userName } = host.person;
    expect(await cy.person.ok("findGroupCall", query())).toEqual({
      isChating: true,
      host: { id: host.person.id, nickName: `N ${userName}`, headImage: null },
      userInfos: people,
    });
  });

  test("no session: refused without a socket, by outsiders and muted members, for outsiders, for nobody and for too many", async () => {
    const outsider = await registerPerson(server.url);
    const call = (by: TestPerson, ids: readonly number[]) =>
      by.errorKeyOf("setupGroupCall", { body: { groupId, userInfos: ids.map((id) => ({ id })) } });
    expect(await call(outsider, [ann.person.id])).toBe("call.offline");
    open.push(await outsider.connect());
    expect(await call(outsider, [ann.person.id])).toBe("message.notInGroup");
    expect(await call(host.person, [outsider.id])).toBe("group.targetNotMember");
    expect(await call(host.person, [host.person.id])).toBe("request.malformed");
    await host.person.ok("muteGroupMembers", { body: { groupId, userIds: [ann.person.id], isMuted: true } });
    expect(await call(ann.person, [bob.person.id])).toBe("message.muted");
    await host.person.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    expect(await call(bob.person, [cy.person.id])).toBe("message.allMuted");
    const fifth = await registerPerson(server.url);
    await befriend(host.person, fifth);
    await host.person.ok("inviteToGroup", { body: { groupId, friendIds: [fifth.id] } });
    const all = [ann, bob, cy].map(({ person }) => person.id);
    expect(await call(host.person, [...all, fifth.id])).toBe("call.full");
    expect(await tips()).toEqual([]);
  });

  test("session exists: again by the host it is told again, in case that nobody was, by others the group has a call already", async () => {
    await setup(ann);
    await setup(ann);
    const [first, second] = await news(ann);
    expect(first).toBeDefined();
    expect(second).toEqual(first);
    const input = { body: { groupId, userInfos: infosOf(cy) } };
    expect(await bob.person.errorKeyOf("setupGroupCall", input)).toBe("call.groupRunning");
  });

  test("GS1 who is busy is dropped, and the host learns of it; without anybody left it is over at once", async () => {
    await cy.person.ok("setupGroupCall", {
      body: { groupId: await makeGroup(cy.person, [bob.person], "Other"), userInfos: infosOf(bob) },
    });
    seen.set(bob.socket, (await bob.socket.flush()).length);
    await setup(ann, bob);
    expect(await news(host)).toEqual([
      [FAILED, host.person.id, { userIds: [bob.person.id], reason: "用户正忙" }],
    ]);
    await expectQuiet(bob);
    await host.person.ok("cancelGroupCall", query());
    await news(host);
    await setup(bob);
    expect((await news(host)).map((signal) => (signal as unknown[])[0])).toEqual([FAILED, CANCEL]);
    expect(await server.app.store.findCallMember(host.person.id)).toBeUndefined();
  });
});

describe("GS3 GS6 group.accept, group.join", () => {
  test("accept: the others and the own other clients learn of it; only one client gets in", async () => {
    await setup(ann, bob);
    for (const each of [host, ann, bob, bobTab]) await news(each);
    await accept(bob);
    await accept(bob);
    // The second time because nobody may have heard of the first one.
    const accepted = [
      [ACCEPT, bob.person.id, ""],
      [ACCEPT, bob.person.id, ""],
    ];
    for (const each of [host, ann, bobTab]) expect(await news(each)).toEqual(accepted);
    await expectQuiet(bob, cy);
    expect(await bobTab.person.errorKeyOf("acceptGroupCall", query())).toBe("call.joinedElsewhere");
    expect(await cy.person.errorKeyOf("acceptGroupCall", query())).toBe("call.notInvited");
  });

  test("setup and join, again from a client that has lost its socket: they count as done", async () => {
    await setup(ann);
    await cy.person.ok("joinGroupCall", query());
    for (const each of [host, cy]) {
      each.socket.ws.terminate();
      await each.socket.closed;
      await expect
        .poll(async () => (await server.app.store.findCallMember(each.person.id))?.detachedAt ?? null)
        .not.toBeNull();
    }
    const elsewhere = cy.person.tab("elsewhere");
    await expect.poll(() => elsewhere.errorKeyOf("joinGroupCall", query())).toBe("call.offline");
    await setup(ann);
    await cy.person.ok("joinGroupCall", query());
  });

  test("no session: the call has ended", async () => {
    for (const name of ["acceptGroupCall", "joinGroupCall"] as const)
      expect(await ann.person.errorKeyOf(name, query())).toBe("call.ended");
    const body = { groupId, userInfos: infosOf(bob) };
    expect(await ann.person.errorKeyOf("inviteToGroupCall", { body })).toBe("call.ended");
  });

  test("join: a member who was not called comes in, the others see who; a called one accepts by it", async () => {
    await setup(ann, bob);
    for (const each of [host, ann, bob]) await news(each);
    await cy.person.ok("joinGroupCall", query());
    await cy.person.ok("joinGroupCall", query());
    const signal = [JOIN, cy.person.id, view(cy, { isIn: true })];
    const joined = [signal, signal];
    for (const each of [host, ann, bob]) expect(await news(each)).toEqual(joined);
    await ann.person.ok("joinGroupCall", query());
    expect(await news(host)).toEqual([[ACCEPT, ann.person.id, ""]]);
    await accept(bobTab);
    expect(await bob.person.errorKeyOf("joinGroupCall", query())).toBe("call.joinedElsewhere");
    const fifth = await registerPerson(server.url);
    await befriend(host.person, fifth);
    await host.person.ok("inviteToGroup", { body: { groupId, friendIds: [fifth.id] } });
    open.push(await fifth.connect());
    expect(await fifth.errorKeyOf("joinGroupCall", query())).toBe("call.full");
    const outsider = await registerPerson(server.url);
    open.push(await outsider.connect());
    expect(await outsider.errorKeyOf("joinGroupCall", query())).toBe("message.notInGroup");
    expect(await outsider.errorKeyOf("findGroupCall", query())).toBe("group.notMember");
  });
});

describe("GS7 group.invite", () => {
  test("more members are called, and those in the call learn of them", async () => {
    await setup(ann);
    await accept(ann);
    for (const each of [host, ann]) await news(each);
    await ann.person.ok("inviteToGroupCall", { body: { groupId, userInfos: infosOf(host, bob) } });
    const people = [view(host, { isIn: true }), view(ann, { isIn: true }), view(bob)];
    expect(await news(bob)).toEqual([[SETUP, ann.person.id, people]]);
    for (const each of [host, ann]) expect(await news(each)).toEqual([[INVITE, ann.person.id, [view(bob)]]]);
    const body = { groupId, userInfos: infosOf(cy) };
    expect(await bob.person.errorKeyOf("inviteToGroupCall", { body })).toBe("call.notIn");
  });
});

describe("GS4 GS5 GS10 GS11 group.reject, group.failed, group.quit, group.cancel", () => {
  test("no session: answer and push nothing", async () => {
    for (const name of ["rejectGroupCall", "quitGroupCall", "cancelGroupCall"] as const)
      await ann.person.ok(name, query());
    await ann.person.ok("failGroupCall", { body: { groupId } });
    await expectQuiet(host, ann);
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
      await settle();
      await expectOver();
    },
  );

  test("INVITED: a client that cannot take the call leaves it to the others; the last one is out", async () => {
    await setup(ann, bob);
    for (const each of [host, ann, bob, bobTab]) await news(each);
    const fail = (by: Client) =>
      by.person.ok("failGroupCall", { body: { groupId, reason: "no microphone" } });
    await fail(bob);
    await expectQuiet(host, ann, bobTab);
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
    await expectQuiet(host);
    await host.person.ok("quitGroupCall", query());
    for (const each of [ann, bob]) expect(await news(each)).toEqual([[QUIT, host.person.id, ""]]);
    expect(await ann.person.errorKeyOf("cancelGroupCall", query())).toBe("call.notHost");
    await bob.person.ok("quitGroupCall", query());
    expect(await news(ann)).toEqual([
      [QUIT, bob.person.id, ""],
      [CANCEL, bob.person.id, ""],
    ]);
    await settle();
    await expectOver();
  });

  test("cancel: the host ends it for all, nobody else may", async () => {
    await setup(ann, bob);
    await accept(ann);
    for (const each of [ann, bob]) await news(each);
    expect(await ann.person.errorKeyOf("cancelGroupCall", query())).toBe("call.notHost");
    await host.person.ok("cancelGroupCall", query());
    for (const each of [ann, bob, bobTab])
      expect((await news(each)).at(-1)).toEqual([CANCEL, host.person.id, ""]);
    await settle();
    await expectOver();
    expect((await cy.person.ok("listGroups"))[0]?.rtcInfo).toBeNull();
  });
});

describe("GS8 GS9 group.offer, group.answer, group.candidate, group.device", () => {
  test("go to the client of the other, if both are in the call", async () => {
    await setup(ann, bob);
    const to = ({ person: { id } }: Client) => ({ groupId, userId: id });
    await host.person.ok("sendGroupOffer", { body: { ...to(ann), offer: { sdp: "early" } } });
    await accept(ann);
    await accept(bob);
    for (const each of [host, ann, bob, bobTab]) await news(each);
    await host.person.ok("sendGroupOffer", { body: { ...to(bob), offer: { sdp: "o" } } });
    await host.person.ok("sendGroupCandidate", { body: { ...to(bob), candidate: { candidate: "c" } } });
    await bob.person.ok("sendGroupAnswer", { body: { ...to(host), answer: { sdp: "a" } } });
    expect(await news(bob)).toEqual([
      [OFFER, host.person.id, { sdp: "o" }],
      [CANDIDATE, host.person.id, { candidate: "c" }],
    ]);
    expect(await news(host)).toEqual([[ANSWER, bob.person.id, { sdp: "a" }]]);
    await bobTab.person.ok("sendGroupAnswer", { body: { ...to(host), answer: { sdp: "tab" } } });
    await cy.person.ok("sendGroupOffer", { body: { ...to(host), offer: { sdp: "cy" } } });
    await expectQuiet(host, ann, bobTab, cy);
  });

  test("device: the others learn of it, and who comes later sees it", async () => {
    await setup(ann);
    await accept(ann);
    for (const each of [host, ann]) await news(each);
    await ann.person.ok("setGroupCallDevice", { body: { groupId, isCamera: true, isMicroPhone: false } });
    // A client that knows no shared screens shares none.
    const devices = { isCamera: true, isMicroPhone: false, isShareScreen: false };
    expect(await news(host)).toEqual([[DEVICE, ann.person.id, devices]]);
    const { userInfos } = await cy.person.ok("findGroupCall", query());
    expect(userInfos).toContainEqual(view(ann, { isIn: true, ...devices }));
    const sharing = { ...devices, isShareScreen: true };
    await ann.person.ok("setGroupCallDevice", { body: { groupId, ...sharing } });
    expect(await news(host)).toEqual([[DEVICE, ann.person.id, sharing]]);
    const later = await cy.person.ok("findGroupCall", query());
    expect(later.userInfos).toContainEqual(view(ann, { isIn: true, ...sharing }));
    const body = { groupId, isCamera: true, isMicroPhone: true };
    expect(await cy.person.errorKeyOf("setGroupCallDevice", { body })).toBe("call.notIn");
  });
});

describe("GS12 GS13 GS14 group.invite deadline, group.gone, group.heartbeat", () => {
  test("who has not answered in 30 s is out, all in one signal; nobody comes: it is over", async () => {
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

  test("GS15 a client that connects later rings, and one in the call gets what has waited", async () => {
    await setup(ann, bob);
    await accept(ann);
    const late = await client(bob.person, "late");
    await expect
      .poll(() => news(late))
      .toEqual([[SETUP, host.person.id, [view(host, { isIn: true }), view(ann, { isIn: true }), view(bob)]]]);
    ann.socket.ws.terminate();
    await ann.socket.closed;
    await expect
      .poll(async () => (await server.app.store.findCallMember(ann.person.id))?.detachedAt)
      .not.toBeNull();
    await accept(late);
    const back = await client(ann.person, "ann");
    await expect.poll(() => news(back)).toEqual([[ACCEPT, bob.person.id, ""]]);
  });
});

describe("GS16 GS17 GS18 group.kicked, group.dissolved, group.muted", () => {
  test("who is removed from the group is out of its call at once, and told why", async () => {
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

  test("who is muted stays in the call, and accepts when called before", async () => {
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

test("PS19 somebody in a call of a group is busy for a private call", async () => {
  await setup(ann);
  const input = { query: { uid: host.person.id, mode: "voice" } } as const;
  await befriend(ann.person, host.person).catch(() => undefined);
  expect(await ann.person.errorKeyOf("setupPrivateCall", input)).toBe("call.youAreInCall");
  expect(await bob.person.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
});
