import { expect, test } from "vitest";
import { isLongEnough, levelOf, shownLevels, voiceFileName, voiceFormat, waveOf } from "./voice-file.ts";

test("E12 voice is recorded as Opus in WebM, else in Ogg, else as MP4, else not at all", () => {
  const choice = (...supported: string[]) =>
    voiceFormat((type) => supported.includes(type))?.mimeType ?? null;
  expect(choice("audio/mp4", "audio/ogg;codecs=opus", "audio/webm;codecs=opus")).toBe("audio/webm");
  expect(choice("audio/mp4", "audio/ogg;codecs=opus")).toBe("audio/ogg");
  expect(choice("audio/mp4")).toBe("audio/mp4");
  expect(choice("audio/wav")).toBeNull();
});

/** What each browser answers to the types that are tried. */
const BROWSERS: readonly (readonly [
  browser: string,
  supported: readonly string[],
  extension: string | null,
])[] = [
  ["Chrome on computers", ["audio/webm;codecs=opus", "audio/mp4"], "webm"],
  ["an older Chrome", ["audio/webm;codecs=opus"], "webm"],
  ["Firefox", ["audio/webm;codecs=opus", "audio/ogg;codecs=opus"], "webm"],
  ["Firefox before 79", ["audio/ogg;codecs=opus"], "ogg"],
  ["Safari 18.4", ["audio/webm;codecs=opus", "audio/mp4"], "webm"],
  ["an older Safari", ["audio/mp4"], "m4a"],
  ["a browser without these codecs", [], null],
];

test.each(BROWSERS)(
  "E12 %s records in the first type of the order that it supports",
  (_, supported, extension) => {
    const asked: string[] = [];
    const format = voiceFormat((type) => {
      asked.push(type);
      return supported.includes(type);
    });
    expect(format?.extension ?? null).toBe(extension);
    const order = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
    expect(asked).toEqual(order.slice(0, asked.length));
  },
);

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

const constant = (value: number) => new Float32Array(256).fill(value);

test("E13 a level is 0 for silence, 1 at full scale, and even steps of loudness are even steps of it", () => {
  expect(levelOf(constant(0))).toBe(0);
  expect(levelOf(new Float32Array(0))).toBe(0);
  expect(levelOf(constant(1))).toBe(1);
  expect(levelOf(constant(0.1))).toBeCloseTo(2 / 3);
  expect(levelOf(constant(-0.01))).toBeCloseTo(1 / 3);
  expect(levelOf(constant(0.0001))).toBe(0);
});

test("E13 a recording has 24 bars, one more for each second, and at most 64", () => {
  expect(waveOf([0.5], 0)).toHaveLength(24);
  expect(waveOf([0.5], 10.9)).toHaveLength(34);
  expect(waveOf([0.5], 300)).toHaveLength(64);
});

test("E13 a bar shows the loudest moment of its part", () => {
  const levels = Array.from({ length: 240 }, () => 0);
  levels[0] = 1;
  levels[125] = 0.5;
  expect(waveOf(levels, 0)).toBe(`f${"0".repeat(11)}8${"0".repeat(11)}`);
});

test("E13 fewer levels than bars are stretched, and none are silence", () => {
  expect(waveOf([0, 1], 0)).toBe(`${"0".repeat(12)}${"f".repeat(12)}`);
  expect(waveOf([], 0)).toBe("0".repeat(24));
});
