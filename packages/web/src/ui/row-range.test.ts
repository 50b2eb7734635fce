import { describe, expect, it } from "vitest";
import { coversView, edgesOf, rowsAround, scrollTopToReveal } from "./row-range.ts";

const ROWS_MAX = 100;
const even = (count: number, height: number) => edgesOf(count, () => height);
const around = (rows = even(1_000, 50), top = 0, height = 900, buffer = 500) =>
  rowsAround(rows, top, height, buffer, ROWS_MAX);

describe("edges of rows", () => {
  it("are the sums of their heights, also beyond the ends", () => {
    const edges = edgesOf(3, (index) => [10, 30.5, 20][index] ?? 0);
    expect([-1, 0, 1, 2, 3, 9].map((index) => edges.edge(index))).toEqual([0, 0, 10, 40.5, 60.5, 60.5]);
    expect([-5, 0, 9, 10, 40, 41, 999].map((y) => edges.indexAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

describe("rows to mount", () => {
  const rows = even(1_000, 50);

  it("fill the view and what is around it", () => {
    const range = around(rows, 10_000);
    expect(rows.edge(range.first)).toBeLessThanOrEqual(9_500);
    expect(rows.edge(range.end)).toBeGreaterThanOrEqual(11_400);
    expect(coversView(rows, range, 10_000, 900, 500, ROWS_MAX)).toBe(true);
    expect(coversView(rows, range, 10_700, 900, 500, ROWS_MAX)).toBe(false);
  });

  it("end where the rows end", () => {
    expect(around(rows, -200).first).toBe(0);
    expect(around(rows, 49_500).end).toBe(1_000);
    expect(coversView(rows, { first: 980, end: 1_000 }, 49_500, 900, 400, ROWS_MAX)).toBe(true);
    expect(around(even(0, 50))).toEqual({ first: 0, end: 0 });
  });

  it("are few, and those of the view, however low they are", () => {
    const low = even(1_000, 10);
    const range = around(low, 5_000, 800, 1_000);
    expect(range.end - range.first).toBe(ROWS_MAX);
    expect(coversView(low, range, 5_000, 800, 1_000, ROWS_MAX)).toBe(true);
  });
});

describe("to see a row", () => {
  const rows = even(100, 50);

  it("the view moves no further than it must", () => {
    expect(scrollTopToReveal(rows, 10, 400, 500)).toBe(400);
    expect(scrollTopToReveal(rows, 10, 520, 500)).toBe(500);
    expect(scrollTopToReveal(rows, 10, 30, 500)).toBe(50);
    expect(scrollTopToReveal(rows, 99, 0, 500)).toBe(4_500);
  });
});
