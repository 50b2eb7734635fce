import { expect, test } from "vitest";
import { pagesToLoad } from "./use-paging.ts";

const both = { hasOlder: true, older: "idle", hasNewer: true, newer: "idle" } as const;
const view = (above: number, below: number) => ({ above, below, height: 500 });

test("pages are loaded when less than two view heights are left", () => {
  expect(pagesToLoad(both, view(1_000, 1_001), false)).toEqual({ older: true, newer: false });
  expect(pagesToLoad(both, view(1_001, 1_000), false)).toEqual({ older: false, newer: true });
});

test("older messages are not loaded ahead before the first scroll", () => {
  expect(pagesToLoad(both, view(51, 0), true).older).toBe(false);
  expect(pagesToLoad(both, view(50, 0), true).older).toBe(true);
});

test("pages that do not exist, are being loaded or have failed are not loaded", () => {
  const neither = { older: false, newer: false };
  expect(pagesToLoad({ ...both, hasOlder: false, hasNewer: false }, view(0, 0), false)).toEqual(neither);
  expect(pagesToLoad({ ...both, older: "loading", newer: "failed" }, view(0, 0), false)).toEqual(neither);
});
