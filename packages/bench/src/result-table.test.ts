import { expect, test } from "vitest";
import { isWithinLimit, type ResultRow } from "./benchmark.ts";
import { markdownTable, plainTable, quantity } from "./result-table.ts";

const send: ResultRow = {
  what: "CPU a message",
  product: "70 us",
  reference: "50 us",
  value: 1.4,
  unit: "x",
  bound: "at most",
  limit: 1.7,
  aim: 1.35,
};

test("a row passes if its value is within or equal to its limit", () => {
  expect(isWithinLimit({ ...send, value: 1.7 })).toBe(true);
  expect(isWithinLimit({ ...send, value: 1.71 })).toBe(false);
  expect(isWithinLimit({ ...send, bound: "at least", value: 1.7 })).toBe(true);
  expect(isWithinLimit({ ...send, bound: "at least", value: 1.69 })).toBe(false);
});

test("a result that could not be measured fails", () => {
  expect(isWithinLimit({ ...send, value: NaN })).toBe(false);
  expect(isWithinLimit({ ...send, bound: "at least", value: NaN })).toBe(false);
  expect(quantity(NaN, "x")).toBe("none");
});

test("ratios have two decimals, sizes and counts at most one", () => {
  expect(quantity(1.4, "x")).toBe("1.40 x");
  expect(quantity(11.96, "KiB")).toBe("12 KiB");
  expect(quantity(7, "")).toBe("7");
});

test("the plain table aligns its columns and marks rows that fail", () => {
  const lines = plainTable([send, { ...send, what: "x", value: 2 }]).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain("CPU a message  70 us    50 us      1.40 x  at most 1.70 x  1.35 x  yes");
  expect(lines[3]).toMatch(/NO$/);
});

test("a bar inside a cell is escaped in the Markdown table", () => {
  const lines = markdownTable([{ ...send, what: "a | b" }]).split("\n");
  expect(lines[0]).toMatch(/^\| figure/);
  expect(lines[1]).toMatch(/^\| -+ \|/);
  expect(lines[2]).toContain("a \\| b");
});
