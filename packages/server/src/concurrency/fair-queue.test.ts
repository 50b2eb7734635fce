import { expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { FairQueue } from "./fair-queue.ts";

function createQueue(runningMax: number, waitingMax: number) {
  const queue = new FairQueue({ runningMax, waitingMax, full: () => new Error("full") });
  const started: string[] = [];
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = queue.run(name.slice(0, 1), () => {
      started.push(name);
      return promise;
    });
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { queue, started, start };
}

test("a source with one piece of work waits for one of each other source, and not for all of them", async () => {
  const { queue, started, start } = createQueue(1, 10);
  const work = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map(start);
  expect(queue.waiting).toBe(6);
  for (const { end } of work) end();
  await Promise.all(work.map(({ done }) => done));
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  expect(queue.waiting).toBe(0);
});

test("work that fails makes room for the next, and a free place is used at once", async () => {
  const { queue, started, start } = createQueue(2, 10);
  const [a, b, c] = [start("a"), start("b"), start("c")];
  expect(started).toEqual(["a", "b"]);
  b?.fail();
  await expect(b?.done).rejects.toThrow("b");
  await eventually(() => expect(started).toEqual(["a", "b", "c"]));
  a?.end();
  c?.end();
  await Promise.all([a?.done, c?.done]);
  const [d, e] = [start("d"), start("e")];
  expect(started.slice(3)).toEqual(["d", "e"]);
  expect(queue.waiting).toBe(0);
  d.end();
  e.end();
  await Promise.all([d.done, e.done]);
});

test("in a full queue the source with the most gives up its newest piece; a source that would have as many is refused", async () => {
  const { queue, started, start } = createQueue(1, 3);
  const running = start("x");
  const [a1, a2, a3] = [start("a1"), start("a2"), start("a3")];
  const a4 = start("a4");
  await expect(a4.done).rejects.toThrow("full");
  const b1 = start("b1");
  await expect(a3?.done).rejects.toThrow("full");
  const b2 = start("b2");
  await expect(b2.done).rejects.toThrow("full");
  expect(queue.waiting).toBe(3);
  const rest = [running, a1, a2, b1];
  for (const piece of rest) piece?.end();
  await Promise.all(rest.map((piece) => piece?.done));
  expect(started).toEqual(["x", "a1", "b1", "a2"]);
});

test("a source has no more pieces running than it may, and places that it cannot use are for others", async () => {
  const queue = new FairQueue({
    runningMax: 2,
    runningOfSourceMax: 1,
    waitingMax: 10,
    full: () => new Error("full"),
  });
  const started: string[] = [];
  const start = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue.run(name.slice(0, 1), () => {
      started.push(name);
      return promise;
    });
    return { done, end: resolve };
  };
  const [a1, a2, a3] = [start("a1"), start("a2"), start("a3")];
  expect([started, queue.waiting]).toEqual([["a1"], 2]);
  const [b1, c1] = [start("b1"), start("c1")];
  expect([started, queue.waiting]).toEqual([["a1", "b1"], 3]);
  b1.end();
  await b1.done;
  await eventually(() => expect(started).toEqual(["a1", "b1", "c1"]));
  a1.end();
  await eventually(() => expect(started).toEqual(["a1", "b1", "c1", "a2"]));
  for (const { end } of [c1, a2, a3]) end();
  await Promise.all([a1, a2, a3, c1].map(({ done }) => done));
  expect(queue.waiting).toBe(0);
});

test("work whose signal comes while it waits leaves the queue; later it has no effect on the queue", async () => {
  const queue = new FairQueue({ runningMax: 1, waitingMax: 10, full: () => new Error("full") });
  const first = Promise.withResolvers<void>();
  const running = queue.run("a", () => first.promise);
  const [gone, stays] = [new AbortController(), new AbortController()];
  const began: string[] = [];
  const left = queue.run("b", async () => void began.push("left"), gone.signal);
  const second = queue.run("b", async () => void began.push("second"), stays.signal);
  expect(queue.waiting).toBe(2);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(queue.waiting).toBe(1);
  first.resolve();
  await Promise.all([running, second]);
  stays.abort(new Error("late"));
  expect([began, queue.waiting]).toEqual([["second"], 0]);
  await expect(queue.run("c", () => Promise.resolve(), gone.signal)).rejects.toThrow("gone");
});
