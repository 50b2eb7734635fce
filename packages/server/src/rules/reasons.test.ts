import { expect, test } from "vitest";
import { isReason } from "./reasons.ts";

test("a reason has 1 to 100 characters that every store can hold", () => {
  expect(["spam", "😀".repeat(100)].every(isReason)).toBe(true);
  expect(["", " \n", "😀".repeat(101), "a\0"].some(isReason)).toBe(false);
});
