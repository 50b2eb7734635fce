import { expect, test } from "vitest";
import { snippet } from "./highlighted-text.tsx";

const marked = (content: string, query: string) => {
  const { text, ranges } = snippet(content, query);
  return [text, ...ranges.map(([start, end]) => text.slice(start, end))];
};

test("marks the matches", () => {
  expect(marked("我家在上海东边", "上海")).toEqual(["我家在上海东边", "上海"]);
  expect(marked("我家在上海东边", "上海 东")).toEqual(["我家在上海东边", "上海东"]);
});

test("turns line breaks into spaces", () => {
  expect(marked("first\nsecond line", "sec")).toEqual(["first second line", "sec"]);
});

test("cuts the beginning so that a match near the end is visible", () => {
  const [text, mark] = marked(`${"很长的话".repeat(20)}在这里${"还有".repeat(100)}`, "在这里");
  expect(text).toMatch(/^….{10}在这里/u);
  expect(mark).toBe("在这里");
});

test("R163 keeps a match visible that would be at the end of a narrow line", () => {
  const before = "明天下午三点在老地方见面之前先去";
  expect(marked(`${before}上海`, "上海")).toEqual([`…${before.slice(-10)}上海`, "上海"]);
  // The ellipsis would take as much space as the cut characters.
  expect(marked("十二个字刚好放得下不用剪上海", "上海")).toEqual(["十二个字刚好放得下不用剪上海", "上海"]);
});

test("does not split a character", () => {
  const [text] = marked(`${"🙂".repeat(20)}x${"🙂".repeat(4)} word`, "word");
  expect(text).not.toMatch(/(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
});
