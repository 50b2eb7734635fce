import { beforeEach, describe, expect, test } from "vitest";
import { createDevice, type Device } from "../testing/device.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server/fake-server.ts";
import { flushNetwork } from "../testing/network.ts";

let clock: FakeClock;
let server: FakeServer;
let devices: Device[];

const flush = () => flushNetwork(devices, server, clock);
const groups = (device: Device) => device.client.getState().groups;
const systemRow = (device: Device) =>
  device.client.getState().chats.byKey["SYSTEM:0"]?.window.messages.at(-1)?.system?.groupRequest;

async function startDevice(userName: string, name = userName): Promise<Device> {
  const newDevice = createDevice({ clock, server, name, userName });
  devices.push(newDevice);
  const started = newDevice.start();
  await flush();
  await started;
  await flush();
  return newDevice;
}

/** Makes ann, bob and eve friends of each other. */
async function befriendAll(): Promise<void> {
  for (const [a, b] of [
    ["ann", 2],
    ["ann", 3],
    ["bob", 3],
  ] as const) {
    const requester = devices.find((device) => device.userName === a);
    void requester?.client.contacts.apply(b, "");
    await flush();
    for (const device of devices)
      for (const request of device.client.getState().contacts.requests)
        if (request.recvId === b && device.userName === NAMES[b - 1])
          void device.client.contacts.approve(request.id);
    await flush();
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
    const first = await startDevice("ann");
    for (let i = 0; i < count; i++) void first.client.groups.create({ name: `Group ${i}`, memberIds: [] });
    await flush();
    expect(groups(first).order).toHaveLength(count);
    const requests: string[] = [];
    const { handle } = server;
    server.handle = (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return handle(request);
    };
    const fresh = await startDevice("ann", "fresh");
    expect(groups(fresh).order).toHaveLength(count);
    return requests;
  }

  test("G7 with 200 groups sends the same requests as with 2", async () => {
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
  test("G3 a group appears for all members, changes for all, and disappears for a removed one", async () => {
    const [ann, bob, eve] = [await startDevice("ann"), await startDevice("bob"), await startDevice("eve")];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2, 3] });
    await flush();
    for (const device of devices) expect(groups(device).order).toEqual([1]);
    expect(groups(bob).byId[1]).toMatchObject({ role: 1, membersCount: 3, showNickName: "BOB" });
    void bob.client.groups.loadMembers(1);
    await flush();
    void ann.client.groups.setManagers(1, [2], true);
    void ann.client.groups.removeMembers(1, [3], false);
    await flush();
    expect(groups(eve)).toMatchObject({ order: [], byId: { 1: { name: "Climbers", quit: true } } });
    expect(groups(bob).byId[1]).toMatchObject({ role: 2, membersCount: 2 });
    clock.advance(2_000);
    await flush();
    expect(groups(bob).members[1]).toMatchObject({ order: [1, 2], byId: { 3: { quit: true } } });
    void ann.client.groups.dissolve(1);
    await flush();
    for (const device of [ann, bob])
      expect(groups(device).byId[1]).toMatchObject({ dissolve: true, quit: false });
  });

  test("G51 a member who rejoins sees recalls made meanwhile, but texts as they were before edits made meanwhile", async () => {
    const [ann, bob] = [await startDevice("ann"), await startDevice("bob")];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await flush();
    const shown = (device: Device) =>
      device.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(
          ({ content, status, tip }) => tip?.key ?? `${content} ${status}`,
        );
    for (const text of ["one", "secret", "three"]) {
      ann.client.chats.sendText("GROUP:1", text);
      await flush();
    }
    bob.client.chats.open("GROUP:1");
    bob.client.chats.setDraft("GROUP:1", "half a");
    await flush();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "secret 1", "three 1"]);
    void bob.client.groups.quit(1);
    await flush();
    const idOf = (text: string) =>
      ann.client.getState().chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === text)
        ?.id ?? 0;
    void ann.client.chats.recall("GROUP:1", idOf("secret"));
    void ann.client.chats.editText("GROUP:1", idOf("three"), "four");
    await flush();
    expect(shown(bob)?.slice(1)).toEqual(["one 1", "secret 1", "three 1"]);
    void ann.client.groups.invite(1, [2]);
    await flush();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "recalled", "three 1", "group.invited"]);
    const chat = bob.client.getState().chats.byKey["GROUP:1"];
    expect(chat).toMatchObject({ draft: "half a", isRemoved: false, sync: { needsPreview: false } });
    clock.advance(1_000);
    await flush();
    const database = await bob.ports.storage.open(`parley:${bob.ports.environment.origin}:2`);
    const stored = await database.messagesBefore("GROUP:1", Infinity, Infinity);
    expect(JSON.stringify(stored)).not.toMatch(/secret|four/);
    expect(stored).toHaveLength(5);
    database.close();
  });

  test("G51 a device that was offline while its user left and rejoined reloads the chat as well", async () => {
    const [ann, bob, away] = [
      await startDevice("ann"),
      await startDevice("bob"),
      await startDevice("bob", "bob b"),
    ];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await flush();
    ann.client.chats.sendText("GROUP:1", "secret");
    away.client.chats.open("GROUP:1");
    await flush();
    const shown = () =>
      away.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(({ content, tip }) => tip?.key ?? content);
    expect(shown()).toEqual(["group.invited", "secret"]);
    away.dropConnection();
    void bob.client.groups.quit(1);
    await flush();
    const id = ann.client
      .getState()
      .chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === "secret")?.id;
    void ann.client.chats.recall("GROUP:1", id ?? 0);
    await flush();
    void ann.client.groups.invite(1, [2]);
    await flush();
    expect(shown()).toEqual(["group.invited", "secret"]);
    clock.advance(15_000);
    await flush();
    expect(shown()).toEqual(["group.invited", "recalled", "group.invited"]);
  });

  test("G26 a request closes on all devices of owner and admins, whoever has answered it", async () => {
    const ann = [await startDevice("ann"), await startDevice("ann", "ann b")];
    const [bob, eve] = [await startDevice("bob"), await startDevice("eve")];
    await befriendAll();
    void ann[0]?.client.groups.create({ name: "Climbers", memberIds: [2] });
    await flush();
    void ann[0]?.client.groups.setManagers(1, [2], true);
    void ann[0]?.client.groups.setRights(1, { joinApproval: true });
    await flush();
    void eve.client.groups.apply(1, "please");
    await flush();
    const leaders = [...ann, bob];
    for (const device of leaders) {
      expect(groups(device).requests).toHaveLength(1);
      expect(systemRow(device)).toMatchObject({ status: 1, sendId: 3, remark: "please" });
    }
    ann[1]?.dropConnection();
    void bob.client.groups.approve(1);
    await flush();
    clock.advance(15_000);
    await flush();
    for (const device of leaders) {
      expect(groups(device).requests).toEqual([]);
      expect(systemRow(device)?.status).toBe(2);
    }
    expect(groups(eve)).toMatchObject({ order: [1], requests: [] });
  });

  test("G4 a sent request is listed on all devices of its sender until it is answered", async () => {
    const ann = await startDevice("ann");
    const eve = [await startDevice("eve"), await startDevice("eve", "eve b")];
    void ann.client.groups.create({ name: "Climbers", memberIds: [] });
    await flush();
    void ann.client.groups.setRights(1, { joinApproval: true });
    await flush();
    void eve[0]?.client.groups.apply(1, "please");
    await flush();
    for (const device of eve) expect(groups(device).requests).toMatchObject([{ sendId: 3, status: 1 }]);
    void ann.client.groups.reject(1);
    await flush();
    for (const device of [...eve, ann]) expect(groups(device).requests).toEqual([]);
  });
});
