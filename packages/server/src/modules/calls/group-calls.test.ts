import { describe, expect, test, vi } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { type TestPerson, befriend, makeGroup, registerPerson } from "../../testing/test-person.ts";
import {
  type Client,
  accept,
  ann,
  bob,
  bobTab,
  cy,
  expectNothingNew,
  groupId,
  host,
  infosOf,
  news,
  open,
  query,
  seen,
  server,
  setup,
  tips,
  view,
  useGroupCallClients,
} from "../../testing/group-call-clients.ts";

const {
  RTC_GROUP_SETUP: SETUP,
  RTC_GROUP_ACCEPT: ACCEPT,
  RTC_GROUP_FAILED: FAILED,
  RTC_GROUP_CANCEL: CANCEL,
  RTC_GROUP_INVITE: INVITE,
  RTC_GROUP_JOIN: JOIN,
  RTC_GROUP_OFFER: OFFER,
  RTC_GROUP_ANSWER: ANSWER,
  RTC_GROUP_CANDIDATE: CANDIDATE,
  RTC_GROUP_DEVICE: DEVICE,
} = MessageType;

useGroupCallClients();

describe("GS2 group.setup", () => {
  test("no session: it rings on every client of those who are called, and the group learns of it", async () => {
    await setup(ann, bob);
    const people = [view(host, { isIn: true }), view(ann), view(bob)];
    for (const each of [ann, bob, bobTab])
      expect(await news(each)).toEqual([[SETUP, host.person.id, people]]);
    await expectNothingNew(host, cy);
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
    expect(await call(outsider, [ann.person.id])).toBe("group.notFound");
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

  test("GS1 people who are busy are dropped, and the host learns of it; without anybody left it is over at once", async () => {
    await cy.person.ok("setupGroupCall", {
      body: { groupId: await makeGroup(cy.person, [bob.person], "Other"), userInfos: infosOf(bob) },
    });
    seen.set(bob.socket, (await bob.socket.flush()).length);
    await setup(ann, bob);
    expect(await news(host)).toEqual([
      [FAILED, host.person.id, { userIds: [bob.person.id], reason: "用户正忙" }],
    ]);
    await expectNothingNew(bob);
    await host.person.ok("cancelGroupCall", query());
    await news(host);
    await setup(bob);
    expect((await news(host)).map((signal) => (signal as unknown[])[0])).toEqual([FAILED, CANCEL]);
    expect(await server.app.store.findCallMember(host.person.id)).toBeUndefined();
  });
});

describe("a call of several people", () => {
  /** What the transactions of this work ask of the store, in order. */
  async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
    const { store } = server.app;
    const write = store.write.bind(store);
    const requests: string[] = [];
    const spy = vi.spyOn(store, "write").mockImplementation((run) =>
      write((tx) =>
        run(
          new Proxy(tx, {
            get(target, name, receiver) {
              requests.push(String(name));
              return Reflect.get(target, name, receiver) as unknown;
            },
          }),
        ),
      ),
    );
    await work().finally(() => spy.mockRestore());
    return requests;
  }

  test("it is read once for all whether they are busy or have blocked the inviter", async () => {
    // Requests that are made for each person.
    const ofEach = new Set(["findGroupMember", "insertCallMember"]);
    const shared = async (...called: Client[]) =>
      (await requestsOf(() => setup(...called))).filter((request) => !ofEach.has(request));
    const forOne = await shared(ann);
    expect(forOne).toContain("insertCall");
    await host.person.ok("cancelGroupCall", query());
    expect(await shared(ann, bob, cy)).toEqual(forOne);
  });
});

describe("GS21 a block", () => {
  test("it does not ring for people who have blocked the inviter, who learns only that they are busy", async () => {
    await ann.person.ok("addToBlacklist", { query: { userId: host.person.id } });
    const busy = [FAILED, host.person.id, { userIds: [ann.person.id], reason: "用户正忙" }];
    await setup(ann, bob);
    expect(await news(host)).toEqual([busy]);
    expect((await news(bob)).map((signal) => (signal as unknown[])[2])).toEqual([
      [view(host, { isIn: true }), view(bob)],
    ]);
    await host.person.ok("inviteToGroupCall", { body: { groupId, userInfos: infosOf(ann) } });
    expect(await news(host)).toEqual([busy]);
    await expectNothingNew(ann, bob);
    expect(await server.app.store.findCallMember(ann.person.id)).toBeUndefined();
  });

  test("it rings when somebody else invites, and people who have blocked somebody may call", async () => {
    await bob.person.ok("addToBlacklist", { query: { userId: host.person.id } });
    await setup(ann);
    await accept(ann);
    await news(bob);
    await ann.person.ok("inviteToGroupCall", { body: { groupId, userInfos: infosOf(bob) } });
    expect((await news(bob)).map((signal) => (signal as unknown[])[0])).toEqual([SETUP]);
    await host.person.ok("cancelGroupCall", query());
    await bob.person.ok("setupGroupCall", { body: { groupId, userInfos: infosOf(host) } });
    expect((await news(host)).map((signal) => (signal as unknown[])[0])).toContain(SETUP);
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
    await expectNothingNew(bob, cy);
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
    // A stranger does not learn whether the group talks, nor whether it is one.
    expect(await outsider.errorKeyOf("joinGroupCall", query())).toBe("call.ended");
    expect(await outsider.errorKeyOf("findGroupCall", query())).toBe("group.notFound");
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
    await expectNothingNew(host, ann, bobTab, cy);
  });

  test("written into a string, as older clients do: they go to the other as they are", async () => {
    await setup(bob);
    await accept(bob);
    const to = ({ person: { id } }: Client) => ({ groupId, userId: id });
    await host.person.ok("sendGroupOffer", { body: { ...to(bob), offer: '{"sdp": "o"}' } });
    await host.person.ok("sendGroupCandidate", { body: { ...to(bob), candidate: '{"candidate": "c"}' } });
    await bob.person.ok("sendGroupAnswer", { body: { ...to(host), answer: '{"sdp": "a"}' } });
    await bob.socket.flush();
    await host.socket.flush();
    const contents = [bob.socket.of(OFFER), bob.socket.of(CANDIDATE), host.socket.of(ANSWER)];
    expect(contents.flat().map(({ data }) => data?.content)).toEqual([
      '{"sdp": "o"}',
      '{"candidate": "c"}',
      '{"sdp": "a"}',
    ]);
    const empty = await host.person.call("sendGroupOffer", { body: { ...to(bob), offer: "" } });
    expect(empty.status).toBe(400);
  });

  test("device: the others learn of it, and people who come later see it", async () => {
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
