import { beforeAll, describe, expect, test, vi } from "vitest";
import { isReactionKey } from "@parley/protocol/message-extra";
import { REACTION_KEY_MAX } from "@parley/protocol/limits";
import pinyinTable from "../search/pinyin-table.json";
import { loadSounds, matchesName, nameRank } from "../search/pinyin.ts";
import english from "./data/emoji-en-US.json";
import simplified from "./data/emoji-zh-CN.json";
import traditional from "./data/emoji-zh-TW.json";
import { EMOJI_GROUPS, readEmojiList, TONES, withTone, withoutTone } from "./emoji-list.ts";
import type { EmojiList } from "./emoji-list.ts";
import { findEmoji } from "./find-emoji.ts";

const LISTS = {
  "en-US": readEmojiList(english),
  "zh-CN": readEmojiList(simplified),
  "zh-TW": readEmojiList(traditional),
};

const allOf = (list: EmojiList) => EMOJI_GROUPS.flatMap((group) => list[group]);

function find(locale: keyof typeof LISTS, query: string): string[] {
  return findEmoji(allOf(LISTS[locale]), query, { rank: nameRank, matches: matchesName }).map(
    ({ emoji }) => emoji,
  );
}

function named(emoji: string) {
  const found = allOf(LISTS["en-US"]).find((candidate) => candidate.emoji === emoji);
  if (found === undefined) throw new Error(`there is no ${emoji}`);
  return found;
}

beforeAll(async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
  await loadSounds();
});

describe("the lists of emoji", () => {
  test("have the same emoji in all languages, each once and with a name", () => {
    const keys = allOf(LISTS["en-US"]).map(({ emoji }) => emoji);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(1_800);
    for (const list of Object.values(LISTS)) {
      expect(allOf(list).map(({ emoji }) => emoji)).toEqual(keys);
      expect(allOf(list).filter(({ name }) => name === "")).toEqual([]);
    }
  });

  test("have only what people can react with, in every skin tone", () => {
    const keys = allOf(LISTS["en-US"]).flatMap((emoji) =>
      [null, ...TONES].map((tone) => withTone(emoji, tone)),
    );
    expect(keys.filter((key) => !isReactionKey(key) || key.length > REACTION_KEY_MAX)).toEqual([]);
  });
});

test.each([
  ["👍", "👍🏽"],
  ["☝️", "☝🏽"],
  ["🏋️‍♀️", "🏋🏽‍♀️"],
  ["🧑‍🤝‍🧑", "🧑🏽‍🤝‍🧑🏽"],
  ["👩‍❤️‍💋‍👨", "👩🏽‍❤️‍💋‍👨🏽"],
  ["😀", "😀"],
])("the skin tone of %s", (emoji, toned) => {
  expect(withTone(named(emoji), "🏽")).toBe(toned);
  expect(withoutTone(toned)).toBe(withoutTone(emoji));
});

describe("emoji are found", () => {
  test.each([
    ["en-US", "thumbs up", "👍"],
    ["en-US", "red heart", "❤️"],
    ["zh-CN", "拇指向上", "👍"],
    ["zh-TW", "讚", "👍"],
    ["zh-CN", "猫脸", "🐱"],
  ] as const)("by their names: %s %s", (locale, query, emoji) => {
    expect(find(locale, query)[0]).toBe(emoji);
  });

  test.each([
    ["en-US", "lol", "😂"],
    ["en-US", "Birthday", "🎂"],
    ["zh-CN", "真棒", "👍"],
    ["zh-TW", "拇指", "👍"],
  ] as const)("by words: %s %s", (locale, query, emoji) => {
    expect(find(locale, query)).toContain(emoji);
  });

  test.each([
    ["zh-CN", "xiaoku", "😂"],
    ["zh-CN", "muzhi", "👍"],
    ["zh-CN", "mzxs", "👍"],
    ["zh-TW", "zan", "👍"],
  ] as const)("by pinyin and initials: %s %s", (locale, query, emoji) => {
    expect(find(locale, query)).toContain(emoji);
  });

  test("the best match first, and not too many", () => {
    expect(find("en-US", "cat")[0]).toBe("🐈");
    expect(find("en-US", "heart").slice(0, 24)).toContain("❤️");
    expect(find("en-US", "a").length).toBeLessThanOrEqual(96);
    expect(find("en-US", "no such thing")).toEqual([]);
  });
});
