import { describe, expect, test } from "vitest";
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
