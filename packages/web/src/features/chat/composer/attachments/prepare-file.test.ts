import { expect, test } from "vitest";
import { coverSize, isDark } from "./prepare-file.ts";

test("E11 a cover has the proportions of the video and at most 1280 px", () => {
  expect(coverSize(3_840, 2_160)).toEqual({ width: 1_280, height: 720 });
  expect(coverSize(1_080, 1_920)).toEqual({ width: 720, height: 1_280 });
  expect(coverSize(320, 240)).toEqual({ width: 320, height: 240 });
  expect(coverSize(10_000, 1)).toEqual({ width: 1_280, height: 1 });
});

test("E11 a frame is black unless a pixel is bright; transparency does not make it bright", () => {
  expect(isDark(new Uint8ClampedArray([0, 0, 0, 255, 24, 24, 24, 255]))).toBe(true);
  expect(isDark(new Uint8ClampedArray([0, 0, 0, 255, 0, 0, 25, 255]))).toBe(false);
});
