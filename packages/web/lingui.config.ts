import { readFileSync } from "node:fs";
import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-json";
import { type ErrorSentences, errorTexts } from "@parley/protocol/error-texts";

const ERRORS = new URL("../protocol/src/errors.json", import.meta.url);

/** The texts of the administration, which few people load, are catalogues of their own, with the errors of the administration. */
const ADMIN = "src/locales/admin/";

const json = formatter({ style: "minimal" });

export default defineConfig({
  sourceLocale: "zh-CN",
  locales: ["zh-CN", "en-US", "zh-TW"],
  catalogs: ["src/locales/", ADMIN].map((folder) => ({
    path: `<rootDir>/${folder}{locale}`,
    include: ["<rootDir>/src"],
  })),
  format: {
    ...json,
    parse(content, context) {
      const texts = JSON.parse(content) as object;
      const sentences = JSON.parse(readFileSync(ERRORS, "utf8")) as ErrorSentences;
      const isAdmin = context.filename.includes(ADMIN);
      const errors = Object.entries(errorTexts(sentences, context.locale ?? "")).filter(
        ([id]) => id.startsWith("error.admin.") === isAdmin,
      );
      return json.parse(JSON.stringify({ ...texts, ...Object.fromEntries(errors) }), context);
    },
  },
});
