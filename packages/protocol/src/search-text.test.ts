import { describe, expect, test } from "vitest";
import { indexTerms, matches, matchRanges, queryTerms } from "./search-text.ts";

const SHANGHAI = "我家在上海东边";

describe("search", () => {
  test.each([
    [SHANGHAI, "上海", true],
    [SHANGHAI, "海", true],
    [SHANGHAI, "家在", true],
    [SHANGHAI, "上海 东", true],
    [SHANGHAI, "海上", false],
    [SHANGHAI, "   ", false],
    [SHANGHAI, "，", false],
    ["Meet me at Noon", "noo", true],
    ["Meet me at Noon", "oon", false],
    ["Meet me at Noon", "ME noon", true],
    ["去了iPhone店", "iph", true],
    ["去了iPhone店", "店", true],
    ["ＡＢＣ１２３", "abc1", true],
    ["version 2.10 is out", "2.1", true],
    ["𠮷野家", "𠮷", true],
    ["𠮷野家", "野家", true],
  ])("content %j matches query %j: %s", (content, query, expected) => {
    expect(matches(content, query)).toBe(expected);
  });

  test("every match has all terms of the query in the index", () => {
    const contents = [SHANGHAI, "Meet me at Noon", "去了iPhone店", "version 2.10 is out", "𠮷野家", "a_b-c"];
    const queries = ["上海", "海", "上海 东", "noo", "iph", "iphone店", "2.1", "𠮷", "野家", "a_b", "c"];
    for (const content of contents) {
      const terms = indexTerms(content);
      for (const query of queries.filter((q) => matches(content, q))) {
        for (const { text, isPrefix } of queryTerms(query)) {
          const isIndexed = terms.some((term) => (isPrefix ? term.startsWith(text) : term === text));
          expect(isIndexed, `${content} / ${query} / ${text}`).toBe(true);
        }
      }
    }
  });

  test("the index terms are each Han character, each pair and each word, without duplicates", () => {
    expect(indexTerms("上海 上海a_1,b B")).toEqual(["上", "上海", "海", "a_1", "b"]);
    expect(indexTerms("，")).toEqual([]);
  });

  test("the query terms are Han pairs, single Han characters and word prefixes", () => {
    const han = (text: string) => ({ text, isPrefix: false });
    const word = (text: string) => ({ text, isPrefix: true });
    expect(queryTerms("上海东")).toEqual([han("上海"), han("海东")]);
    expect(queryTerms("海 上海")).toEqual([han("海"), han("上海")]);
    expect(queryTerms("Noon店2.1 2")).toEqual([word("noon"), han("店"), word("2"), word("1")]);
    expect(queryTerms(" ，")).toEqual([]);
  });

  test("a word begins after a Han character or a character that belongs to no word, also outside the BMP", () => {
    expect(matches("𠮷no", "no")).toBe(true);
    expect(matches("𝒳no", "no")).toBe(false);
    expect(matches("😀no", "no")).toBe(true);
    expect(matches("ano no", "no")).toBe(true);
    expect(matches("a-no", "-no")).toBe(true);
    expect(matches("Noon", "noon x")).toBe(false);
  });

  test("match ranges are joined if they overlap or touch", () => {
    expect(matchRanges("上海东", "上海 海东")).toEqual([[0, 3]]);
    expect(matchRanges("上海东", "上海东 海")).toEqual([[0, 3]]);
    expect(matchRanges("上海东", "上 海")).toEqual([[0, 2]]);
    expect(matchRanges("上a海", "上 海")).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(matchRanges("海海海", "海海")).toEqual([[0, 3]]);
    expect(matchRanges("𠮷野", "野 𠮷")).toEqual([[0, 3]]);
    expect(matchRanges("noon no", "no noon")).toEqual([
      [0, 4],
      [5, 7],
    ]);
  });

  test("match ranges are positions in the original content", () => {
    expect(matchRanges(SHANGHAI, "上海 东")).toEqual([[3, 6]]);
    expect(matchRanges("no, Noon; Ａnoon", "no")).toEqual([
      [0, 2],
      [4, 6],
    ]);
    expect(matchRanges("ﬁn 上", "上")).toEqual([[3, 4]]);
    expect(matchRanges("abc", "x")).toEqual([]);
  });
});
