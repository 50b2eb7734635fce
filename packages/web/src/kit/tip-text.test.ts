import { beforeAll, describe, expect, test } from "vitest";
import { joinNames } from "@parley/protocol/tip-names";
import { currentText, loadTexts, startLanguage } from "./i18n.ts";
import { tipText } from "./tip-text.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
  await loadTexts("shell");
});

describe("the sentence of a tip", () => {
  test("names people whatever their names hold", () => {
    const names = joinNames(["Doe, John", "Bo\\"]);
    const tip = { key: "group.invited", params: { name: "Ann, B.", names } };
    expect(tipText(tip, "", false, currentText())).toBe("Ann, B. invited Doe, John, Bo\\ to the group");
  });
});
