import { expect, test } from "vitest";
import { typingChange } from "./typing-change.ts";

test("TY1 more than one character counts as typing, spaces around it do not", () => {
  expect(["你", " a ", "👍", "你好", "ab", "👍👍"].map((text) => typingChange(text, false))).toEqual([
    null,
    null,
    null,
    "typed",
    "typed",
    "typed",
  ]);
});

test("TY1 what an input method composes does not count, neither as typing nor as its end", () => {
  expect(["", "ni'hao", "你好ma"].map((text) => typingChange(text, true))).toEqual([null, null, null]);
});

test("TY2 without anything to see, the text is emptied", () => {
  expect(["", " \n "].map((text) => typingChange(text, false))).toEqual(["emptied", "emptied"]);
});
