import { expect, test } from "vitest";
import { type CallEnding, callRecordText } from "./call-record.ts";

test.each([
  ["ended", 0, "通话时长 00:00"],
  ["ended", 61, "通话时长 01:01"],
  ["ended", 6_001, "通话时长 100:01"],
  ["cancelled", 0, "已取消"],
  ["rejected", 0, "已拒绝"],
  ["unanswered", 0, "未接通"],
  ["busy", 0, "未接通"],
  ["failed", 9, "未接通"],
] satisfies [CallEnding, number, string][])(
  "a call that %s after %i s has the record %s",
  (ending, seconds, text) => {
    expect(callRecordText(ending, seconds, "zh-CN")).toBe(text);
  },
);

test("a record is written in the language of the server", () => {
  expect(callRecordText("ended", 5, "en")).toBe("Duration 00:05");
  expect(callRecordText("rejected", 5, "zh-TW")).toBe("已拒絕");
});
