import type { EndpointName } from "@parley/protocol/endpoints/all";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { JoinMode } from "@parley/protocol/codes";
import { type ScriptedSimulation, createScriptedSimulation } from "./scripted-simulation.ts";
import type { SimulatedDevice } from "./simulation.ts";

let scripted: ScriptedSimulation;
beforeEach(async () => void (scripted = await createScriptedSimulation()));
afterEach(() => scripted.close());

const startDevice = (userName: string) => scripted.startDevice(userName);
const deliver = () => scripted.deliver();
const groups = (device: SimulatedDevice) => device.client.getState().groups;
const systemRow = (device: SimulatedDevice) =>
  device.client.getState().chats.byKey["SYSTEM:0"]?.window.messages.at(-1)?.system?.groupRequest;

/** Makes ann, bob and eve friends of each other. */
async function befriendAll(): Promise<void> {
  for (const [a, b] of [
    ["ann", 2],
    ["ann", 3],
    ["bob", 3],
  ] as const) {
    const requester = scripted.devices.find((device) => device.userName === a);
    void requester?.client.contacts.apply(b, "");
    await deliver();
    for (const device of scripted.devices)
      for (const request of device.client.getState().contacts.requests)
        if (request.recvId === b && device.userName === NAMES[b - 1])
          void device.client.contacts.approve(request.id);
    await deliver();
  }
}

const NAMES = ["ann", "bob", "eve"];

test("G7 a login with 200 groups sends the same requests as with 2", async () => {
  const first = await startDevice("ann");
  const addGroups = async (count: number) => {
    for (let i = 0; i < count; i++) void first.client.groups.create({ name: `Group ${i}`, memberIds: [] });
    await deliver();
  };
  const requestsOfLogin = async (count: number) => {
    const names: (EndpointName | null)[] = [];
    scripted.simulation.onAnswer = (_, { name }) => void names.push(name);
    expect(groups(await startDevice("ann")).order).toHaveLength(count);
    return [...names];
  };
  await addGroups(2);
  const few = await requestsOfLogin(2);
  await addGroups(198);
  const many = await requestsOfLogin(200);
  expect(many).toEqual(few);
  expect(many.filter((name) => name?.includes("Group") === true)).toEqual([
    "pullGroupMessages",
    "listGroups",
    "listGroupRequests",
  ]);
});

describe("several users and devices", () => {
  test("G3 a group appears for all members, changes for all, and disappears for a removed one", async () => {
    const [ann, bob, eve] = [await startDevice("ann"), await startDevice("bob"), await startDevice("eve")];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2, 3] });
    await deliver();
    for (const device of scripted.devices) expect(groups(device).order).toEqual([1]);
    expect(groups(bob).byId[1]).toMatchObject({ role: 1, membersCount: 3, showNickName: "BOB" });
    void bob.client.groups.loadMembers(1);
    await deliver();
    void ann.client.groups.setManagers(1, [2], true);
    void ann.client.groups.removeMembers(1, [3], false);
    await deliver();
    expect(groups(eve)).toMatchObject({ order: [], byId: { 1: { name: "Climbers", quit: true } } });
    expect(groups(bob).byId[1]).toMatchObject({ role: 2, membersCount: 2 });
    await scripted.advance(2_000);
    expect(groups(bob).members[1]).toMatchObject({ order: [1, 2], byId: { 3: { quit: true } } });
    void ann.client.groups.dissolve(1);
    await deliver();
    for (const device of [ann, bob])
      expect(groups(device).byId[1]).toMatchObject({ dissolve: true, quit: false });
  });

  test("G51 a member who rejoins sees recalls made in between, but texts as they were before edits made in between", async () => {
    const [ann, bob] = [await startDevice("ann"), await startDevice("bob")];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await deliver();
    const shown = (device: SimulatedDevice) =>
      device.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(
          ({ content, status, tip }) => tip?.key ?? `${content} ${status}`,
        );
    for (const text of ["one", "secret", "three"]) {
      ann.client.chats.sendText("GROUP:1", text);
      await deliver();
    }
    bob.client.chats.open("GROUP:1");
    bob.client.chats.setDraft("GROUP:1", "half a");
    await deliver();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "secret 1", "three 1"]);
    void bob.client.groups.quit(1);
    await deliver();
    const idOf = (text: string) =>
      ann.client.getState().chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === text)
        ?.id ?? 0;
    void ann.client.chats.recall("GROUP:1", idOf("secret"));
    void ann.client.chats.editText("GROUP:1", idOf("three"), "four");
    await deliver();
    expect(shown(bob)?.slice(1)).toEqual(["one 1", "secret 1", "three 1"]);
    void ann.client.groups.invite(1, [2]);
    await deliver();
    expect(shown(bob)).toEqual(["group.invited", "one 1", "recalled", "three 1", "group.invited"]);
    const chat = bob.client.getState().chats.byKey["GROUP:1"];
    expect(chat).toMatchObject({ draft: "half a", isRemoved: false, sync: { needsPreview: false } });
    await scripted.advance(1_000);
    const database = await bob.ports.storage.open(`parley-chats:${bob.ports.environment.origin}:2`);
    const stored = await database.messagesBefore("GROUP:1", Infinity, Infinity);
    expect(JSON.stringify(stored)).not.toMatch(/secret|four/);
    expect(stored).toHaveLength(5);
    database.close();
  });

  test("G51 a device that was offline while its user left and rejoined reloads the chat as well", async () => {
    const [ann, bob, away] = [await startDevice("ann"), await startDevice("bob"), await startDevice("bob")];
    await befriendAll();
    void ann.client.groups.create({ name: "Climbers", memberIds: [2] });
    await deliver();
    ann.client.chats.sendText("GROUP:1", "secret");
    away.client.chats.open("GROUP:1");
    await deliver();
    const shown = () =>
      away.client
        .getState()
        .chats.byKey["GROUP:1"]?.window.messages.map(({ content, tip }) => tip?.key ?? content);
    expect(shown()).toEqual(["group.invited", "secret"]);
    away.dropConnection();
    void bob.client.groups.quit(1);
    await deliver();
    const id = ann.client
      .getState()
      .chats.byKey["GROUP:1"]?.window.messages.find(({ content }) => content === "secret")?.id;
    void ann.client.chats.recall("GROUP:1", id ?? 0);
    await deliver();
    void ann.client.groups.invite(1, [2]);
    await deliver();
    expect(shown()).toEqual(["group.invited", "secret"]);
    await scripted.advance(15_000);
    expect(shown()).toEqual(["group.invited", "recalled", "group.invited"]);
  });

  test("G26 a request closes on all devices of owner and admins, whoever has answered it", async () => {
    const ann = [await startDevice("ann"), await startDevice("ann")];
    const [bob, eve] = [await startDevice("bob"), await startDevice("eve")];
    await befriendAll();
    void ann[0]?.client.groups.create({ name: "Climbers", memberIds: [2] });
    await deliver();
    void ann[0]?.client.groups.setManagers(1, [2], true);
    void ann[0]?.client.groups.setRights(1, { joinMode: JoinMode.APPROVAL, isFindable: true });
    await deliver();
    void eve.client.groups.apply(1, "please");
    await deliver();
    const leaders = [...ann, bob];
    for (const device of leaders) {
      expect(groups(device).requests).toHaveLength(1);
      expect(systemRow(device)).toMatchObject({ status: 1, sendId: 3, remark: "please" });
    }
    ann[1]?.dropConnection();
    void bob.client.groups.approve(1);
    await deliver();
    await scripted.advance(15_000);
    for (const device of leaders) {
      expect(groups(device).requests).toEqual([]);
      expect(systemRow(device)?.status).toBe(2);
    }
    expect(groups(eve)).toMatchObject({ order: [1], requests: [] });
  });

  test("G4 a sent request is listed on all devices of its sender until it is answered", async () => {
    const ann = await startDevice("ann");
    const eve = [await startDevice("eve"), await startDevice("eve")];
    void ann.client.groups.create({ name: "Climbers", memberIds: [] });
    await deliver();
    void ann.client.groups.setRights(1, { joinMode: JoinMode.APPROVAL, isFindable: true });
    await deliver();
    void eve[0]?.client.groups.apply(1, "please");
    await deliver();
    for (const device of eve) expect(groups(device).requests).toMatchObject([{ sendId: 2, status: 1 }]);
    void ann.client.groups.reject(1);
    await deliver();
    for (const device of [...eve, ann]) expect(groups(device).requests).toEqual([]);
  });
});
