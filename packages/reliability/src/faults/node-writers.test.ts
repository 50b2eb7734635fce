import { expect, test } from "vitest";
import { wrongOrderOf } from "./node-writers.ts";

test("texts that come twice are wrong, and those in another order only if nobody has sent one again", () => {
  expect(wrongOrderOf([0, 3, 7], true)).toBeUndefined();
  expect(wrongOrderOf([0, 7, 3], true)).toBe("in another order than that of writing");
  expect(wrongOrderOf([0, 7, 3], false)).toBeUndefined();
  expect(wrongOrderOf([0, 3, 3], false)).toBe("twice");
});
