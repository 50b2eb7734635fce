import { expect, it } from "vitest";
import { attributesOf, pairErrors } from "./attribute-pairs.ts";
import type { Pair } from "./attribute-pairs.ts";

const pairs = (...lines: readonly (readonly [string, string])[]): readonly Pair[] =>
  lines.map(([key, value], place) => ({ place, key, value }));

it("keeps names and values without the space around them, and no blank lines", () => {
  const some = pairs([" place ", " here "], ["", "  "], ["day", ""]);
  expect(pairErrors(some).size).toBe(0);
  expect(attributesOf(some)).toEqual({ place: "here", day: "" });
});

it("tells what is wrong with a line", () => {
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
