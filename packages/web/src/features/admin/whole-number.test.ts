import { expect, test } from "vitest";
import { wholeNumber } from "./whole-number.ts";

test.each([
  ["1", 1],
  [" 20 ", 20],
  ["007", 7],
  ["100", 100],
  ["0", undefined],
  ["101", undefined],
  ["", undefined],
  ["1.5", undefined],
  ["-3", undefined],
  ["1e1", undefined],
  ["many", undefined],
])("what was typed as %j is the number %s from 1 to 100", (text, number) => {
  expect(wholeNumber(text, 1, 100)).toBe(number);
});
