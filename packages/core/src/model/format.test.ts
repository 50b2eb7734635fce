import { describe, expect, test } from "vitest";
import { chat } from "../testing/builders.ts";
import { clampSidebar, fileSize, playTime, timeFormat, titleParts } from "./format.ts";
import { isAnyChatLoading, totalUnread } from "./selectors.ts";

const NOW = Date.UTC(2026, 2, 1, 12);

describe("times", () => {
  test.each([
    ["2026-03-01T00:00:00Z", "time"],
    ["2026-03-01T13:00:00Z", "time"],
    ["2026-02-28T23:59:59Z", "yesterday"],
    ["2026-02-28T00:00:00Z", "yesterday"],
    ["2026-02-27T23:59:59Z", "monthDay"],
    ["2026-01-01T00:00:00Z", "monthDay"],
    ["2025-12-31T23:59:59Z", "date"],
    ["2024-02-29T12:00:00Z", "date"],
  ])("D1 %s shows as %s", (time, format) => {
    expect(timeFormat(Date.parse(time), NOW, 0)).toBe(format);
  });

  test("D1 yesterday follows the reader's time zone, also at the turn of the year", () => {
    const evening = Date.parse("2026-02-28T20:00:00Z");
    expect(timeFormat(evening, NOW, 480)).toBe("time");
    const newYear = Date.parse("2026-01-01T01:00:00Z");
    expect(timeFormat(newYear - 7_200_000, newYear, 0)).toBe("yesterday");
    expect(timeFormat(Date.parse("2025-12-31T17:00:00Z"), NOW, 480)).toBe("monthDay");
  });
});

describe("widths", () => {
  test.each([
    [250, 1_440, 250],
    [100, 1_440, 200],
    [900, 1_440, 400],
    [250, 700, 250],
    [250, 699, 180],
    [250, 550, 180],
    [250, 549, 150],
  ])("D2 a sidebar of %i px in a viewport of %i px is %i px wide", (width, viewport, clamped) => {
    expect(clampSidebar(width, viewport)).toBe(clamped);
  });
});

describe("titles and totals", () => {
  test("D3 the title has the unread count and the nickname or user name, else no name", () => {
    expect(titleParts({ nickName: "Ann", userName: "ann" }, 3)).toEqual({ unread: 3, name: "Ann" });
    expect(titleParts({ nickName: "", userName: "ann" }, 0)).toEqual({ unread: 0, name: "ann" });
    expect(titleParts(null, -1)).toEqual({ unread: 0, name: null });
  });

  test("D6 CP9 the total of unread messages leaves muted and archived chats out", () => {
    const byKey = Object.fromEntries(
      [
        chat({ key: "PRIVATE:2", unread: 1 }),
        chat({ key: "PRIVATE:3", unread: 10, msgRemind: 0 }),
        chat({ key: "GROUP:4", unread: 100, msgRemind: 0 }),
        chat({ key: "GROUP:5", unread: 1_000, msgRemind: 2 }),
        chat({ key: "PRIVATE:6", unread: 10_000 }),
      ].map((listed) => [listed.key, listed]),
    );
    const chatPrefs = { "PRIVATE:6": { v: 1, prefs: { archived: 7 } } };
    expect(totalUnread({ chats: { byKey }, firstChats: null, chatPrefs, unsentPrefs: {} })).toBe(101);
  });

  test("D6 some chat is loading if any kind of chat is", () => {
    expect(isAnyChatLoading({ loading: { PRIVATE: false, GROUP: true, SYSTEM: false } })).toBe(true);
    expect(isAnyChatLoading({ loading: { PRIVATE: false, GROUP: false, SYSTEM: false } })).toBe(false);
  });
});

describe("years and edges", () => {
  test("D1 the year is correct at the ends of leap years, centuries and 400-year eras", () => {
    const DAY = 86_400_000;
    for (const year of [
      1, 4, 100, 400, 1_600, 1_899, 1_900, 1_970, 1_999, 2_000, 2_001, 2_096, 2_100, 2_400, 2_401,
    ]) {
      const start = Date.UTC(2_000, 0, 1);
      const firstDay = new Date(start).setUTCFullYear(year);
      const nextYear = new Date(start).setUTCFullYear(year + 1);
      const lastDay = nextYear - DAY;
      expect(timeFormat(firstDay, lastDay, 0)).toBe("monthDay");
      expect(timeFormat(firstDay - DAY, lastDay, 0)).toBe("date");
      for (const month of [1, 2]) {
        const monthStart = new Date(firstDay).setUTCMonth(month);
        expect(timeFormat(monthStart - DAY, lastDay, 0)).toBe("monthDay");
        expect(timeFormat(firstDay, monthStart + DAY, 0)).toBe("monthDay");
      }
    }
  });

  test("D3 the title of a person without a name has no name", () => {
    expect(titleParts({ nickName: "", userName: "" }, 1)).toEqual({ unread: 1, name: null });
  });
});

describe("files", () => {
  test.each([
    [0, "0.00 B"],
    [512, "512.00 B"],
    [1_023, "1023.00 B"],
    [1_024, "1.00 KB"],
    [88_310, "86.24 KB"],
    [1_048_575, "1.00 MB"],
    [19_293_798, "18.40 MB"],
    [5_368_709_120, "5.00 GB"],
    [5_497_558_138_880, "5120.00 GB"],
    [-1, "0.00 B"],
    [NaN, "0.00 B"],
  ])("B9 a size of %j bytes is %s", (bytes, text) => {
    expect(fileSize(bytes)).toBe(text);
  });

  test.each([
    [0, "0:00"],
    [7.4, "0:07"],
    [59.6, "1:00"],
    [768, "12:48"],
    [3_723, "1:02:03"],
    [Infinity, "0:00"],
    [-2, "0:00"],
  ])("B13 %j seconds are %s", (seconds, text) => {
    expect(playTime(seconds)).toBe(text);
  });
});
