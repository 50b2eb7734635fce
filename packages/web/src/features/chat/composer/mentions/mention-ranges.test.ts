import { expect, test } from "vitest";
import { mentionAfter, mentionBefore, stepOverMention } from "./mention-ranges.ts";

const TEXT = "hi @Bo Li ok";
const BO = { userId: 7, from: 3, to: 9 };

test("one Backspace deletes a mention, with or without the blank after it", () => {
  expect(mentionBefore(TEXT, 9, [BO])).toEqual({ from: 3, to: 9 });
  expect(mentionBefore(TEXT, 10, [BO])).toEqual({ from: 3, to: 10 });
});

test("Backspace elsewhere deletes one character", () => {
  expect(mentionBefore(TEXT, 11, [BO])).toBeNull();
  expect(mentionBefore(TEXT, 7, [BO])).toBeNull();
  expect(mentionBefore(TEXT, 3, [BO])).toBeNull();
  expect(mentionBefore("@Bo，", 4, [{ userId: 7, from: 0, to: 3 }])).toBeNull();
});

test("Delete before a mention deletes the whole mention", () => {
  expect(mentionAfter(3, [BO])).toEqual({ from: 3, to: 9 });
  expect(mentionAfter(4, [BO])).toBeNull();
});

test("an arrow key moves the caret over a mention", () => {
  expect(stepOverMention(9, -1, [BO])).toBe(3);
  expect(stepOverMention(3, 1, [BO])).toBe(9);
  expect(stepOverMention(3, -1, [BO])).toBeNull();
  expect(stepOverMention(10, -1, [BO])).toBeNull();
});
