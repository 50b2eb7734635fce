import { expect, test } from "vitest";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { edgesOf } from "../../../ui/row-range.ts";
import { mountedRows } from "./virtual-timeline.ts";

const rows = Array.from({ length: 10 }, (_, time): TimelineRow => ({
  kind: "time",
  key: `row ${time}`,
  time,
}));
const edges = edgesOf(rows.length, () => 20);
const mounted = (focusedIndex: number) =>
  mountedRows(rows, { first: 3, end: 6 }, focusedIndex, edges).map(({ row, top }) => [row.key, top]);
const IN_RANGE = [
  ["row 3", null],
  ["row 4", null],
  ["row 5", null],
];

test("without a focused row, or with one in the range, the rows of the range are mounted", () => {
  expect(mounted(-1)).toEqual(IN_RANGE);
  expect(mounted(3)).toEqual(IN_RANGE);
  expect(mounted(5)).toEqual(IN_RANGE);
});

test("a focused row outside the range stays mounted at its own place, in the order of the rows", () => {
  expect(mounted(2)).toEqual([["row 2", 40], ...IN_RANGE]);
  expect(mounted(6)).toEqual([...IN_RANGE, ["row 6", 120]]);
});
