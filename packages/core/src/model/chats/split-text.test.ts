import { countCodePoints } from "@parley/protocol/text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitText } from "./split-text.ts";

describe("M137 a text that is too long", () => {
  test.each<[string, string, number, string[]]>([
    ["short", "hello", 10, ["hello"]],
    ["paragraphs", "one one\n\ntwo two", 12, ["one one", "two two"]],
    ["lines", "one one\ntwo two", 12, ["one one", "two two"]],
    ["sentences", "One one. Two two", 12, ["One one.", "Two two"]],
    ["Chinese sentences", "一二三四五。六七八九十", 8, ["一二三四五。", "六七八九十"]],
    ["blanks", "aaaa bbbb cccc", 10, ["aaaa bbbb", "cccc"]],
    ["a blank at the limit", "aaaa bbbb cccc", 9, ["aaaa bbbb", "cccc"]],
    ["no sentence that ends behind the limit", "一二三四五六七八。九", 8, ["一二三四五六七八", "。九"]],
    ["no blank at all", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["emoji", "😀😀😀", 2, ["😀😀", "😀"]],
    ["clusters", "👨‍👩‍👧👨‍👩‍👧", 7, ["👨‍👩‍👧", "👨‍👩‍👧"]],
    ["marks", "aaae\u0301b", 4, ["aaa", "e\u0301b"]],
    ["a link", "看看看 https://example.com/path", 27, ["看看看", "https://example.com/path"]],
    ["a link behind a short text", "x https://example.com/path", 25, ["x", "https://example.com/path"]],
    ["a code block", "text\n```\na\nb\nc\n```\nmore", 20, ["text\n```\na\nb\nc\n```", "more"]],
    ["a code block that fits a piece", "some text\n```\na\nb\n```", 15, ["some text", "```\na\nb\n```"]],
    ["indented lines", "aaaa\n  bbbb\n  cccc", 12, ["aaaa\n  bbbb", "  cccc"]],
  ])("is split at %s", (_, text, max, expected) => {
    expect(splitText(text, max)).toEqual(expected);
  });

  test("keeps every character that is seen, in order, and no piece is too long", () => {
    const unit = fc.constantFrom(
      "a",
      "字",
      "😀",
      "👨‍👩‍👧",
      "e\u0301",
      " ",
      "\n",
      "\n\n",
      "。",
      ". ",
      "```\n",
      "https://a.b/c",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 8, max: 40 }), (units, max) => {
        const text = units.join("");
        const pieces = splitText(text, max);
        const seen = (all: string) => all.replaceAll(/\s/gu, "");
        expect(seen(pieces.join(""))).toBe(seen(text));
        for (const piece of pieces) expect(countCodePoints(piece)).toBeLessThanOrEqual(max);
      }),
    );
  });
});
