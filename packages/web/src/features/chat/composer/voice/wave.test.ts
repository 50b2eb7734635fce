import { expect, test } from "vitest";
import { levelOf, waveOf } from "./wave.ts";

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
