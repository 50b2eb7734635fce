import { expect, test } from "vitest";
import { lazyActions } from "./lazy-actions.ts";
import { LAZY_MODULES } from "./lazy-modules.ts";
import type { Result } from "./model/state.ts";

interface Counter {
  count(): Promise<Result<number>>;
}

function createCounter(): Counter {
  let calls = 0;
  return { count: () => Promise.resolve({ ok: true, value: ++calls }) };
}

test("calls that wait for the same module share its actions", async () => {
  const lazy = { load: () => Promise.resolve(LAZY_MODULES) };
  const counter = lazyActions<Counter>(lazy, { count: true }, createCounter);
  const results = await Promise.all([counter.count(), counter.count()]);
  expect([...results, await counter.count()].map((result) => result.ok && result.value)).toEqual([1, 2, 3]);
});
