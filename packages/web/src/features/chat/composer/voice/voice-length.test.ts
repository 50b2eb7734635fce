import { expect, test } from "vitest";
import { isLongEnough, shownLevels, voiceFileName } from "./voice-length.ts";

test("E14 less than a second is too short", () => {
  expect(isLongEnough(0.99)).toBe(false);
  expect(isLongEnough(1)).toBe(true);
});

test("E14 the meter shows the newest levels at its end and silence before the first", () => {
  expect(shownLevels([], 3)).toEqual([0, 0, 0]);
  expect(shownLevels([0.1, 0.4, 0.2], 3)).toEqual([0, 0.4, 0.2]);
  expect(shownLevels([0.9, 0.9, 0.1, 0.2, 0.3, 0.3, 0.4, 0.5], 3)).toEqual([0.2, 0.3, 0.5]);
});

test("E14 a recording is named by the local time at which it ended", () => {
  expect(voiceFileName(new Date(2026, 5, 2, 9, 30, 5), "m4a")).toBe("voice-20260602-093005.m4a");
});
