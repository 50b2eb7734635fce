import { flushMicrotasks } from "@parley/core/testing/flush-microtasks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedSimulation, createScriptedSimulation } from "./scripted-simulation.ts";
import type { SimulatedDevice } from "./simulation.ts";

let scripted: ScriptedSimulation;
beforeEach(async () => void (scripted = await createScriptedSimulation()));
afterEach(() => scripted.close());

async function befriend(): Promise<[SimulatedDevice, SimulatedDevice]> {
  const ann = await scripted.startDevice("ann");
  const bob = await scripted.startDevice("bob");
  void ann.client.contacts.apply(2, "hello");
  await scripted.deliver();
  const [request] = bob.client.getState().contacts.requests;
  expect(request?.remark).toBe("hello");
  void bob.client.contacts.approve(request?.id ?? 0);
  await scripted.deliver();
  return [ann, bob];
}

describe("two people", () => {
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
    await scripted.deliver();
    const bobsChat = bob.client.getState().chats.byKey["PRIVATE:1"];
    expect(bobsChat?.window.messages.map((m) => m.tip?.key ?? m.content)).toEqual([
      "friend.nowFriends",
      "hi",
    ]);
    expect(bobsChat?.unread).toBe(1);
    expect(bob.ports.sounds).toEqual(["message"]);

    bob.client.chats.markReadUpTo("PRIVATE:1", bobsChat?.window.messages.at(-1)?.id ?? 0);
    await scripted.advance(500);
    expect(bob.client.getState().chats.byKey["PRIVATE:1"]?.unread).toBe(0);
    expect(ann.client.getState().chats.byKey["PRIVATE:2"]?.window.messages.at(-1)?.status).toBe(3);
  });

  test("a reload shows the list and the last chat before the network answers", async () => {
    const [ann] = await befriend();
    ann.client.chats.open("PRIVATE:2");
    ann.client.chats.sendText("PRIVATE:2", "one");
    await scripted.advance(1_000);
    void ann.reload({ wipe: false });
    // Only microtasks run here: the network does not answer.
    await flushMicrotasks();
    const state = ann.client.getState();
    expect(state.session.kind).toBe("active");
    expect(state.chats.openKey).toBe("PRIVATE:2");
    expect(state.chats.byKey["PRIVATE:2"]?.window.messages.map((m) => m.tip?.key ?? m.content)).toEqual([
      "friend.nowFriends",
      "one",
    ]);
    expect(state.contacts.friends[2]?.nickName).toBe("BOB");
  });
});
