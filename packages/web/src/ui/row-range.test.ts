import { describe, expect, test } from "vitest";
import { coversView, edgesOf, rowsAround, scrollTopToReveal } from "./row-range.ts";

const ROWS_MAX = 100;
const rowsOfHeight = (count: number, height: number) => edgesOf(count, () => height);
const rangeAt = (rows = rowsOfHeight(1_000, 50), top = 0, height = 900, buffer = 500) =>
  rowsAround(rows, top, height, buffer, ROWS_MAX);

describe("edgesOf", () => {
  test("sums up the heights and clamps beyond the ends", () => {
    const edges = edgesOf(3, (index) => [10, 30.5, 20][index] ?? 0);
    expect([-1, 0, 1, 2, 3, 9].map((index) => edges.edge(index))).toEqual([0, 0, 10, 40.5, 60.5, 60.5]);
    expect([-5, 0, 9, 10, 40, 41, 999].map((y) => edges.indexAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

describe("the rows to mount", () => {
  const rows = rowsOfHeight(1_000, 50);

  test("fill the view and the buffer around it", () => {
    const range = rangeAt(rows, 10_000);
    expect(rows.edge(range.first)).toBeLessThanOrEqual(9_500);
    expect(rows.edge(range.end)).toBeGreaterThanOrEqual(11_400);
    expect(coversView(rows, range, 10_000, 900, 500, ROWS_MAX)).toBe(true);
    expect(coversView(rows, range, 10_700, 900, 500, ROWS_MAX)).toBe(false);
  });

  test("stop at the first and the last row", () => {
    expect(rangeAt(rows, -200).first).toBe(0);
    expect(rangeAt(rows, 49_500).end).toBe(1_000);
    expect(coversView(rows, { first: 980, end: 1_000 }, 49_500, 900, 400, ROWS_MAX)).toBe(true);
    expect(rangeAt(rowsOfHeight(0, 50))).toEqual({ first: 0, end: 0 });
  });

  test("are at most the maximum and contain the view, however low the rows are", () => {
    const low = rowsOfHeight(1_000, 10);
    const range = rangeAt(low, 5_000, 800, 1_000);
    expect(range.end - range.first).toBe(ROWS_MAX);
    expect(coversView(low, range, 5_000, 800, 1_000, ROWS_MAX)).toBe(true);
  });
});

describe("scrollTopToReveal", () => {
  const rows = rowsOfHeight(100, 50);

  test("moves the view as little as possible", () => {
    expect(scrollTopToReveal(rows, 10, 400, 500)).toBe(400);
    expect(scrollTopToReveal(rows, 10, 520, 500)).toBe(500);
    expect(scrollTopToReveal(rows, 10, 30, 500)).toBe(50);
    expect(scrollTopToReveal(rows, 99, 0, 500)).toBe(4_500);
  });
});
