import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { printedNotices } from "./lib/notices.ts";
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
