import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PushDevice, type TestPushService, createPushService } from "../../testing/push-service.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../../testing/test-person.ts";

let server: TestApp;
let service: TestPushService;
beforeAll(async () => {
  service = await createPushService();
  server = await createTestApp({ env: { WEB_PUSH: "private", RATE_LIMITS: "off" } });
});
beforeEach(() => {
  service.received.length = 0;
  service.answer = () => ({ status: 201 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** Lets the jobs run that are due after this time. */
function pass(ms: number): void {
  server.clock.advance(ms);
  server.app.sweep();
}

async function subscribe(person: TestPerson, { preview = false } = {}): Promise<PushDevice> {
  const device = service.device();
  await person.ok("subscribeWebPush", { body: { ...device.subscription, preview } });
  return device;
}

/** What a device has received before a message that is sent now. The pushes of one person are sent one after the other, so this was all. */
async function pushedBefore(receiver: TestPerson, device: PushDevice): Promise<string[]> {
  const witness = await registerPerson(server.url);
  await befriend(witness, receiver);
  await sendText(witness, receiver, "witness");
  let pushed: string[] = [];
  await expect
    .poll(() => {
      pass(1_000);
      pushed = device.payloads().map(({ kind, chat }) => `${kind} ${chat}`);
      return pushed.at(-1);
    })
    .toBe(`messages PRIVATE:${witness.id}`);
  return pushed.filter((line) => line.startsWith("call"));
}

const call = (host: TestPerson, callee: TestPerson) =>
  host.ok("setupPrivateCall", { query: { uid: callee.id, mode: "voice" } });

describe("WP14 a call between two people", () => {
  let ann: TestPerson;
  let bob: TestPerson;
  let device: PushDevice;
  beforeEach(async () => {
    [ann, bob] = await registerFriends(server.url);
    await ann.connect();
    device = await subscribe(bob);
  });

  test("that rings is pushed at once and for 30 s, without a name; its end is pushed for the same topic", async () => {
    await call(ann, bob);
    const about = { userId: bob.id, chat: `PRIVATE:${ann.id}` };
    expect(await device.received(1)).toEqual([{ kind: "call", ...about, language: "zh-CN", preview: null }]);
    expect(service.received[0]?.headers).toMatchObject({ ttl: "30", urgency: "high" });
    await ann.ok("cancelPrivateCall", { query: { uid: bob.id } });
    expect((await device.received(2))[1]).toEqual({ kind: "callOver", ...about });
    const [rings, over] = service.received.map(({ headers }) => headers["topic"]);
    expect(over).toBe(rings);
    // The missed call is a message with a notification of its own.
    pass(1_000);
    expect((await device.received(3))[2]).toMatchObject({ kind: "messages", ...about });
    expect(service.received[2]?.headers["topic"]).not.toBe(rings);
  });

  test("names the caller to a device that wants previews, by the name the person has given, and ignores the alert level of the chat", async () => {
    await bob.ok("updateFriendRemark", { body: { friendId: ann.id, remarkNickName: "Annie" } });
    await bob.ok("setFriendMsgRemind", { body: { friendId: ann.id, msgRemind: 0 } });
    const phone = await subscribe(await bob.elsewhere({ terminal: 1 }), { preview: true });
    await call(ann, bob);
    expect(await phone.received(1)).toMatchObject([
      { kind: "call", preview: { sender: "Annie", group: null } },
    ]);
    await device.received(1);
    expect(new Set(service.received.map(({ body }) => body.length)).size).toBe(1);
  });

  test.each([
    ["rejects it", () => bob.ok("rejectPrivateCall", { query: { uid: ann.id } })],
    ["answers it on another device", () => bob.ok("acceptPrivateCall", { query: { uid: ann.id } })],
    ["blocks the caller", () => bob.ok("addToBlacklist", { query: { userId: ann.id } })],
    ["does not answer for 30 s", async () => pass(31_000)],
  ])("is taken away when the callee %s", async (_, end) => {
    await call(ann, bob);
    await device.received(1);
    await end();
    expect((await device.received(2))[1]).toMatchObject({ kind: "callOver", chat: `PRIVATE:${ann.id}` });
  });

  test("is not pushed to a device with a connected page, which rings by itself", async () => {
    const socket = await bob.connect();
    const phone = await subscribe(await bob.elsewhere({ terminal: 1 }));
    await call(ann, bob);
    await phone.received(1);
    expect(device.payloads()).toEqual([]);
    await ann.ok("cancelPrivateCall", { query: { uid: bob.id } });
    expect(await phone.received(2)).toMatchObject([{ kind: "call" }, { kind: "callOver" }]);
    socket.close();
    expect(await pushedBefore(bob, device)).toEqual([]);
  });

  test("is pushed to a device whose page is frozen, although the browser still answers pings", async () => {
    const [hosts, page] = [await ann.connect(), await bob.connect()];
    for (let seconds = 0; seconds < 100; seconds += 20) {
      hosts.ws.pong();
      page.ws.pong();
      await ann.ok("self");
      pass(20_000);
    }
    await call(ann, bob);
    await device.received(1);
    page.close();
  });

  test("leaves nothing on the device when it is cancelled before the server knows the devices", async () => {
    const cancel = () => ann.ok("cancelPrivateCall", { query: { uid: bob.id } });
    await Promise.all([call(ann, bob), cancel()]);
    await cancel();
    const pushed = await pushedBefore(bob, device);
    expect(pushed.filter((line) => line.startsWith("call ")).length).toBeLessThanOrEqual(
      pushed.filter((line) => line.startsWith("callOver ")).length,
    );
  });
});

describe("WP14 the call of a group", () => {
  test("is pushed to people who are called or invited, with the names of group and caller, and goes for each when they answer or it ends", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const cy = await registerPerson(server.url);
    await befriend(ann, cy);
    const groupId = await makeGroup(ann, [bob, cy], "Team");
    await ann.connect();
    const [ofBob, ofCy] = [await subscribe(bob, { preview: true }), await subscribe(cy, { preview: true })];
    await ann.ok("setupGroupCall", { body: { groupId, userInfos: [{ id: bob.id }] } });
    const rings = { kind: "call", chat: `GROUP:${groupId}`, preview: { group: "Team", sender: "" } };
    const [first] = await ofBob.received(1);
    expect(first).toMatchObject({
      ...rings,
      preview: { group: "Team", sender: expect.stringMatching(/^N /) },
    });
    await ann.ok("inviteToGroupCall", { body: { groupId, userInfos: [{ id: cy.id }] } });
    expect(await ofCy.received(1)).toMatchObject([{ kind: "call", chat: `GROUP:${groupId}` }]);
    await bob.ok("acceptGroupCall", { query: { groupId } });
    const over = { kind: "callOver", chat: `GROUP:${groupId}` };
    expect((await ofBob.received(2))[1]).toMatchObject(over);
    expect(ofCy.payloads()).toHaveLength(1);
    await ann.ok("cancelGroupCall", { query: { groupId } });
    expect((await ofCy.received(2))[1]).toMatchObject(over);
    expect(await pushedBefore(bob, ofBob)).toEqual([`call GROUP:${groupId}`, `callOver GROUP:${groupId}`]);
  });

  test("goes for people who reject it or do not answer for 30 s", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const [cy, dan] = [await registerPerson(server.url), await registerPerson(server.url)];
    for (const friend of [cy, dan]) await befriend(ann, friend);
    const groupId = await makeGroup(ann, [bob, cy, dan]);
    await ann.connect();
    const [ofBob, ofCy] = [await subscribe(bob), await subscribe(cy)];
    await ann.ok("setupGroupCall", { body: { groupId, userInfos: [{ id: bob.id }, { id: cy.id }] } });
    await Promise.all([ofBob.received(1), ofCy.received(1)]);
    await bob.ok("rejectGroupCall", { query: { groupId } });
    expect((await ofBob.received(2))[1]).toMatchObject({ kind: "callOver" });
    expect(ofCy.payloads()).toHaveLength(1);
    pass(31_000);
    expect((await ofCy.received(2))[1]).toMatchObject({ kind: "callOver" });
  });
});
