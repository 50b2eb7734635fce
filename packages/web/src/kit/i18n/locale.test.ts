import { describe, expect, test } from "vitest";
import enUS from "../../locales/en-US.json";
import zhCN from "../../locales/zh-CN.json";
import zhTW from "../../locales/zh-TW.json";
import { chooseLocale } from "./locale.ts";

describe("the initial language", () => {
  test.each([
    ["zh-CN", "zh-CN"],
    ["zh", "zh-CN"],
    ["zh-TW", "zh-CN"],
    ["zh-Hant-HK", "zh-CN"],
    ["en-GB", "en-US"],
    ["de", "en-US"],
    ["", "en-US"],
  ])("in a %s browser is %s", (browser, expected) => {
    expect(chooseLocale(null, browser)).toBe(expected);
  });

  test("is the saved choice when there is one", () => {
    expect(chooseLocale("zh-TW", "en-US")).toBe("zh-TW");
  });

  test("ignores a saved value that is not a supported language", () => {
    expect(chooseLocale("fr-FR", "zh-CN")).toBe("zh-CN");
  });
});

describe("the three catalogues", () => {
  const catalogues = { "zh-CN": zhCN, "en-US": enUS, "zh-TW": zhTW } as const;
  const ids = Object.keys(zhCN);

  test.each(Object.keys(catalogues) as (keyof typeof catalogues)[])(
    "%s has the same texts, none empty",
    (locale) => {
      const texts: Record<string, string> = catalogues[locale];
      expect(Object.keys(texts).sort()).toEqual([...ids].sort());
      expect(Object.entries(texts).filter(([, text]) => text.trim() === "")).toEqual([]);
    },
  );

  test.each(Object.keys(catalogues) as (keyof typeof catalogues)[])(
    "%s names the same parameters",
    (locale) => {
      const texts: Record<string, string> = catalogues[locale];
      const source: Record<string, string> = zhCN;
      // A brace after a case begins the text of that case, not a parameter.
      const names = (text: string) =>
        [
          ...new Set(
            Array.from(text.matchAll(/(?<!(?:\b(?:one|other|me|mine|microphone|camera)|=\d) )\{(\w+)/g)).map(
              (match) => match[1] ?? "",
            ),
          ),
        ].sort();
      const different = ids.filter((id) => names(texts[id]!).join() !== names(source[id]!).join());
      expect(different).toEqual([]);
    },
  );
});
