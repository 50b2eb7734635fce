import { expect, test } from "vitest";
import type { Failure } from "../model/state.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createDurableQueue, type DurableQueueOptions } from "./durable-queue.ts";

interface Entry {
  readonly id: string;
  readonly lane: string;
  readonly text: string;
  readonly isRefused?: boolean;
}

const OFFLINE: Failure = { kind: "network", reason: "offline" };
const REFUSED: Failure = { kind: "refused", code: 500, key: null, params: {}, message: "" };

function setUp(options: Partial<DurableQueueOptions<Entry>> = {}) {
  const clock = createFakeClock();
  const device = { hasNetwork: true, stored: new Map<string, Entry>() };
  const sends: { readonly text: string; answer(failure: Failure | null): Promise<void> }[] = [];
  const events: string[] = [];
  const queue = createDurableQueue<Entry>({
    ports: {
      clock,
      environment: { hasNetwork: () => device.hasNetwork } as never,
      log: { debug: () => {}, warn: (text) => events.push(text), error: () => {} },
    },
    idOf: ({ id }) => id,
    laneOf: ({ lane }) => lane,
    isWaiting: ({ isRefused = false }) => !isRefused,
    load: () => Promise.resolve([...device.stored.values()]),
    save(changed, removedIds) {
      for (const entry of changed) device.stored.set(entry.id, entry);
      for (const id of removedIds) device.stored.delete(id);
    },
    send: ({ text }) =>
      new Promise((resolve) => {
        const answer = (failure: Failure | null) => {
          resolve(failure);
          return flushMicrotasks();
        };
        sends.push({ text, answer });
      }),
    onUnanswered: ({ text }) => events.push(`${text} unanswered`),
    ...options,
  });
  return {
    queue,
    clock,
    device,
    events,
    send: (index: number) => sends[index]!,
    sent: () => sends.map(({ text }) => text),
    stored: () => [...device.stored.values()].map(({ text }) => text),
    put: (text: string, lane = "a", id = text) => queue.put({ id, lane, text }),
  };
}

test("the entries of a lane are sent one after another, and lanes do not wait for each other", async () => {
  const { put, send, sent, stored } = setUp();
  void put("one");
  void put("two");
  void put("three", "b");
  expect(sent()).toEqual(["one", "three"]);
  expect(stored()).toEqual(["one", "two", "three"]);
  await send(0).answer(null);
  expect(sent()).toEqual(["one", "three", "two"]);
  expect(stored()).toEqual(["two", "three"]);
});

test("an unanswered entry is sent again after 5 s, before those behind it", async () => {
  const { put, send, sent, clock, events } = setUp();
  const attempt = put("one");
  void put("two");
  await send(0).answer(OFFLINE);
  expect(await attempt).toBeNull();
  expect(events).toEqual(["one unanswered"]);
  clock.advance(4_999);
  expect(sent()).toEqual(["one"]);
  clock.advance(1);
  expect(sent()).toEqual(["one", "one"]);
});

test("an entry that is being sent is not sent beside itself", async () => {
  const { put, send, sent, clock, queue } = setUp();
  void put("one");
  await send(0).answer(OFFLINE);
  queue.retry();
  queue.retry();
  clock.advance(60_000);
  expect(sent()).toEqual(["one", "one"]);
});

test("without a network nothing is sent until it is back", async () => {
  const { put, sent, clock, device, queue } = setUp();
  device.hasNetwork = false;
  expect(await put("one")).toBeNull();
  void put("two", "b");
  clock.advance(60_000);
  queue.retry();
  expect(sent()).toEqual([]);
  device.hasNetwork = true;
  queue.retry();
  expect(sent()).toEqual(["one", "two"]);
});

test("a refused entry is removed, its failure is returned, and the next one is sent", async () => {
  const { put, send, sent, stored } = setUp();
  const attempt = put("one");
  void put("two");
  await send(0).answer(REFUSED);
  expect(await attempt).toBe(REFUSED);
  expect(sent()).toEqual(["one", "two"]);
  expect(stored()).toEqual(["two"]);
});

test("what stays of a refused entry keeps its place and is sent when it waits again", async () => {
  const { put, send, sent, stored, queue } = setUp({ onRefused: (entry) => ({ ...entry, isRefused: true }) });
  void put("one");
  void put("two");
  await send(0).answer(REFUSED);
  expect(stored()).toEqual(["one", "two"]);
  queue.retry();
  expect(sent()).toEqual(["one", "two"]);
  await send(1).answer(OFFLINE);
  void put("one");
  expect(sent()).toEqual(["one", "two", "one"]);
});

test.each<[Failure, boolean]>([
  [{ kind: "network", reason: "timeout" }, true],
  [{ kind: "loggedOut" }, true],
  [{ kind: "http", status: 429, message: "" }, true],
  [{ kind: "http", status: 503, message: "" }, true],
  [{ kind: "http", status: 400, message: "" }, false],
  [REFUSED, false],
])("after %j an entry stays in the queue: %s", async (failure, isWaiting) => {
  const { put, send, stored } = setUp();
  void put("one");
  await send(0).answer(failure);
  expect(stored()).toEqual(isWaiting ? ["one"] : []);
});

test("an entry that was replaced while it was being sent is sent again", async () => {
  const { put, send, sent, stored } = setUp();
  void put("one", "a", "id");
  void put("two", "a", "id");
  expect(sent()).toEqual(["one"]);
  await send(0).answer(null);
  expect(sent()).toEqual(["one", "two"]);
  await send(1).answer(null);
  expect([sent(), stored()]).toEqual([["one", "two"], []]);
});

test.each([OFFLINE, REFUSED])(
  "an entry that was removed while it was being sent is over: %j",
  async (failure) => {
    const { put, send, sent, clock, events, queue } = setUp({
      onRefused(entry) {
        events.push("refused");
        return entry;
      },
    });
    const attempt = put("one");
    void put("two");
    queue.remove(["one", "unknown"]);
    await send(0).answer(failure);
    expect(await attempt).toBeNull();
    expect([events, sent()]).toEqual([[], ["one", "two"]]);
    await send(1).answer(null);
    clock.advance(60_000);
    expect(sent()).toEqual(["one", "two"]);
  },
);

test("after a reload the entries that waited come before those added while they were read, and all are saved", async () => {
  const { put, sent, stored, device, queue } = setUp();
  const waiting = ["one", "two"].map((text): [string, Entry] => [text, { id: text, lane: "a", text }]);
  device.hasNetwork = false;
  device.stored = new Map(waiting);
  const restored = queue.restore();
  void put("three");
  device.stored = new Map(waiting);
  await restored;
  expect(queue.entries().map(({ text }) => text)).toEqual(["one", "two", "three"]);
  expect([queue.get("two")?.text, queue.get("four")]).toEqual(["two", undefined]);
  expect(stored()).toEqual(["one", "two", "three"]);
  expect(sent()).toEqual([]);
  device.hasNetwork = true;
  queue.retry();
  expect(sent()).toEqual(["one"]);
});

test("entries that replace each other are sent at most once in the time that they wait", async () => {
  const { put, send, sent, clock } = setUp({ delayMs: 500 });
  void put("one", "a", "id");
  clock.advance(499);
  void put("two", "a", "id");
  expect(sent()).toEqual([]);
  clock.advance(1);
  expect(sent()).toEqual(["two"]);
  void put("three", "a", "id");
  await send(0).answer(null);
  clock.advance(499);
  expect(sent()).toEqual(["two"]);
  clock.advance(1);
  expect(sent()).toEqual(["two", "three"]);
  await send(1).answer(OFFLINE);
  void put("four", "a", "id");
  clock.advance(4_999);
  expect(sent()).toHaveLength(2);
  clock.advance(1);
  expect(sent()).toEqual(["two", "three", "four"]);
});

test("an entry that cannot be sent at all waits like one without an answer, and blocks its lane no longer", async () => {
  let isBroken = true;
  const sent: string[] = [];
  const { put, clock, events } = setUp({
    send: ({ text }) => {
      sent.push(text);
      return isBroken ? Promise.reject(new URIError("half a character")) : Promise.resolve(null);
    },
  });
  expect(await put("one")).toBeNull();
  expect(events).toEqual(["an entry could not be sent", "one unanswered"]);
  isBroken = false;
  clock.advance(5_000);
  await flushMicrotasks();
  void put("two");
  expect(sent).toEqual(["one", "one", "two"]);
});
