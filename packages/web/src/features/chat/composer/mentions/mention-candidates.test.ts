import { beforeAll, expect, test, vi } from "vitest";
import { loadSounds, nameRank } from "../../../../kit/search/pinyin.ts";
import pinyinTable from "../../../../kit/search/pinyin-table.json";
import { matchCandidates } from "./mention-candidates.ts";

beforeAll(async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
  await loadSounds();
});

const ALL = [
  { userId: -1, name: "所有人", remark: null, aliases: ["Everyone"] },
  { userId: 1, name: "何安然", remark: null },
  { userId: 2, name: "Bo Holm", remark: "安娜的朋友" },
  { userId: 3, name: "林晓", remark: null },
];
const ids = (query: string) => matchCandidates(ALL, query, nameRank).map((one) => one.userId);

test("an empty query finds all members in group order", () => expect(ids("")).toEqual([-1, 1, 2, 3]));
test("a query finds members by name", () => expect(ids("林")).toEqual([3]));
test("a query finds a member by my remark and by the name that others see", () => {
  expect(ids("朋友")).toEqual([2]);
  expect(ids("holm")).toEqual([2]);
});
test("a query finds members by pinyin and by initials", () => {
  expect(ids("linxiao")).toEqual([3]);
  expect(ids("lx")).toEqual([3]);
  expect(ids("syr")).toEqual([-1]);
});
test("a query finds everyone by its name in another language", () => expect(ids("every")).toEqual([-1]));
test("names that begin with the query come first", () => expect(ids("an")).toEqual([2, 1]));
test("common readings rank before rare ones, and matches at the beginning before those in the middle", () => {
  const people = ["丁一", "李志", "Bo Zhou", "周航", "张三"].map((name, userId) => ({
    userId,
    name,
    remark: null,
  }));
  const names = (query: string) => matchCandidates(people, query, nameRank).map((one) => one.name);
  expect(names("zh")).toEqual(["周航", "张三", "丁一", "李志", "Bo Zhou"]);
  expect(names("zhang")).toEqual(["张三", "周航"]);
});
test("an unknown name finds nobody", () => expect(ids("xyz")).toEqual([]));
