import { expect, test } from "vitest";
import { callTime } from "./call-time.ts";

test("a call shows minutes and seconds with two digits, and hours once there are any", () => {
  expect([0, 59, 266, 3_599, 3_600, 36_061].map(callTime)).toEqual([
    "00:00",
    "00:59",
    "04:26",
    "59:59",
    "1:00:00",
    "10:01:01",
  ]);
});
