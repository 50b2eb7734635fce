import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countCodePoints,
  cutText,
  flagParam,
  id,
  idListParam,
  idParam,
  isVisible,
  isWellFormed,
  position,
  text,
  visibleFileName,
  visibleOrEmpty,
  visibleOrNull,
} from "./text.ts";

describe("text", () => {
  test("lengths are counted in code points", () => {
    expect(countCodePoints("a界😀")).toBe(3);
    const units = fc.array(fc.constantFrom("a", "\ud7ff", "\ud800", "\udbff", "\udc00", "\udfff", "\ue000"));
    fc.assert(fc.property(units, (all) => countCodePoints(all.join("")) === [...all.join("")].length));
  });

  test.each([
    ["", 0],
    ["\ud7ff\ue000", 2],
    ["\ud800\udc00", 1],
    ["\udbff\udfff", 1],
    ["\ud800", 1],
    ["\ud800\ud800", 2],
    ["\ud800a", 2],
    ["\ud800\ue000", 2],
    ["\udc00\udc00", 2],
    ["😀a", 2],
  ])("%j has %d code points", (value, expected) => {
    expect(countCodePoints(value)).toBe(expected);
  });

  test.each([
    ["nothing", ""],
    ["blanks", " \t\u00a0\u3000\u2003\u2028"],
    [
      "zero-width characters and marks of direction",
      "\u200b\u200c\u200d\u200e\u200f\u2060\u2064\ufeff\u061c\u202e\u2066",
    ],
    ["a soft hyphen", "\u00ad"],
    ["Hangul fillers", "\u3164\u115f\u1160\uffa0"],
    ["an empty Braille cell", "\u2800"],
    ["variation selectors", "\ufe00\ufe0f\u{e0100}\u180b"],
    ["tags", "\u{e0001}\u{e0041}\u{e007f}"],
    ["controls and annotations", "\u0001\u007f\ufff9\ufffb"],
  ])("%s shows nothing", (_, value) => {
    expect(isVisible(value)).toBe(false);
    expect(visibleOrNull(value)).toBeNull();
  });

  test.each([
    "a",
    " a ",
    "\u200ba",
    "👩\u200d💻",
    "❤\ufe0f",
    "🏴\u{e0067}\u{e0062}\u{e007f}",
    "क्\u200dष",
    "می\u200cخواهم",
    "ᅡ",
    "⠁",
    "ー",
    ".",
  ])("%j is shown, and stays as it is", (value) => {
    expect(isVisible(value)).toBe(true);
    expect(visibleOrNull(value)).toBe(value);
  });

  test("text with NUL or a lone surrogate is not well-formed", () => {
    expect(isWellFormed("a\0b")).toBe(false);
    expect(isWellFormed("a\ud800b")).toBe(false);
    expect(isWellFormed("😀")).toBe(true);
  });

  test("length limits are inclusive", () => {
    expect(text(3, 1).safeParse("😀😀😀").success).toBe(true);
    expect(text(3, 1).safeParse("😀😀😀😀").success).toBe(false);
    expect(text(3, 1).safeParse("").success).toBe(false);
  });

  test("ids are whole numbers below 2^53", () => {
    for (const wrong of [-1, 1.5, 2 ** 53, Number.NaN, "1", null])
      expect(id().safeParse(wrong).success).toBe(false);
    for (const right of [0, 2 ** 53 - 1]) expect(id().safeParse(right).success).toBe(true);
  });

  test("a position may be -1, before the first message", () => {
    for (const wrong of [-2, -0.5, 2 ** 53]) expect(position().safeParse(wrong).success).toBe(false);
    for (const right of [-1, 0, 2 ** 53 - 1]) expect(position().safeParse(right).success).toBe(true);
  });

  test("the error says what is wrong with a length", () => {
    const errorOf = (min: number, value: string) => text(3, min).safeParse(value).error?.issues[0]?.message;
    expect(errorOf(1, "")).toBe("must not be empty");
    expect(errorOf(2, "a")).toBe("shorter than 2 characters");
    expect(errorOf(0, "abcd")).toBe("longer than 3 characters");
    expect(text(3).safeParse("").success).toBe(true);
  });

  test("query values with another notation are rejected", () => {
    for (const wrong of ["", "-1", "1e3", "0x1", " 1", "99999999999999999"]) {
      expect(idParam().safeParse(wrong).success).toBe(false);
    }
    expect(idParam().parse("0012")).toBe(12);
    expect(idParam().safeParse(String(2 ** 53)).success).toBe(false);
    expect(flagParam().safeParse("1").success).toBe(false);
    expect(flagParam().parse("true")).toBe(true);
    expect(flagParam().parse("false")).toBe(false);
    expect(idListParam(2).parse("")).toEqual([]);
    expect(idListParam(2).parse("1,2")).toEqual([1, 2]);
    expect(idListParam(2).safeParse("1,2,3").success).toBe(false);
    expect(idListParam(2).safeParse("1,,2").success).toBe(false);
  });
});

test.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["a😀b", 2, "a😀"],
  ["a😀b", 1, "a"],
  ["😀😀", 1, "😀"],
  ["", 3, ""],
])("%j is cut to %i characters, and none of them in two", (text, max, expected) => {
  expect(cutText(text, max)).toBe(expected);
});

test.each(["\u200b", "\u200b\u200d\ufeff", "\u3164", "\u2800", "\u202e", "\ufe0f"])(
  "%j shows nothing",
  (text) => {
    expect(isVisible(text)).toBe(false);
    expect(visibleOrEmpty(text)).toBe("");
    expect(visibleFileName(text)).toBe("file");
  },
);

test.each([
  "\u115f\u1160\uffa0",
  "\u00ad",
  "\u200c\u200d\u2060",
  "\u2028\u2029\u3000\u00a0\u1680\u2009",
  "\u2066\u2069\u061c\u200e",
  "\u{e0067}\u{e007f}",
  "\u{e0100}",
  "\u180e\u034f",
  "\t\n\u0007\u0085",
  "\ufff9\ufffb",
])("%j, which is made of such characters, shows nothing", (text) => {
  expect(isVisible(text)).toBe(false);
});

test.each(["a", ".", "👍", "\u200b.", "\u202eabc", "❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u0301", "क्‍ष"])(
  "%j shows something",
  (text) => {
    expect(isVisible(text)).toBe(true);
    expect(visibleOrEmpty(text)).toBe(text);
  },
);
