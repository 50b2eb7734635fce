import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { WebPushPreview } from "@parley/protocol/web-push";

const TEXTS = Object.fromEntries(
  ["zh-CN", "zh-TW", "en-US"].map((locale) => [
    locale,
    JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), "utf8")) as object,
  ]),
);
vi.stubGlobal("__PUSH_TEXTS__", TEXTS);
const { callWordsOf, wordsOf } = await import("./push-words.ts");

const preview = (part: Partial<WebPushPreview>): WebPushPreview => ({
  group: null,
  sender: "Ann",
  key: "content",
  text: "hello",
  ...part,
});

test.each([
  ["en", null, 1, false, ["Parley", "You have a new message"]],
  ["zh-TW", null, 3, false, ["Parley", "你有 3 則新訊息"]],
  ["zh-CN", null, 3, true, ["Parley", "有人@我"]],
  ["en", preview({}), 3, false, ["Parley", "Ann: hello"]],
  ["zh-CN", preview({ group: "Team", key: "image", text: "" }), 1, true, ["Team", "Ann：[图片]"]],
  ["en", preview({ key: "transfer", text: "5" }), 1, false, ["Parley", "Ann: [Transfer] ¥5"]],
  [
    "en",
    preview({ sender: null, key: "friendApply", text: "Bob" }),
    1,
    false,
    ["Parley", "[Friend request] Bob wants to be your friend"],
  ],
  ["xx", null, 2, false, ["Parley", "You have 2 new messages"]],
])("WP12 in %s, preview %o, %s messages, mention %s", (language, given, count, isMention, words) => {
  const { title, body } = wordsOf({ language, preview: given, isMention }, count);
  expect([title, body]).toEqual(words);
});

test.each([
  ["en", null, ["Parley", "Incoming call"]],
  ["zh-CN", null, ["Parley", "有人呼叫你"]],
  ["zh-TW", null, ["Parley", "你有來電"]],
  ["en", { sender: "Ann", group: null }, ["Parley", "Ann is calling you"]],
  ["zh-TW", { sender: "Ann", group: null }, ["Parley", "Ann 正在打電話給你"]],
  ["zh-CN", { sender: "Ann", group: "Team" }, ["Team", "Ann 邀请你加入群通话"]],
])("WP14 a call in %s, preview %o", (language, given, words) => {
  const { title, body } = callWordsOf({ language, preview: given });
  expect([title, body]).toEqual(words);
});
