import { describe, expect, test } from "vitest";
import { EMOTICONS, emoticonToken } from "./emoticons.ts";
import { loadChanges } from "./endpoints/changes.ts";
import { setReaction } from "./endpoints/message-extras.ts";
import { isReactionKey, messageExtra, reactionKey } from "./message-extra.ts";

describe("the key of a reaction", () => {
  test.each([
    ["an emoji", "👍"],
    ["an emoji that is text without its variation selector", "❤️"],
    ["a skin tone", "👍🏽"],
    ["a family, joined of several emoji", "👨‍👩‍👧‍👦"],
    ["a kiss with two skin tones, the longest of all", "👩🏻‍❤️‍💋‍👨🏿"],
    ["a flag", "🇨🇭"],
    ["a flag of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a keycap", "7️⃣"],
  ])("may be %s", (_, key) => {
    expect(isReactionKey(key)).toBe(true);
    expect(reactionKey().safeParse(key).success).toBe(true);
  });

  test("may be each emoticon", () => {
    const tokens = EMOTICONS.map((_, number) => emoticonToken(number));
    expect(tokens.filter((token) => !reactionKey().safeParse(token).success)).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["a blank", " "],
    ["a letter", "a"],
    ["a digit without its keycap", "7"],
    ["a word", "好"],
    ["two emoji", "👍👍"],
    ["an emoji and a blank", "👍 "],
    ["an emoji and a line break", "👍\n"],
    ["an emoji without its variation selector", "❤"],
    ["a keycap without its variation selector", "7⃣"],
    ["a skin tone on what has none", "🍎🏽"],
    ["two emoji that are not joined by anybody", "🍎‍👍"],
    ["half a flag", "🇨"],
    ["a flag of no country", "🇽🇽"],
    ["half a character", "\ud83d"],
    ["an emoji and half a character", "👍\ud83d"],
    ["a NUL", "\0"],
    ["an emoticon that does not exist", "#不知;"],
    ["the token without a name", "#;"],
    ["two emoticons", "#开心;#开心;"],
  ])("is not %s", (_, key) => {
    expect(isReactionKey(key)).toBe(false);
    expect(reactionKey().safeParse(key).success).toBe(false);
  });

  test("of 10,000 characters is refused, whatever it is made of", () => {
    const parts = ["a", "👍", "👍‍", "👩‍❤️‍", "🇨", "🏴\u{e0067}", "\u200d", "\ufe0f", "#开心;"];
    for (const part of parts) {
      const key = part.repeat(Math.ceil(10_000 / part.length));
      expect(reactionKey().safeParse(key).success, part).toBe(false);
    }
  });
});

describe("an extra", () => {
  const tally = { key: "👍", count: 2, first: [3, 4] };
  const isExtra = (value: unknown) => messageExtra.safeParse(value).success;

  test("has a version, and may have nothing else", () => {
    expect(isExtra({ v: 0 })).toBe(true);
    expect(isExtra({ v: 7, reactions: [tally], mine: { reactions: ["👍"] } })).toBe(true);
    expect(isExtra({ reactions: [tally] })).toBe(false);
    expect(isExtra({ v: -1 })).toBe(false);
    expect(isExtra({ v: 1, reactions: [{ ...tally, count: "2" }] })).toBe(false);
    expect(isExtra({ v: 1, mine: { reactions: "👍" } })).toBe(false);
  });

  test("of a newer server is read without the kinds that are not known", () => {
    const later = { v: 7, reactions: [tally], ticks: [1], mine: { ticks: [1] } };
    expect(messageExtra.parse(later)).toEqual({ v: 7, reactions: [tally], mine: {} });
  });
});

describe("the calls", () => {
  test("a reaction names a message, a key and whether it is set", () => {
    const isAccepted = (body: object) => setReaction.body?.safeParse(body).success;
    expect(isAccepted({ id: 1, key: "👍", on: true })).toBe(true);
    for (const wrong of [{ id: -1 }, { id: "1" }, { key: "ok" }, { key: 1 }, { on: 1 }, { on: undefined }])
      expect(isAccepted({ id: 1, key: "👍", on: true, ...wrong }), JSON.stringify(wrong)).toBe(false);
  });

  test("older clients ask for changes without the version of their extras, and older servers answer without extras", () => {
    expect(loadChanges.query?.parse({ since: "1" })).toEqual({ since: "1" });
    expect(loadChanges.query?.parse({ since: "1", extrasSince: "7" })).toEqual({
      since: "1",
      extrasSince: 7,
    });
    expect(loadChanges.query?.safeParse({ extrasSince: "-1" }).success).toBe(false);
    expect(loadChanges.answer.parse({ next: "1" })).toMatchObject({ extras: [], extrasNext: null });
  });
});
