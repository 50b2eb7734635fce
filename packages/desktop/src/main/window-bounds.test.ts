import { expect, test } from "vitest";
import { MIN_SIZE, visibleBounds } from "./window-bounds.ts";

const main = { x: 0, y: 25, width: 1_920, height: 1_055 };
const second = { x: 1_920, y: 0, width: 2_560, height: 1_440 };

test("the first window is in the middle of the main display", () => {
  expect(visibleBounds(null, [main, second])).toEqual({ x: 410, y: 173, width: 1_100, height: 760 });
});

test("a display smaller than the first window is filled", () => {
  const small = { x: 0, y: 0, width: 1_024, height: 600 };
  expect(visibleBounds(null, [small])).toEqual(small);
});

test.each([
  ["inside stays", { x: 100, y: 100, width: 900, height: 700 }, { x: 100, y: 100, width: 900, height: 700 }],
  [
    "on the second display stays there",
    { x: 2_000, y: 50, width: 900, height: 700 },
    { x: 2_000, y: 50, width: 900, height: 700 },
  ],
  [
    "under the menu bar moves down",
    { x: 100, y: 0, width: 900, height: 700 },
    { x: 100, y: 25, width: 900, height: 700 },
  ],
  [
    "beyond the left edge moves right",
    { x: -300, y: 100, width: 900, height: 700 },
    { x: 0, y: 100, width: 900, height: 700 },
  ],
  [
    "below the bottom moves up",
    { x: 100, y: 900, width: 900, height: 700 },
    { x: 100, y: 380, width: 900, height: 700 },
  ],
  [
    "between two displays moves into the one that has more of it",
    { x: 1_800, y: 100, width: 900, height: 700 },
    { x: 1_920, y: 100, width: 900, height: 700 },
  ],
  [
    "larger than its display shrinks",
    { x: 0, y: 25, width: 4_000, height: 3_000 },
    { x: 0, y: 25, width: 1_920, height: 1_055 },
  ],
])("a window %s", (_, saved, expected) => {
  expect(visibleBounds(saved, saved.width === 4_000 ? [main] : [main, second])).toEqual(expected);
});

test("a window of a display that is no longer there comes to the main one with its size", () => {
  const saved = { x: 2_000, y: 50, width: 900, height: 700 };
  expect(visibleBounds(saved, [main])).toEqual({ x: 510, y: 203, width: 900, height: 700 });
});

test("a damaged size becomes the smallest one", () => {
  expect(visibleBounds({ x: 10, y: 30, width: 1, height: 1 }, [main])).toEqual({ x: 10, y: 30, ...MIN_SIZE });
});
