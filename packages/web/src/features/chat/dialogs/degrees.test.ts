import { expect, test } from "vitest";
import { readDegrees } from "./degrees.ts";

test("a place is typed in degrees, inside the globe", () => {
  expect(readDegrees(" 31.2304 ", 90)).toBe(31.2304);
  expect(readDegrees("31,2304", 90)).toBe(31.2304);
  expect(readDegrees("-180", 180)).toBe(-180);
  for (const wrong of ["", "91", "north", "1e2", "31.2.3", "--1"]) expect(readDegrees(wrong, 90)).toBeNull();
});
