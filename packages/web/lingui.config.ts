import { readFileSync } from "node:fs";
import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-json";
import { type ErrorSentences, errorTexts } from "@parley/protocol/error-texts";

const ERRORS = new URL("../protocol/src/errors.json", import.meta.url);

const json = formatter({ style: "minimal" });

export default defineConfig({
  sourceLocale: "zh-CN",
  locales: ["zh-CN", "en-US", "zh-TW"],
  catalogs: [{ path: "<rootDir>/src/locales/{locale}", include: ["<rootDir>/src"] }],
  format: {
    ...json,
    parse(content, context) {
      const texts = JSON.parse(content) as object;
      const sentences = JSON.parse(readFileSync(ERRORS, "utf8")) as ErrorSentences;
      const all = { ...texts, ...errorTexts(sentences, context.locale ?? "") };
      return json.parse(JSON.stringify(all), context);
    },
  },
});
