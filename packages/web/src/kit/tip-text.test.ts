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

  test("D7 names the first few of many, and tells how many others there are", () => {
    const told = (count: number) => {
      const names = joinNames(Array.from({ length: count }, (_, n) => `P${n + 1}`));
      const tip = { key: "group.invited", params: { name: "Ann", names } };
      return tipText(tip, "", false, currentText());
    };
    expect(told(5)).toBe("Ann invited P1, P2, P3, P4, P5 to the group");
    expect(told(6)).toBe("Ann invited P1, P2, P3 and 3 others to the group");
    expect(told(45)).toBe("Ann invited P1, P2, P3 and 42 others to the group");
  });
});
