import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EMOTICONS } from "@parley/protocol/emoticons";
import { ERRORS } from "@parley/protocol/errors";
import { generateNotices } from "./lib/generate-notices.ts";
import { generateEmoji } from "./lib/generate-emoji.ts";
import { FIRST_CODE, generateEmoticonFont } from "./lib/generate-emoticon-font.ts";
import { generatePinyin } from "./lib/generate-pinyin.ts";

test.each([
  ["THIRD-PARTY-NOTICES.md", "node tools/notices.ts", generateNotices],
  ["packages/web/src/kit/search/pinyin-table.json", "node tools/pinyin.ts", generatePinyin],
])("%s is up to date (else run: %s)", (_, _command, generate) => {
  const { file, text } = generate();
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("the lists of emoji are up to date (else run: node tools/emoji.ts)", () => {
  for (const { file, text } of generateEmoji()) expect(readFileSync(file, "utf8")).toBe(text);
});

test("docs/protocol.md has one row for each error that has another code than 500 or another HTTP status than 200", () => {
  const document = readFileSync(new URL("../docs/protocol.md", import.meta.url), "utf8");
  const rows = document.matchAll(/^\| `([\w.]+)` +\| (\d+) +\| (\d+) +\|$/gm);
  const documented = [...rows].map(([, key, code, http]) => [
    key,
    { code: Number(code), http: Number(http) },
  ]);
  const special = Object.entries(ERRORS).filter(([, { code, http }]) => code !== 500 || http !== 200);
  expect(documented).toEqual(special);
});

test("the emoticon font is up to date (else run: node tools/emoticon-font.ts), and field and style sheet use its code points", () => {
  const { file, bytes } = generateEmoticonFont();
  expect(readFileSync(file).equals(bytes)).toBe(true);
  const folder = new URL("../packages/web/src/kit/message-field/", import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
  expect(read("emoticon-chars.ts")).toContain(`FIRST_CODE = 0x${FIRST_CODE.toString(16)};`);
  const last = FIRST_CODE + EMOTICONS.length - 1;
  expect(read("message-field.module.css")).toContain(`unicode-range: U+${hex(FIRST_CODE)}-${hex(last)};`);
});

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}
