import { expect, test } from "vitest";
import { parseBanReason } from "./ban-reason.ts";

test("a reason has 1 to 100 characters that every store can hold", () => {
  expect(["spam", "😀".repeat(100)].map(parseBanReason)).toEqual(["spam", "😀".repeat(100)]);
  expect(parseBanReason(" spam\n")).toBe("spam");
  for (const reason of ["", " \n", "😀".repeat(101), "a\0"])
    expect(() => parseBanReason(reason)).toThrow("1 to 100");
});
