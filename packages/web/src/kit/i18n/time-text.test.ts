import { describe, expect, test, afterEach, beforeEach, vi } from "vitest";
import type { Translate } from "./i18n.ts";
import { clockTime, dueTime, lastSeenText, listTime, tipTime, watchToday, callTime } from "./time-text.ts";

const t: Translate = (id) => `<${id}>`;
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

describe("LS4 when somebody was last seen", () => {
  test.each([
    ["just now", at(2026, 10, 21, 13, 4), "<presence.seen.now>"],
    ["minutes ago", at(2026, 10, 21, 13, 1), "<presence.seen.minutes> 4"],
    ["the time today", at(2026, 10, 21, 9, 3), "<presence.seen.today> 09:03"],
    ["yesterday", at(2026, 10, 20, 9, 3), "<presence.seen.yesterday>"],
    ["the date", at(2026, 10, 2, 9, 3), "<presence.seen.date> Nov 2"],
    ["long ago", at(2026, 6, 2, 9, 3), "<presence.seen.longAgo>"],
  ])("is %s", (_, time, expected) => {
    const withValues: Translate = (id, values = {}) => [`<${id}>`, ...Object.values(values)].join(" ");
    expect(lastSeenText(time, NOW, "en-US", withValues)).toBe(expected);
  });
});

test("a time to come has its day unless it is today", () => {
  expect(dueTime(at(2026, 10, 21, 23, 59), NOW, "zh-CN")).toBe("23:59");
  expect(dueTime(at(2026, 10, 22, 0, 0), NOW, "zh-CN")).toBe("11月22日周日 00:00");
  expect(dueTime(at(2026, 10, 28, 9, 3), NOW, "en-US")).toBe("Sat, Nov 28 09:03");
  expect(dueTime(at(2027, 0, 2, 9, 3), NOW, "en-US")).toBe("Sat, Jan 2, 2027 09:03");
});

test("other languages write the month as a number in lists", () => {
  expect(listTime(at(2026, 0, 2, 9, 0), NOW, "zh-CN", t)).toBe("01/02");
  expect(listTime(at(2025, 11, 31, 9, 0), NOW, "zh-TW", t)).toBe("2025/12/31");
});

test("midnight is 00:00 in every language", () => {
  for (const locale of ["zh-CN", "en-US", "zh-TW"] as const)
    expect(clockTime(at(2026, 1, 1, 0, 0), locale)).toBe("00:00");
});

describe("the current day", () => {
  const HOUR_MS = 3_600_000;

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 4, 31, 22) });
    vi.stubGlobal("document", new EventTarget());
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("listeners are notified at each local midnight", () => {
    const days: string[] = [];
    const stop = watchToday(() => days.push(new Date().toDateString()));
    vi.advanceTimersByTime(2 * HOUR_MS - 1);
    expect(days).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(days).toEqual(["Mon Jun 01 2026"]);
    vi.advanceTimersByTime(24 * HOUR_MS);
    expect(days).toEqual(["Mon Jun 01 2026", "Tue Jun 02 2026"]);
    stop();
  });

  test("a page that was suspended over midnight notifies when it becomes visible", () => {
    const days: string[] = [];
    const stop = watchToday(() => days.push(new Date().toDateString()));
    vi.setSystemTime(new Date(2026, 5, 1, 8));
    document.dispatchEvent(new Event("visibilitychange"));
    expect(days).toEqual(["Mon Jun 01 2026"]);
    stop();
  });

  test("all listeners share one timer, and none runs without listeners", () => {
    const stops = [watchToday(() => undefined), watchToday(() => undefined)];
    expect(vi.getTimerCount()).toBe(1);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("how long a call lasts", () => {
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
});
