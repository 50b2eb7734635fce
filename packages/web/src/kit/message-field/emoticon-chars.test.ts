import { describe, expect, test } from "vitest";
import {
  emoticonCharsIn,
  emoticonChar,
  encodeText,
  newEmoticonTokens,
  decodeText,
  positionAfter,
  encodeEmoticons,
  decodeEmoticons,
} from "./emoticon-chars.ts";

const [happy, jump] = [emoticonChar(2), emoticonChar(56)];

describe("M131 an emoticon is one character in the field and a token in messages and drafts", () => {
  test.each([
    ["", ""],
    ["好#开心;#起跳;吗", `好${happy}${jump}吗`],
    ["#不知; #开心 #;", "#不知; #开心 #;"],
    ["##开心;", `#${happy}`],
  ])("%j", (message, field) => {
    expect(encodeEmoticons(message)).toBe(field);
    expect(decodeEmoticons(field)).toBe(message);
  });

  test("private-use characters pasted from elsewhere do not become emoticons", () => {
    expect(encodeEmoticons(`a${happy}b\u{e005}c\u{f0000}`)).toBe("ab\u{e005}c\u{f0000}");
  });

  test("mention ranges follow the text in both directions", () => {
    const message = { text: "#开心;@Bo 你#起跳;@A#开心;B ", mentions: [mention(4, 7), mention(13, 20)] };
    const field = { text: `${happy}@Bo 你${jump}@A${happy}B `, mentions: [mention(2, 5), mention(9, 14)] };
    expect(message.text.slice(13, 20)).toBe("@A#开心;B");
    expect(encodeText(message)).toEqual(field);
    expect(decodeText(field)).toEqual(message);
  });

  test("emoticon characters are found with range and number", () => {
    expect(emoticonCharsIn(`a${jump}${happy}`)).toEqual([
      { from: 1, to: 3, number: 56 },
      { from: 3, to: 5, number: 2 },
    ]);
  });
});

describe("M132 a typed token becomes an emoticon only where the text changed", () => {
  test.each([
    ["the end of a token is typed", "a#开心", "a#开心;", [[1, 5]]],
    ["the middle of a token is typed", "#开;b", "#开心;b", [[0, 4]]],
    ["a letter is typed elsewhere", "#开心; a", "#开心; ab", []],
    [
      "several tokens are pasted at once",
      "",
      "#开心;x#起跳;",
      [
        [0, 4],
        [5, 9],
      ],
    ],
    ["a letter is deleted", "#开心心;", "#开心;", [[0, 4]]],
    ["an unknown name is typed", "", "#不知;", []],
  ] as const)("%s", (_, before, after, ranges) => {
    expect(newEmoticonTokens(before, after).map(({ from, to }) => [from, to])).toEqual(ranges);
  });

  test("the caret keeps its position relative to the text", () => {
    const changes = newEmoticonTokens("", "x#开心;y");
    expect([0, 1, 3, 5, 6].map((position) => positionAfter(position, changes))).toEqual([0, 1, 3, 3, 4]);
  });
});

function mention(from: number, to: number) {
  return { userId: 7, from, to };
}
