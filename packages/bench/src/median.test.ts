import { expect, test } from "vitest";
import { median, medianRatio, percentile } from "./median.ts";

test("the median of an odd number of values is the middle one, whatever their order", () => {
  expect(median([9, 1, 5])).toBe(5);
});

test("the median of an even number of values is the mean of the middle two", () => {
  expect(median([4, 1, 10, 2])).toBe(3);
});

test("the median of no values is an error", () => {
  expect(() => median([])).toThrow("nothing");
});

test("ratios are computed round by round, so one disturbed round does not change their median", () => {
  expect(medianRatio([15, 150, 30], [10, 100, 20])).toBe(1.5);
});

test("a percentile is the value that this share of all is not above", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(values, 0.95)).toBe(95);
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([7], 0.99)).toBe(7);
});
