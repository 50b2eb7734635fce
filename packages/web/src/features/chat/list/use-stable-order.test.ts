import { expect, test } from "vitest";
import { stableOrder } from "./use-stable-order.ts";

test("keeps rows in place while the order is frozen", () => {
  const shown = ["a", "b", "c"];
  expect(stableOrder(shown, ["c", "a", "b"], true)).toBe(shown);
  expect(stableOrder(shown, ["c", "a", "b"], false)).toEqual(["c", "a", "b"]);
});

test("drops removed rows and appends new ones while the order is frozen", () => {
  expect(stableOrder(["a", "b", "c"], ["d", "c", "a"], true)).toEqual(["a", "c", "d"]);
});

test("CF4 rows that a filter leaves out stay while the order is frozen, unless they have left the list", () => {
  expect(stableOrder(["a", "b", "c"], ["d", "c"], true, ["d", "c", "b"])).toEqual(["b", "c", "d"]);
  expect(stableOrder(["a", "b", "c"], ["d", "c"], false, ["d", "c", "b"])).toEqual(["d", "c"]);
});
