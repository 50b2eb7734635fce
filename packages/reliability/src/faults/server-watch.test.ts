import { expect, test } from "vitest";
import type { ResourceUsage } from "../process-inspector.ts";
import { growthUnder } from "./server-watch.ts";

/** What a server uses after each load, as far as it differs from these. */
async function growth(...usages: Partial<ResourceUsage>[]) {
  let loads = 0;
  const { violations } = await growthUnder(
    () => Promise.resolve(void loads++),
    () => Promise.resolve({ heap: 100, external: 10, rss: 1_000, files: 20, handles: 10, ...usages[loads] }),
  );
  return { violations, loads };
}

test("INV8 memory that grows with every load is a leak, however large it is already", async () => {
  expect(await growth({}, { heap: 111 }, { heap: 122 }, { heap: 133 })).toEqual({
    violations: ["heap: 122 became 133"],
    loads: 3,
  });
  expect((await growth({}, { rss: 1_101 }, { rss: 1_202 }, { rss: 1_303 })).violations).toHaveLength(1);
  expect((await growth({}, { files: 29 }, { files: 38 }, { files: 47 })).violations).toHaveLength(1);
});

test("INV8 memory that has grown once and stays is no leak", async () => {
  expect(await growth({}, { heap: 110, rss: 1_100, files: 28 })).toEqual({ violations: [], loads: 1 });
  expect(await growth({}, { rss: 1_500 }, { rss: 1_500 })).toEqual({ violations: [], loads: 2 });
  expect(await growth({}, { rss: 1_500 }, { rss: 1_700 }, { rss: 1_790 })).toEqual({
    violations: [],
    loads: 3,
  });
});
