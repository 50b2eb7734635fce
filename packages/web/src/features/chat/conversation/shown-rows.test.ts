import { describe, expect, it } from "vitest";
import type { TimelineRow } from "@parley/core/model/timeline";
import { NO_ROWS, showRows } from "./shown-rows.ts";

const rows = (keys: string): TimelineRow[] => keys.split("").map((key) => ({ kind: "time", key, time: 0 }));
const keys = (list: readonly TimelineRow[]) => list.map((row) => row.key).join("");

describe("rows for the virtual list", () => {
  it("shows the first page at once", () => {
    const wanted = rows("abc");
    expect(showRows(NO_ROWS, wanted)).toEqual({ rows: wanted, isShift: false });
  });

  it("shifts when older rows come above", () => {
    const wanted = rows("xyabc");
    expect(showRows({ rows: rows("abc"), isShift: false }, wanted)).toEqual({ rows: wanted, isShift: true });
  });

  it("shifts although the first row changed with what stands above it", () => {
    const wanted = rows("xybc");
    expect(showRows({ rows: rows("abc"), isShift: false }, wanted).isShift).toBe(true);
  });

  it("shifts although the unread divider stays on top, since older unread rows came below it", () => {
    const divider: TimelineRow = { kind: "unread", key: "unread" };
    const shown = { rows: [divider, ...rows("abc")], isShift: false };
    expect(showRows(shown, [divider, ...rows("xyabc")]).isShift).toBe(true);
  });

  it("does not shift when newer rows come below or rows change in the middle", () => {
    const shown = { rows: rows("abc"), isShift: true };
    expect(showRows(shown, rows("abcd")).isShift).toBe(false);
    expect(showRows(shown, rows("abxc")).isShift).toBe(false);
  });

  it("takes two steps when both ends change", () => {
    const wanted = rows("xabcd");
    const half = showRows({ rows: rows("abc"), isShift: false }, wanted);
    expect(keys(half.rows)).toBe("xabc");
    expect(half.isShift).toBe(true);
    expect(showRows(half, wanted)).toEqual({ rows: wanted, isShift: false });
  });

  it("keeps what is shown while the rows say the same", () => {
    const shown = { rows: rows("abc"), isShift: false };
    expect(showRows(shown, rows("abc"))).toBe(shown);
  });

  it("starts over when nothing of the old rows is left", () => {
    expect(showRows({ rows: rows("abc"), isShift: false }, rows("xyz")).isShift).toBe(false);
  });
});
