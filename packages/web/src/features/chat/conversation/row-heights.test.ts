import { describe, expect, it } from "vitest";
import type { TimelineRow } from "@parley/core/model/timeline";
import { RowHeights } from "./row-heights.ts";
import { ROWS_MAX, covers, rowsAround } from "./row-range.ts";

function times(count: number, from = 0): TimelineRow[] {
  return Array.from({ length: count }, (_, index) => ({ kind: "time", key: `${from + index}`, time: 0 }));
}

/** Rows of these heights. */
function measured(...heights: number[]): RowHeights {
  const known = new RowHeights();
  known.setRows(times(heights.length));
  for (const [index, height] of heights.entries()) known.note(`${index}`, height);
  return known;
}

describe("heights of rows", () => {
  it("sum up to edges, and answer which row is at a height", () => {
    const heights = measured(10, 30.5, 20);
    expect([0, 1, 2, 3].map((index) => heights.edge(index))).toEqual([0, 10, 40.5, 60.5]);
    expect([-5, 0, 9, 10, 40, 41, 999].map((y) => heights.indexAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it("follow their rows when others come above", () => {
    const heights = measured(10, 30);
    heights.setRows([{ kind: "unread", key: "new" }, ...times(2)]);
    expect(heights.edge(3) - heights.edge(1)).toBe(40);
    expect(heights.indexOf("1")).toBe(2);
    expect(heights.keyAt(0)).toBe("new");
  });

  it("say whether a measure is news", () => {
    const heights = measured(10);
    expect(heights.note("0", 10)).toBe(false);
    expect(heights.note("0", 11)).toBe(true);
    expect(heights.edge(1)).toBe(11);
  });

  it("count no longer when the width has changed", () => {
    const heights = measured(1_000);
    heights.setWidth(400);
    expect(heights.edge(1)).toBeLessThan(100);
  });
});

describe("rows to mount", () => {
  const heights = measured(...Array.from({ length: 1_000 }, () => 50));

  it("fill the view and what is around it", () => {
    const range = rowsAround(heights, 10_000, 900, 500);
    expect(heights.edge(range.first)).toBeLessThanOrEqual(9_500);
    expect(heights.edge(range.end)).toBeGreaterThanOrEqual(11_400);
    expect(covers(heights, range, 10_000, 900, 500)).toBe(true);
    expect(covers(heights, range, 10_700, 900, 500)).toBe(false);
  });

  it("end where the rows end", () => {
    expect(rowsAround(heights, -200, 900, 500).first).toBe(0);
    expect(rowsAround(heights, 49_500, 900, 500).end).toBe(1_000);
    expect(covers(heights, { first: 980, end: 1_000 }, 49_500, 900, 400)).toBe(true);
    expect(rowsAround(new RowHeights(), 0, 900, 500)).toEqual({ first: 0, end: 0 });
  });

  it("are few, and those of the view, however low they are", () => {
    const low = measured(...Array.from({ length: 1_000 }, () => 10));
    const range = rowsAround(low, 5_000, 800, 1_000);
    expect(range.end - range.first).toBe(ROWS_MAX);
    expect(covers(low, range, 5_000, 800, 1_000)).toBe(true);
  });
});
