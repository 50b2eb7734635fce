import { expect, test } from "vitest";
import { isoDay, readDay, startOfDay } from "./day.ts";

test("days are parsed in the formats of all three languages, year first", () => {
  for (const text of ["2026-09-03", "2026-9-3", "2026/9/3", " 2026.09.03 ", "2026年9月3日", "20260903"]) {
    expect(readDay(text)).toBe("2026-09-03");
  }
});

test("an invalid or incomplete day is null", () => {
  for (const text of [
    "",
    "2026",
    "2026-9",
    "2026-11",
    "202611",
    "2026-02-30",
    "2026-13-01",
    "03/09/2026",
    "yesterday",
  ]) {
    expect(readDay(text)).toBeNull();
  }
});

test("a day begins at midnight in the reader's time zone", () => {
  const noon = new Date(2026, 8, 3, 12);
  expect(isoDay(noon)).toBe("2026-09-03");
  expect(startOfDay("2026-09-03")).toBe(new Date(2026, 8, 3).getTime());
});
