import { describe, expect, test } from "vitest";
import { gridRows, moveInGrid, withRecent } from "./emoticon-grid.ts";

describe("the emoticon picker", () => {
  test("has eight columns, and a row of its own for the recent emoticons", () => {
    const rows = gridRows([5, 3]);
    expect(rows[0]).toEqual([5, 3]);
    expect(rows.slice(1).map((row) => row.length)).toEqual([8, 8, 8, 8, 8, 8, 8, 1]);
    expect(rows.at(-1)).toEqual([56]);
    expect(gridRows([])[0]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("remembers the last eight emoticons without duplicates", () => {
    expect(withRecent([1, 2, 3], 3)).toEqual([3, 1, 2]);
    expect(withRecent([1, 2, 3, 4, 5, 6, 7, 8], 9)).toEqual([9, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("moves through the grid with arrow keys, also over a shorter row", () => {
    const rows = gridRows([5, 3]);
    expect(moveInGrid(rows, 0, "ArrowLeft")).toBe(0);
    expect(moveInGrid(rows, 1, "ArrowRight")).toBe(2);
    expect(moveInGrid(rows, 1, "ArrowDown")).toBe(3);
    expect(moveInGrid(rows, 9, "ArrowUp")).toBe(1);
    expect(moveInGrid(rows, 57, "ArrowDown")).toBe(58);
    expect(moveInGrid(rows, 58, "ArrowDown")).toBe(58);
    expect(moveInGrid(rows, 58, "ArrowRight")).toBe(58);
    expect(moveInGrid(rows, 4, "Home")).toBe(2);
    expect(moveInGrid(rows, 4, "End")).toBe(9);
    expect(moveInGrid(rows, 4, "a")).toBeNull();
  });
});
