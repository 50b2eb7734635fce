import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("work beyond the limit is queued and runs when other work ends or fails", async () => {
  const semaphore = new Semaphore(2);
  const started: string[] = [];
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = semaphore.run(() => {
      started.push(name);
      return promise;
    });
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  const [a, b, c, d] = [start("a"), start("b"), start("c"), start("d")];
  expect(started).toEqual(["a", "b"]);
  expect(semaphore.waiting).toBe(2);
  a.end();
  expect(await a.done).toBe("a");
  b.fail();
  await expect(b.done).rejects.toThrow("b");
  c.end();
  d.end();
  expect(await Promise.all([c.done, d.done])).toEqual(["c", "d"]);
  expect(started).toEqual(["a", "b", "c", "d"]);
  expect(semaphore.waiting).toBe(0);
  const [e, f, g] = [start("e"), start("f"), start("g")];
  expect(started.slice(4)).toEqual(["e", "f"]);
  expect(semaphore.waiting).toBe(1);
  for (const { end } of [e, f, g]) end();
  await Promise.all([e.done, f.done, g.done]);
});
