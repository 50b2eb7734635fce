import { beforeAll, expect, test } from "vitest";
import { loadSounds, nameRank } from "../../../../kit/pinyin.ts";
import { matchCandidates } from "./mention-candidates.ts";

beforeAll(loadSounds);

const ALL = [
  { userId: -1, name: "所有人", remark: null, also: ["Everyone"] },
  { userId: 1, name: "何安然", remark: null },
  { userId: 2, name: "Bo Holm", remark: "安娜的朋友" },
  { userId: 3, name: "林晓", remark: null },
];
const ids = (words: string) => matchCandidates(ALL, words, nameRank).map((one) => one.userId);

test("an empty query finds all members in group order", () => expect(ids("")).toEqual([-1, 1, 2, 3]));
test("by name", () => expect(ids("林")).toEqual([3]));
test("by remark, and by the name that others see", () => {
  expect(ids("朋友")).toEqual([2]);
  expect(ids("holm")).toEqual([2]);
});
test("by pinyin and by initials", () => {
  expect(ids("linxiao")).toEqual([3]);
  expect(ids("lx")).toEqual([3]);
  expect(ids("syr")).toEqual([-1]);
});
test("everyone in another language", () => expect(ids("every")).toEqual([-1]));
test("names that begin with the query come first", () => expect(ids("an")).toEqual([2, 1]));
test("by the usual sound before a seldom one, by the beginning before the middle", () => {
  const people = ["丁一", "李志", "Bo Zhou", "周航", "张三"].map((name, userId) => ({
    userId,
    name,
    remark: null,
  }));
  const names = (words: string) => matchCandidates(people, words, nameRank).map((one) => one.name);
  expect(names("zh")).toEqual(["周航", "张三", "丁一", "李志", "Bo Zhou"]);
  expect(names("zhang")).toEqual(["张三", "周航"]);
});
test("an unknown name finds nobody", () => expect(ids("xyz")).toEqual([]));
