import { expect, test } from "vitest";
import { isBanReason } from "./ban-reason.ts";

test("a reason has 1 to 100 characters that every store can hold", () => {
  expect(["spam", "😀".repeat(100)].every(isBanReason)).toBe(true);
  expect(["", " \n", "😀".repeat(101), "a\0"].some(isBanReason)).toBe(false);
});
