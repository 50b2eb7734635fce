import { expect, test } from "vitest";
import { byMonth, gridTarget } from "./picture-list.tsx";

const at = (text: string) => Date.parse(text);

test("B20 pictures are grouped by the months of the reader's time zone, newest first", () => {
  const times = ["2026-03-02T10:00Z", "2026-02-28T23:30Z", "2026-02-01T00:10Z", "2025-02-14T12:00Z"].map(at);
  const months = (offset: number) =>
    byMonth(times, Number, () => offset).map(({ month, items }) => [month, items.length]);
  expect(months(0)).toEqual([
    ["2026-03", 1],
    ["2026-02", 2],
    ["2025-02", 1],
  ]);
  expect(months(60)).toEqual([
    ["2026-03", 2],
    ["2026-02", 1],
    ["2025-02", 1],
  ]);
  expect(byMonth([], Number, () => 0)).toEqual([]);
});

test("B20 the keys of a grid move by one, by a row, and to its ends; they do not leave it", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "a"];
  expect(keys.map((key) => gridTarget(key, 4, 8))).toEqual([3, 5, 1, 7, 0, 7, null]);
  expect(keys.map((key) => gridTarget(key, 0, 8))).toEqual([0, 1, 0, 3, 0, 7, null]);
  expect(keys.map((key) => gridTarget(key, 7, 8))).toEqual([6, 7, 4, 7, 0, 7, null]);
});
