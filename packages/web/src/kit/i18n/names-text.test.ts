import { beforeAll, expect, test } from "vitest";
import { currentText, setLanguage, startLanguage } from "./i18n.ts";
import { listNames } from "./names-text.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

test.for([
  ["en-US", "", "Ann", "Ann and Bo", "Ann, Bo and Cy"],
  ["zh-CN", "", "Ann", "Ann、Bo", "Ann、Bo、Cy"],
  ["zh-TW", "", "Ann", "Ann、Bo", "Ann、Bo、Cy"],
] as const)("D152 lists no, one, two and three names in %s", async ([locale, ...lists]) => {
  await setLanguage(locale);
  const names = ["Ann", "Bo", "Cy"];
  lists.forEach((list, count) => expect(listNames(names.slice(0, count), currentText())).toBe(list));
});
