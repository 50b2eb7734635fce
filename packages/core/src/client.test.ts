import { beforeEach, describe, expect, test } from "vitest";
import { createDevice, type Device } from "./testing/device.ts";
import { createFakeClock, type FakeClock } from "./testing/fake-clock.ts";
import { createFakeServer, type FakeServer } from "./testing/fake-server/fake-server.ts";
import { flushNetwork } from "./testing/network.ts";

let clock: FakeClock;
let server: FakeServer;
let devices: Device[];

async function startDevice(userName: string, name = userName): Promise<Device> {
  const device = createDevice({ clock, server, name, userName });
  devices.push(device);
  const started = device.start();
  await flushNetwork(devices, server, clock);
  await started;
  await flushNetwork(devices, server, clock);
  return device;
}

const flush = () => flushNetwork(devices, server, clock);

async function advanceTime(ms: number): Promise<void> {
  clock.advance(ms);
  await flush();
}

beforeEach(() => {
  clock = createFakeClock();
  server = createFakeServer(() => clock.now());
  devices = [];
  server.addUser("ann");
  server.addUser("bob");
});

async function befriend(): Promise<[Device, Device]> {
  const ann = await startDevice("ann");
  const bob = await startDevice("bob");
  void ann.client.contacts.apply(2, "hello");
  await flush();
  const [request] = bob.client.getState().contacts.requests;
  expect(request?.remark).toBe("hello");
  void bob.client.contacts.approve(request?.id ?? 0);
  await flush();
  return [ann, bob];
}

describe("two users", () => {
  test("become friends and see each other's messages and read positions", async () => {
    const [ann, bob] = await befriend();
    expect(ann.client.getState().connection.kind).toBe("online");
    expect(ann.client.getState().contacts.order).toEqual([2]);
    expect(ann.client.getState().contacts.requests).toEqual([]);
    expect(bob.client.getState().contacts.order).toEqual([1]);
    const system = bob.client.getState().chats.byKey["SYSTEM:0"];
    expect(system?.window.messages[0]?.system?.request?.status).toBe(2);
    expect(system?.isTop).toBe(true);

    ann.client.chats.open("PRIVATE:2");
    ann.client.chats.sendText("PRIVATE:2", "hi");
    expect(ann.client.getState().chats.byKey["PRIVATE:2"]?.preview?.text).toBe("hi");
    await flush();
    const bobsChat = bob.client.getState().chats.byKey["PRIVATE:1"];
    expect(bobsChat?.window.messages.map((m) => m.content)).toEqual(["friends now", "hi"]);
    expect(bobsChat?.unread).toBe(1);
    expect(bob.ports.sounds).toEqual(["message"]);

    bob.client.chats.markReadUpTo("PRIVATE:1", bobsChat?.window.messages.at(-1)?.id ?? 0);
    await advanceTime(500);
    expect(bob.client.getState().chats.byKey["PRIVATE:1"]?.unread).toBe(0);
    expect(ann.client.getState().chats.byKey["PRIVATE:2"]?.window.messages.at(-1)?.status).toBe(3);
  });

  test("a reload shows the list and the last chat before the network answers", async () => {
    const [ann] = await befriend();
    ann.client.chats.open("PRIVATE:2");
    ann.client.chats.sendText("PRIVATE:2", "one");
    await advanceTime(1_000);
    void ann.reload({ wipe: false });
    // Only microtasks run here: the network does not answer.
    const { flushMicrotasks } = await import("./testing/flush-microtasks.ts");
    await flushMicrotasks();
    const state = ann.client.getState();
    expect(state.session.kind).toBe("active");
    expect(state.chats.openKey).toBe("PRIVATE:2");
    expect(state.chats.byKey["PRIVATE:2"]?.window.messages.map((m) => m.content)).toEqual([
      "friends now",
      "one",
    ]);
    expect(state.contacts.friends[2]?.nickName).toBe("BOB");
  });
});
