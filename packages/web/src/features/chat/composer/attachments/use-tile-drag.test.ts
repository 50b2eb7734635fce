import { expect, test } from "vitest";
import { dropPosition, edgeSpeed, withMoved } from "./use-tile-drag.ts";

test("E7 a moved file takes its place among the others", () => {
  expect(withMoved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(withMoved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(withMoved(["a", "b", "c"], 1, 1)).toEqual(["a", "b", "c"]);
  expect(withMoved(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
  expect(withMoved(["a", "b", "c"], 2, 9)).toEqual(["a", "b", "c"]);
  expect(withMoved(["a"], 4, 0)).toEqual(["a"]);
});

test("E7 a dragged file is dropped behind those whose middle it has passed", () => {
  expect(dropPosition([30, 100, 170], 0)).toBe(0);
  expect(dropPosition([30, 100, 170], 31)).toBe(1);
  expect(dropPosition([30, 100, 170], 999)).toBe(3);
  expect(dropPosition([], 5)).toBe(0);
});

test("E7 the strip scrolls under a dragged file that is near its edge", () => {
  const strip = { left: 100, right: 500 };
  expect([148, 300, 452].map((x) => edgeSpeed(x, strip))).toEqual([0, 0, 0]);
  expect([124, 100, 20].map((x) => edgeSpeed(x, strip))).toEqual([-510, -900, -900]);
  expect([476, 500, 600].map((x) => edgeSpeed(x, strip))).toEqual([510, 900, 900]);
});
