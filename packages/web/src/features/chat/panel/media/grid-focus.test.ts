import { expect, test } from "vitest";
import { gridTarget } from "./grid-focus.ts";

test("B20 the keys of a grid move by one, by a row, and to its ends; they do not leave it", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "a"];
  expect(keys.map((key) => gridTarget(key, 4, 8))).toEqual([3, 5, 1, 7, 0, 7, null]);
  expect(keys.map((key) => gridTarget(key, 0, 8))).toEqual([0, 1, 0, 3, 0, 7, null]);
  expect(keys.map((key) => gridTarget(key, 7, 8))).toEqual([6, 7, 4, 7, 0, 7, null]);
});
