import { describe, expect, test } from "vitest";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { RowHeights } from "./row-heights.ts";

function timeRows(count: number, from = 0): TimelineRow[] {
  return Array.from({ length: count }, (_, index) => ({ kind: "time", key: `${from + index}`, time: 0 }));
}

/** Row heights with these measurements. */
function measured(...heights: number[]): RowHeights {
  const rowHeights = new RowHeights();
  rowHeights.setRows(timeRows(heights.length));
  for (const [index, height] of heights.entries()) rowHeights.setHeight(`${index}`, height);
  return rowHeights;
}

describe("row heights", () => {
  test("add up to row offsets, and give the row at an offset", () => {
    const heights = measured(10, 30.5, 20);
    expect([0, 1, 2, 3].map((index) => heights.edge(index))).toEqual([0, 10, 40.5, 60.5]);
    expect([-5, 0, 9, 10, 40, 41, 999].map((y) => heights.indexAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  test("stay with their rows when rows are inserted above", () => {
    const heights = measured(10, 30);
    heights.setRows([{ kind: "unread", key: "new" }, ...timeRows(2)]);
    expect(heights.edge(3) - heights.edge(1)).toBe(40);
    expect(heights.indexOf("1")).toBe(2);
    expect(heights.keyAt(0)).toBe("new");
  });

  test("report whether a measured height changed", () => {
    const heights = measured(10);
    expect(heights.setHeight("0", 10)).toBe(false);
    expect(heights.setHeight("0", 11)).toBe(true);
    expect(heights.edge(1)).toBe(11);
  });

  test("are forgotten when the width changes", () => {
    const heights = measured(1_000);
    heights.setWidth(400);
    expect(heights.edge(1)).toBeLessThan(100);
  });
});
