import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EMOTICONS } from "@parley/protocol/emoticons";
import { printedNotices } from "./lib/notices.ts";
import { FIRST_CODE, printedEmoticonFont } from "./lib/emoticon-font.ts";
import { printedApi } from "./lib/printed-api.ts";
import { printedPinyin } from "./lib/printed-pinyin.ts";

test.each([
  ["docs/api/openapi.json", "node tools/openapi.ts", printedApi],
  ["THIRD-PARTY-NOTICES.md", "node tools/notices.ts", printedNotices],
  ["packages/web/src/kit/pinyin-table.ts", "node tools/pinyin.ts", printedPinyin],
])("%s is up to date (else run: %s)", (_, _command, printed) => {
  const { file, text } = printed();
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("the font of the field's emoticons is up to date (else run: node tools/emoticon-font.ts), and has the letters that the field writes", () => {
  const { file, bytes } = printedEmoticonFont();
  expect(readFileSync(file).equals(bytes)).toBe(true);
  const composer = new URL("../packages/web/src/features/chat/composer/", import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, composer), "utf8");
  expect(read("emoticon-chars.ts")).toContain(`FIRST_CODE = 0x${FIRST_CODE.toString(16)};`);
  const last = FIRST_CODE + EMOTICONS.length - 1;
  expect(read("composer.module.css")).toContain(`unicode-range: U+${hex(FIRST_CODE)}-${hex(last)};`);
});

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}
