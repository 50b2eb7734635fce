import { expect, it } from "vitest";
import { steadyOrder } from "./steady-order.ts";

it("keeps rows in place while held", () => {
  const shown = ["a", "b", "c"];
  expect(steadyOrder(shown, ["c", "a", "b"], true)).toBe(shown);
  expect(steadyOrder(shown, ["c", "a", "b"], false)).toEqual(["c", "a", "b"]);
});

it("drops what went away and appends what is new while held", () => {
  expect(steadyOrder(["a", "b", "c"], ["d", "c", "a"], true)).toEqual(["a", "c", "d"]);
});
