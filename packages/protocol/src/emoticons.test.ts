import { describe, expect, test } from "vitest";
import { emoticonOf, EMOTICONS, emoticonToken, splitEmoticons } from "./emoticons.ts";

describe("emoticons", () => {
  test("the 57 emoticons have unique names", () => {
    expect(new Set(EMOTICONS).size).toBe(57);
    expect([EMOTICONS[0], EMOTICONS[31], EMOTICONS[56]]).toEqual(["憨笑", "红心", "起跳"]);
  });

  test("a text is split at known emoticon names", () => {
    expect(splitEmoticons("好#开心;#起跳;吗#不知;#开心")).toEqual([
      { text: "好" },
      { emoticon: 2 },
      { emoticon: 56 },
      { text: "吗#不知;#开心" },
    ]);
    expect(splitEmoticons(emoticonToken(7))).toEqual([{ emoticon: 7 }]);
    expect(splitEmoticons("##开心;")).toEqual([{ text: "#" }, { emoticon: 2 }]);
    expect(splitEmoticons("")).toEqual([]);
    expect(emoticonToken(57)).toBe("#;");
  });

  test("an emoticon is known by its token", () => {
    expect(emoticonOf(emoticonToken(46))).toBe(46);
    expect(emoticonOf("👍")).toBeNull();
    expect(emoticonOf("")).toBeNull();
  });
});
