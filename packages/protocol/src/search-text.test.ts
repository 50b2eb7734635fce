import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexTerms, matches, matchRanges, queryTerms, searchTextOf, type QueryTerm } from "./search-text.ts";

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

  test("the index terms are each Han character, each pair, each word and each sign, without duplicates", () => {
    expect(indexTerms("上海 上海a_1 b B")).toEqual(["上", "上海", "海", "a", "_5f", "1", "b"]);
    expect(indexTerms(" \n")).toEqual([]);
  });

  test("the query terms are Han pairs, single Han characters and word prefixes", () => {
    const han = (text: string) => ({ text, isPrefix: false });
    const word = (text: string) => ({ text, isPrefix: true });
    expect(queryTerms("上海东")).toEqual([han("上海"), han("海东")]);
    expect(queryTerms("海 上海")).toEqual([han("海"), han("上海")]);
    expect(queryTerms("Noon店2.1 2")).toEqual([word("noon"), han("店"), word("2"), han("_2e"), word("1")]);
    expect(queryTerms(" ，")).toEqual([han("_2c")]);
    expect(queryTerms(" \u200b\u3164\u2800")).toEqual([]);
  });

  test("a word with digits and letters is indexed from each change on, up to the second one after it", () => {
    const word = (text: string, isPrefix: boolean) => ({ text, isPrefix });
    expect(indexTerms("AB12cd345")).toEqual(["ab12", "12cd", "cd345", "345"]);
    expect(queryTerms("12cd3")).toEqual([word("12cd", false), word("cd3", true)]);
    expect(queryTerms("12cd")).toEqual([word("12cd", true)]);
    const hash = "a1".repeat(5_000);
    expect(indexTerms(hash)).toEqual(["a1", "1a", "1"]);
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

  test.each([
    // A script without blanks.
    ["昨日のミーティングの資料です", "ミーティング"],
    ["打ち合わせはカフェで", "カフェ"],
    ["明日のランチはカレーです", "カレー"],
    ["明日のランチはカレーです", "ー"],
    ["昨日のミーティングの資料です", "の資料"],
    ["昨日のﾐｰﾃｨﾝｸﾞの資料です", "ミーティング"],
    ["昨日のミーティングの資料です", "ﾐｰﾃｨﾝｸﾞ"],
    ["ガ".normalize("NFD"), "ガ"],
    ["これはがぎぐ", "がぎ".normalize("NFD")],
    ["회의자료를보내주세요", "자료"],
    ["오늘회의는세시에합니다", "회의"],
    ["오늘회의는세시에합니다".normalize("NFD"), "회의"],
    ["오늘회의는세시에합니다", "회의".normalize("NFD")],
    ["ㄅㄆㄇㄈ", "ㄇ"],
    ["สวัสดีครับ", "ครับ"],
    ["ສະບາຍດີ", "ດີ"],
    ["សួស្តីពិភពលោក", "ពិភព"],
    ["မင်္ဂလာပါ", "ပါ"],
    ["བཀྲ་ཤིས་བདེ་ལེགས", "ཤིས"],
    // Digits, letters and connectors.
    ["Q3_report_final_v2.xlsx", "report"],
    ["Q3_report_final_v2.xlsx", "final"],
    ["Q3_report_final_v2.xlsx", "Q3"],
    ["Q3_report_final_v2.xlsx", "report_fin"],
    ["Q3_report_final_v2.xlsx", "v2"],
    ["Q3_report_final_v2.xlsx", "xls"],
    ["Q3-report-final.xlsx", "report"],
    ["IMG_20240101.jpg", "20240101"],
    ["IMG20240101.jpg", "2024"],
    ["order_id_88421 shipped", "88421"],
    ["v2.3.10 released", "2.3.10"],
    ["20kg", "kg"],
    ["名前＿資料", "資料"],
    ["a‿b", "b"],
    ["ｖ２．３", "2.3"],
    // Case and accents.
    ["STRASSE", "straße"],
    ["Straße", "STRASS"],
    ["ΟΔΟΣ", "οδος"],
    ["İstanbul", "istanbul"],
    ["Cafe\u0301 Noir", "café"],
    ["café", "CAFE\u0301"],
    ["x\u0302y1", "1"],
    // Characters that are not seen.
    ["co\u00adoperate", "cooper"],
    ["می\u200cخواهم", "میخوا"],
    ["one\u200btwo", "two"],
    // Signs.
    ["100%", "%"],
    ["I like C++", "C++"],
    ["I like C++", "++"],
    ["a -> b", "->"],
    ["a→b", "→"],
    ["hi 😀", "😀"],
    ["#1", "#"],
    ["wow!!", "!!"],
    ["wow！！", "!!"],
    ["I ❤️ it", "❤"],
    ["I ❤ it", "❤️"],
    ["1️⃣", "1️⃣"],
    ["#️⃣", "#️⃣"],
    ["👨‍👩‍👧", "👩"],
    ["👍🏽", "👍"],
    ["half price: 50%", "price %"],
  ])("in %j, %j is found, and the index has its terms", (content, query) => {
    expect(matches(content, query)).toBe(true);
    expect(missingTerms(content, query)).toEqual([]);
    expect(matchRanges(content, query).length).toBeGreaterThan(0);
  });

  test.each([
    ["off_sale", "le"],
    ["カフェ", "フェア"],
    ["v2024", "24"],
    ["report", "port"],
    ["資料", "料資"],
    ["ガ", "カ"],
    ["a\u0301b", "b"],
    ["wow!", "!!"],
    ["x", "\u200b"],
    ["\u200b", "\u200b"],
    ["\u2800", "\u2800"],
  ])("in %j, %j is not found", (content, query) => {
    expect(matches(content, query)).toBe(false);
    expect(matchRanges(content, query)).toEqual([]);
  });

  test.each([
    ["  word ", "word"],
    ["x".repeat(63) + "😀😀", "x".repeat(63) + "😀"],
    [" \u200b\u3164 ", ""],
    ["%", "%"],
  ])("%j asks for %j", (typed, expected) => {
    expect(searchTextOf(typed)).toBe(expected);
  });

  test("a message must contain the signs of a query too", () => {
    expect(matches("half price", "price %")).toBe(false);
  });

  test("whatever is found has its terms in the index", () => {
    const unit = fc.constantFrom(
      ..."aé1２_-.%ßİΣς上のカｶﾞー한ขี้\u0301\u3099\u200b\u00ad\ufe0f\u20e3😀𝒳\u1100\u1161 ",
    );
    const text = fc.array(unit, { minLength: 1, maxLength: 9 }).map((units) => units.join(""));
    fc.assert(
      fc.property(text, text, text, (before, query, after) => {
        const content = before + query + after;
        if (matches(content, query)) expect(missingTerms(content, query)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  test("match ranges cover the whole piece of the content that a folded character comes from", () => {
    expect(matchRanges("ﬁn", "f")).toEqual([[0, 1]]);
    expect(matchRanges("Cafe\u0301!", "café")).toEqual([[0, 5]]);
    expect(matchRanges("ｶﾞｽ", "ガ")).toEqual([[0, 2]]);
    expect(matchRanges("I ❤️ it", "❤")).toEqual([[2, 4]]);
    expect(matchRanges("IMG_20240101.jpg", "2024")).toEqual([[4, 8]]);
  });
});

/** The terms of a query that the index of a content lacks. */
function missingTerms(content: string, query: string): QueryTerm[] {
  const terms = indexTerms(content);
  return queryTerms(query).filter(
    ({ text, isPrefix }) => !terms.some((term) => (isPrefix ? term.startsWith(text) : term === text)),
  );
}
