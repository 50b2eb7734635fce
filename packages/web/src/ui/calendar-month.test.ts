import { expect, test } from "vitest";
import { addMonths, stepDay, weeksOf, withinDays } from "./calendar-month.ts";
import { addDays, daysOf } from "./month.ts";

test("R162 months have their number of days, and weeks begin with the first weekday of the language", () => {
  expect(daysOf("2024-02")).toHaveLength(29);
  expect(daysOf("2026-02")).toHaveLength(28);
  // 2026-09-01 is a Tuesday.
  expect(weeksOf("2026-09", 1)[0]).toEqual([null, ...daysOf("2026-09").slice(0, 6)]);
  expect(weeksOf("2026-09", 0)[0]).toEqual([null, null, ...daysOf("2026-09").slice(0, 5)]);
  expect(weeksOf("2026-09", 1).flat().filter(Boolean)).toEqual(daysOf("2026-09"));
  for (const week of weeksOf("2026-08", 0)) expect(week).toHaveLength(7);
});

test("R162 keys move by days, weeks, months and years", () => {
  const from = "2026-03-31";
  for (const [key, isShift, to] of [
    ["ArrowLeft", false, "2026-03-30"],
    ["ArrowRight", false, "2026-04-01"],
    ["ArrowUp", false, "2026-03-24"],
    ["ArrowDown", false, "2026-04-07"],
    ["Home", false, "2026-03-30"],
    ["End", false, "2026-04-05"],
    ["PageUp", false, "2026-02-28"],
    ["PageDown", false, "2026-04-30"],
    ["PageUp", true, "2025-03-31"],
    ["PageDown", true, "2027-03-31"],
    ["a", false, null],
  ] as const) {
    expect(stepDay(from, key, isShift, 1), key).toBe(to);
  }
  expect(stepDay(from, "Home", false, 0)).toBe("2026-03-29");
  expect(stepDay("2026-03-29", "Home", false, 0)).toBe("2026-03-29");
});

test("adding months crosses the end of a year and never skips a short month", () => {
  expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(addMonths("2024-02-29", 12)).toBe("2025-02-28");
  expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
  expect(addMonths("2026-12-15", 1)).toBe("2027-01-15");
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
});

test("a day outside of a range becomes the nearest day inside", () => {
  expect(withinDays("2026-09-09", "2026-01-01", "2026-09-03")).toBe("2026-09-03");
  expect(withinDays("1999-09-09", "2000-01-01", "2026-09-03")).toBe("2000-01-01");
  expect(withinDays("2026-09-02", "2000-01-01", "2026-09-03")).toBe("2026-09-02");
});
