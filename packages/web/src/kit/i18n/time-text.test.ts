import { describe, expect, test } from "vitest";
import type { Text } from "./i18n.ts";
import { clockTime, listTime, tipTime } from "./time-text.ts";

const t: Text = (id) => `<${id}>`;
const NOW = new Date(2026, 10, 21, 13, 5).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

describe("a time in a list", () => {
  test.each([
    ["the time today", at(2026, 10, 21, 0, 0), "00:00"],
    ["Yesterday for the day before, even a few minutes ago", at(2026, 10, 20, 23, 59), "<time.yesterday>"],
    ["month and day this year", at(2026, 0, 2, 9, 0), "Jan 2"],
    ["the full date in earlier years", at(2025, 11, 31, 9, 0), "Dec 31, 2025"],
    ["the time for a message from a clock that is ahead", at(2026, 10, 21, 13, 9), "13:09"],
  ])("is %s", (_, time, expected) => {
    expect(listTime(time, NOW, "en-US", t)).toBe(expected);
  });
});

test("the time of a tip has the day and the time", () => {
  expect(tipTime(at(2026, 10, 21, 9, 3), NOW, "zh-CN", t)).toBe("09:03");
  expect(tipTime(at(2026, 10, 20, 9, 3), NOW, "zh-CN", t)).toBe("<time.yesterday> 09:03");
  expect(tipTime(at(2026, 5, 12, 9, 3), NOW, "zh-CN", t)).toBe("6月12日周五 09:03");
  expect(tipTime(at(2026, 5, 12, 9, 3), NOW, "en-US", t)).toBe("Fri, Jun 12 09:03");
  expect(tipTime(at(2025, 5, 12, 9, 3), NOW, "en-US", t)).toBe("Thu, Jun 12, 2025 09:03");
});

test("other languages write the month as a number in lists", () => {
  expect(listTime(at(2026, 0, 2, 9, 0), NOW, "zh-CN", t)).toBe("01/02");
  expect(listTime(at(2025, 11, 31, 9, 0), NOW, "zh-TW", t)).toBe("2025/12/31");
});

test("midnight is 00:00 in every language", () => {
  for (const locale of ["zh-CN", "en-US", "zh-TW"] as const)
    expect(clockTime(at(2026, 1, 1, 0, 0), locale)).toBe("00:00");
});
