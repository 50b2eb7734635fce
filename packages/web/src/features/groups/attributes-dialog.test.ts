import { expect, test } from "vitest";
import { attributesOf, pairErrors, type Pair } from "./attributes-dialog.tsx";

const pairs = (...lines: readonly (readonly [string, string])[]): readonly Pair[] =>
  lines.map(([key, value], id) => ({ id, key, value }));

test("trims names and values and leaves out blank lines", () => {
  const lines = pairs([" place ", " here "], ["", "  "], ["day", ""]);
  expect(pairErrors(lines).size).toBe(0);
  expect(attributesOf(lines)).toEqual({ place: "here", day: "" });
});

test("reports what is wrong with each line", () => {
  const errors = pairErrors(
    pairs(["", "value"], ["a", "1"], [" a ", "2"], ["x".repeat(21), ""], ["b", "y".repeat(129)]),
  );
  expect([...errors]).toEqual([
    [0, { key: "required" }],
    [2, { key: "twice" }],
    [3, { key: "tooLong" }],
    [4, { value: "tooLong" }],
  ]);
});
