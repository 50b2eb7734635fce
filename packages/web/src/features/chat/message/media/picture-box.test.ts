import { describe, expect, test } from "vitest";
import { maxPicturePx, pictureBox, pictureGrid } from "./picture-box.ts";

describe("B3 the box of a picture", () => {
  test.each([
    ["landscape", 1_200, 800, { width: 320, height: 213, isCut: true }],
    ["portrait", 3_000, 4_000, { width: 240, height: 320, isCut: true }],
    ["smaller than the limit", 200, 100, { width: 200, height: 100, isCut: true }],
    ["a strip loses its ends", 5_000, 100, { width: 320, height: 80, isCut: true }],
    ["a column loses its ends", 100, 5_000, { width: 80, height: 320, isCut: true }],
    ["tiny ones are not enlarged", 16, 16, { width: 80, height: 80, isCut: false }],
    ["an unknown size", 0, 0, { width: 160, height: 160, isCut: true }],
    ["no number", NaN, 10, { width: 160, height: 160, isCut: true }],
  ])("%s", (_, width, height, box) => {
    expect(pictureBox(width, height)).toEqual(box);
  });

  test("is never larger than the limit, nor smaller than 80 px", () => {
    for (const width of [1, 79, 80, 81, 319, 320, 321, 4_000, 100_000])
      for (const height of [1, 79, 80, 81, 319, 320, 321, 4_000, 100_000])
        for (const max of [144, 234, 320]) {
          const box = pictureBox(width, height, max);
          for (const side of [box.width, box.height]) {
            expect(side).toBeGreaterThanOrEqual(80);
            expect(side).toBeLessThanOrEqual(max);
          }
        }
  });

  test("takes at most 60 % of a phone's width", () => {
    expect(maxPicturePx(1_440, false)).toBe(320);
    expect(maxPicturePx(390, true)).toBe(234);
    expect(maxPicturePx(700, true)).toBe(320);
    expect(maxPicturePx(100, true)).toBe(80);
  });
});

describe("B4 a grid of pictures", () => {
  test("has two columns up to four pictures, else three", () => {
    const shapes = [2, 3, 4, 5, 6, 7, 9].map((count) => {
      const { columns, cell, gap, height } = pictureGrid(count);
      return [columns, Math.round((height + gap) / (cell + gap))];
    });
    expect(shapes).toEqual([
      [2, 1],
      [2, 2],
      [2, 2],
      [3, 2],
      [3, 2],
      [3, 3],
      [3, 3],
    ]);
  });

  test("fits into the width of a phone", () => {
    for (const count of [2, 4, 9]) expect(pictureGrid(count, 234).width).toBeLessThanOrEqual(236);
    expect(pictureGrid(9)).toMatchObject({ columns: 3, cell: 106, width: 322, height: 322 });
  });
});
