import { expect, test } from "vitest";
import { parseDegrees } from "./parse-degrees.ts";

test("degrees are parsed; values that are no numbers or out of range are rejected", () => {
  expect(parseDegrees(" 31.2304 ", 90)).toBe(31.2304);
  expect(parseDegrees("31,2304", 90)).toBe(31.2304);
  expect(parseDegrees("-180", 180)).toBe(-180);
  for (const wrong of ["", "91", "north", "1e2", "31.2.3", "--1"]) expect(parseDegrees(wrong, 90)).toBeNull();
});
