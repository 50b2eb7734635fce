import { expect, test } from "vitest";
import { isSameData } from "./same-data.ts";

test.each([
  ["equal primitives", 1, 1],
  ["null", null, null],
  ["no number", NaN, NaN],
  ["equal lists", [1, [2]], [1, [2]]],
  ["objects with the same fields in another order", { a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 }],
])("G14 %s count as unchanged", (_name, a, b) => {
  expect(isSameData(a, b)).toBe(true);
});

test.each([
  ["a number and its text", 1, "1"],
  ["null and an empty object", null, {}],
  ["no number and null", NaN, null],
  ["a list and an object with the same entries", [1], { 0: 1 }],
  ["lists in another order", [1, 2], [2, 1]],
  ["lists of another length", [1], [1, 2]],
  ["objects that differ inside", { a: { b: [1] } }, { a: { b: [2] } }],
  ["objects of which one has another field", { a: 1 }, { a: 1, b: 2 }],
  ["a field without a value and a field of another name", { a: undefined }, { b: undefined }],
])("G14 %s count as changed", (_name, a, b) => {
  expect(isSameData(a, b)).toBe(false);
  expect(isSameData(b, a)).toBe(false);
});
