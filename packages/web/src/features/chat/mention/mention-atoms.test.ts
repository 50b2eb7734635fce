import { expect, test } from "vitest";
import { atomAfter, atomBefore, stepOver } from "./mention-atoms.ts";

const TEXT = "hi @Bo Li ok";
const BO = { userId: 7, from: 3, to: 9 };

test("one Backspace takes a mention, with or without the blank behind it", () => {
  expect(atomBefore(TEXT, 9, [BO])).toEqual({ from: 3, to: 9 });
  expect(atomBefore(TEXT, 10, [BO])).toEqual({ from: 3, to: 10 });
});

test("Backspace elsewhere takes a letter", () => {
  expect(atomBefore(TEXT, 11, [BO])).toBeNull();
  expect(atomBefore(TEXT, 7, [BO])).toBeNull();
  expect(atomBefore(TEXT, 3, [BO])).toBeNull();
  expect(atomBefore("@Bo，", 4, [{ userId: 7, from: 0, to: 3 }])).toBeNull();
});

test("Delete before a mention takes all of it", () => {
  expect(atomAfter(3, [BO])).toEqual({ from: 3, to: 9 });
  expect(atomAfter(4, [BO])).toBeNull();
});

test("an arrow steps over a mention", () => {
  expect(stepOver(9, -1, [BO])).toBe(3);
  expect(stepOver(3, 1, [BO])).toBe(9);
  expect(stepOver(3, -1, [BO])).toBeNull();
  expect(stepOver(10, -1, [BO])).toBeNull();
});
