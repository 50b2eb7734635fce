import { expect, test } from "vitest";
import { dropPosition, withMoved } from "./strip-order.ts";

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
