import { beforeEach, describe, expect, test } from "vitest";
import { createDevice, type Device } from "../testing/device.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server/fake-server.ts";
import { flushNetwork } from "../testing/network.ts";

let clock: FakeClock;
let server: FakeServer;
let devices: Device[];

const go = () => flushNetwork(devices, server, clock);
const groups = (device: Device) => device.client.getState().groups;
const systemRow = (device: Device) =>
  device.client.getState().chats.byKey["SYSTEM:0"]?.window.messages.at(-1)?.system?.groupRequest;

async function device(userName: string, name = userName): Promise<Device> {
  const made = createDevice({ clock, server, name, userName });
  devices.push(made);
  const started = made.start();
  await go();
  await started;
  await go();
  return made;
}

/** Three friends of each other, each with as many devices as named. */
async function friends(): Promise<void> {
  for (const [a, b] of [
    ["ann", 2],
    ["ann", 3],
    ["bob", 3],
  ] as const) {
    const asker = devices.find((one) => one.userName === a);
    void asker?.client.contacts.apply(b, "");
    await go();
    for (const one of devices)
      for (const request of one.client.getState().contacts.requests)
        if (request.recvId === b && one.userName === NAMES[b - 1])
          void one.client.contacts.approve(request.id);
    await go();
  }
}

const NAMES = ["ann", "bob", "eve"];

beforeEach(() => {
  clock = createFakeClock();
  server = createFakeServer(() => clock.now());
  devices = [];
  for (const name of NAMES) server.addUser(name);
});

describe("a login", () => {
  async function loginWith(count: number): Promise<string[]> {
    clock = createFakeClock();
    server = createFakeServer(() => clock.now());
    devices = [];
    server.addUser("ann");
    const first = await device("ann");
    for (let i = 0; i < count; i++) void first.client.groups.create({ name: `Group ${i}`, memberIds: [] });
    await go();
    expect(groups(first).order).toHaveLength(count);
    const asked: string[] = [];
    const { handle } = server;
    server.handle = (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return handle(request);
    };
    const fresh = await device("ann", "fresh");
    expect(groups(fresh).order).toHaveLength(count);
    return asked;
  }

  test("G7 with 200 groups asks for no more than one with 2", async () => {
    const few = await loginWith(2);
    const many = await loginWith(200);
    expect(many).toEqual(few);
    expect(many.filter((url) => url.includes("/group/"))).toEqual([
      "GET /api/message/group/pullOfflineMessage",
      "GET /api/group/list",
      "GET /api/group/request/list",
    ]);
  });
});

describe("several users and devices", () => {
  test("G3 a group appears with everybody in it, changes for all, and goes for who is removed", async () => {
    const [ann, bob, eve] = [await device("ann"), await device("bob"), await device("eve")];
    await friends();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2, 3] });
    await go();
    for (const one of devices) expect(groups(one).order).toEqual([1]);
    expect(groups(bob).byId[1]).toMatchObject({ role: 1, membersCount: 3, showNickName: "BOB" });
    void bob.client.groups.loadMembers(1);
    await go();
    void ann.client.groups.setManagers(1, [2], true);
    void ann.client.groups.removeMembers(1, [3], false);
    await go();
    expect(groups(eve)).toMatchObject({ order: [], byId: { 1: { name: "Climbers", quit: true } } });
    expect(groups(bob).byId[1]).toMatchObject({ role: 2, membersCount: 2 });
    clock.advance(2_000);
    await go();
    expect(groups(bob).members[1]).toMatchObject({ order: [1, 2], byId: { 3: { quit: true } } });
    void ann.client.groups.dissolve(1);
    await go();
    for (const one of [ann, bob]) expect(groups(one).byId[1]).toMatchObject({ dissolve: true, quit: false });
  });

  test("G51 a member who rejoins sees recalls made meanwhile, and edits as they were when he left", async () => {
    const [ann, bob] = [await device("ann"), await device("bob")];
    await friends();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await go();
    const shown = (one: Device) =>
      one.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(
          ({ content, status, tip }) => tip?.key ?? `${content} ${status}`,
        );
    for (const text of ["one", "secret", "three"]) {
      ann.client.chats.sendText("GROUP:1", text);
      await go();
    }
    bob.client.chats.open("GROUP:1");
    bob.client.chats.setDraft("GROUP:1", "half a");
    await go();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "secret 1", "three 1"]);
    void bob.client.groups.quit(1);
    await go();
    const idOf = (text: string) =>
      ann.client.getState().chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === text)
        ?.id ?? 0;
    void ann.client.chats.recall("GROUP:1", idOf("secret"));
    void ann.client.chats.editText("GROUP:1", idOf("three"), "four");
    await go();
    expect(shown(bob)?.slice(1)).toEqual(["one 1", "secret 1", "three 1"]);
    void ann.client.groups.invite(1, [2]);
    await go();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "recalled", "three 1", "group.invited"]);
    const chat = bob.client.getState().chats.byKey["GROUP:1"];
    expect(chat).toMatchObject({ draft: "half a", isRemoved: false, sync: { needsPreview: false } });
    clock.advance(1_000);
    await go();
    const database = await bob.ports.storage.open(`parley:${bob.ports.environment.origin}:2`);
    const kept = await database.messagesBefore("GROUP:1", Infinity, Infinity);
    expect(JSON.stringify(kept)).not.toMatch(/secret|four/);
    expect(kept).toHaveLength(5);
    database.close();
  });

  test("G51 a device that was off while its person was out and back again begins anew as well", async () => {
    const [ann, bob, away] = [await device("ann"), await device("bob"), await device("bob", "bob b")];
    await friends();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await go();
    ann.client.chats.sendText("GROUP:1", "secret");
    away.client.chats.open("GROUP:1");
    await go();
    const shown = () =>
      away.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(({ content, tip }) => tip?.key ?? content);
    expect(shown()).toEqual(["group.invited", "secret"]);
    away.dropConnection();
    void bob.client.groups.quit(1);
    await go();
    const id = ann.client
      .getState()
      .chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === "secret")?.id;
    void ann.client.chats.recall("GROUP:1", id ?? 0);
    await go();
    void ann.client.groups.invite(1, [2]);
    await go();
    expect(shown()).toEqual(["group.invited", "secret"]);
    clock.advance(15_000);
    await go();
    expect(shown()).toEqual(["group.invited", "recalled", "group.invited"]);
  });

  test("G26 a request closes on all devices of those who lead, whoever has answered it", async () => {
    const ann = [await device("ann"), await device("ann", "ann b")];
    const [bob, eve] = [await device("bob"), await device("eve")];
    await friends();
    void ann[0]?.client.groups.create({ name: "Climbers", memberIds: [2] });
    await go();
    void ann[0]?.client.groups.setManagers(1, [2], true);
    void ann[0]?.client.groups.setRights(1, { joinApproval: true });
    await go();
    void eve.client.groups.apply(1, "please");
    await go();
    const leaders = [...ann, bob];
    for (const one of leaders) {
      expect(groups(one).requests).toHaveLength(1);
      expect(systemRow(one)).toMatchObject({ status: 1, sendId: 3, remark: "please" });
    }
    ann[1]?.dropConnection();
    void bob.client.groups.approve(1);
    await go();
    clock.advance(15_000);
    await go();
    for (const one of leaders) {
      expect(groups(one).requests).toEqual([]);
      expect(systemRow(one)?.status).toBe(2);
    }
    expect(groups(eve)).toMatchObject({ order: [1], requests: [] });
  });

  test("G4 a request I have made stands on all my devices until it is answered", async () => {
    const ann = await device("ann");
    const eve = [await device("eve"), await device("eve", "eve b")];
    void ann.client.groups.create({ name: "Climbers", memberIds: [] });
    await go();
    void ann.client.groups.setRights(1, { joinApproval: true });
    await go();
    void eve[0]?.client.groups.apply(1, "please");
    await go();
    for (const one of eve) expect(groups(one).requests).toMatchObject([{ sendId: 3, status: 1 }]);
    void ann.client.groups.reject(1);
    await go();
    for (const one of [...eve, ann]) expect(groups(one).requests).toEqual([]);
  });
});
