import { beforeAll, describe, expect, test, vi } from "vitest";
import pinyinTable from "./pinyin-table.json";

// Another file may have loaded the table into the module that files share.
vi.resetModules();
const { loadSounds, matchesName, nameLetter, nameRanges } = await import("./pinyin.ts");

test("finds names by their characters before the pinyin table is loaded", () => {
  expect(matchesName("周若宁", "若宁")).toBe(true);
  expect(matchesName("周若宁", "zhou")).toBe(false);
});

test("P144 knows the index letter of names without Han characters before the pinyin table is loaded", () => {
  expect(["evan", " Zoe", "Émile", "42 Club", "🌸林晓", "", "周若宁"].map(nameLetter)).toEqual([
    "E",
    "Z",
    "E",
    "#",
    "#",
    "#",
    null,
  ]);
});

test("tries again after the table could not be loaded", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 404 })));
  await expect(loadSounds()).rejects.toThrow("404");
  expect(matchesName("周若宁", "zhou")).toBe(false);
});

describe("with the pinyin table", () => {
  beforeAll(async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
    await loadSounds();
  });

  test.each([
    ["周若宁", "Z"],
    ["林晓", "L"],
    ["陳曉東", "C"],
    ["喆", "Z"],
    ["曾国藩", "Z"],
    ["单田芳", "S"],
    ["欧阳修", "O"],
    ["Ｅvan", "E"],
    ["々", "#"],
  ])("P144 puts %s under the letter %s", (name, letter) => {
    expect(nameLetter(name)).toBe(letter);
  });

  test.each([
    ["周若宁", "zhouruoning"],
    ["周若宁", "zhou ruo ning"],
    ["周若宁", "zrn"],
    ["周若宁", "rn"],
    ["周若宁", "ruon"],
    ["周若宁", "zhrn"],
    ["周若宁", "周rn"],
    ["青瓦项目 · 产品组", "qing"],
    ["青瓦项目 · 产品组", "xmcp"],
    ["吕布", "lv"],
    ["吕布", "LÜ"],
    // Polyphones by any sound.
    ["单田芳", "shan"],
    ["单田芳", "dan"],
    ["仇英", "qiu"],
    ["曾国藩", "zengguofan"],
    ["张乐乐", "zyl"],
    ["重庆", "chongqing"],
    ["重庆", "zhong"],
    // Traditional and rare ones.
    ["陳曉東", "chenxd"],
    ["朱旻喆", "zmz"],
    // Latin names by initials and without the space.
    ["Evan Shaw", "es"],
    ["Evan Shaw", "evanshaw"],
    ["Evan Shaw", "SHAW"],
  ])("finds %s by %s", (name, query) => {
    expect(matchesName(name, query)).toBe(true);
  });

  test.each([
    ["周若宁", "ning zhou"],
    ["周若宁", "zn"],
    ["周若宁", "uo"],
    ["周若宁", "周宁"],
    ["Evan Shaw", "vs"],
  ])("does not find %s by %s", (name, query) => {
    expect(matchesName(name, query)).toBe(false);
  });

  test("returns the ranges that were found", () => {
    expect(nameRanges("叶清和", "qing")).toEqual([[1, 2]]);
    expect(nameRanges("青瓦项目 · 产品组", "mcp")).toEqual([
      [3, 4],
      [7, 9],
    ]);
    expect(nameRanges("Remy Lowell", "re")).toEqual([[0, 2]]);
    expect(nameRanges("Remy Lowell", "rl")).toEqual([
      [0, 1],
      [5, 6],
    ]);
    expect(nameRanges("anyone", " ")).toEqual([]);
  });
});
