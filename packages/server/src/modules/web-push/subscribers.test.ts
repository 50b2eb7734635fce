import { expect, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import { createSubscribers } from "./subscribers.ts";

const rethrow = (error: unknown): never => {
  throw error;
};

test("after an interruption of the bus everybody may have subscribed, until the store was asked again", async () => {
  const stored = [1];
  const work: Promise<void>[] = [];
  const bus = createMemoryBus(rethrow);
  const subscribers = createSubscribers({
    store: { listWebPushUsers: async () => [...stored], listWebPushSubscriptions: async () => [] },
    bus,
    inBackground: (promise) => void work.push(promise),
  });
  await subscribers.load();
  expect([1, 2, 3].map(subscribers.mayHave)).toEqual([true, false, false]);
  // On another node, and the event was lost.
  stored.push(2);
  bus.publish({ kind: "interrupted", gapMs: 1 });
  expect([1, 2, 3].map(subscribers.mayHave)).toEqual([true, true, true]);
  await Promise.all(work);
  expect([1, 2, 3].map(subscribers.mayHave)).toEqual([true, true, false]);
});
