import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { endOfDay, isoDay, readDay, startOfDay } from "./day.ts";

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

test("a day ends just before the next one begins", () => {
  expect(endOfDay(startOfDay("2026-12-31"))).toBe(new Date(2027, 0, 1).getTime() - 1);
});

test("a day on which the clocks change ends at midnight too", () => {
  const code = `const { startOfDay, endOfDay } = await import("${new URL("day.ts", import.meta.url).href}");
    const hoursOf = (start) => (endOfDay(start) + 1 - start) / 3_600_000;
    console.log(...["2026-10-24", "2026-10-25", "2026-03-29"].map(startOfDay).map(hoursOf));`;
  // A time zone belongs to a whole process.
  const options = { env: { ...process.env, TZ: "Europe/Berlin" }, encoding: "utf8" } as const;
  const hours = execFileSync(process.execPath, ["--input-type=module", "--eval", code], options);
  expect(hours.trim()).toBe("24 25 23");
});
