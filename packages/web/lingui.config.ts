import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-json";

export default defineConfig({
  sourceLocale: "zh-CN",
  locales: ["zh-CN", "en-US", "zh-TW"],
  catalogs: [{ path: "<rootDir>/src/locales/{locale}", include: ["<rootDir>/src"] }],
  format: formatter({ style: "minimal" }),
});
