import { expect, it } from "vitest";
import type { Contacts } from "@parley/core/model/state";
import { matchesName } from "../../kit/pinyin.ts";
import { findFriends } from "./use-found-friends.ts";

const friend = (id: number, showNickName: string, userName: string) => ({
  id,
  showNickName,
  nickName: "",
  userName,
});
const contacts = {
  friends: {
    1: friend(1, "周若宁", "nora"),
    2: friend(2, "Evan Shaw", "evan"),
    3: friend(3, "许明澈", "milo"),
  },
  order: [2, 1, 3],
  online: { 2: [2], 1: [] },
} as unknown as Contacts;

const find = (filter: string) => findFriends(contacts, filter, { matches: matchesName });

it("parts friends by presence and keeps their order", () => {
  expect(find("")).toEqual({ online: [2], offline: [1, 3] });
});

it("finds by remark and user name, whatever the case", () => {
  expect(find(" EVAN ")).toEqual({ online: [2], offline: [] });
  expect(find("若宁").offline).toEqual([1]);
  expect(find("milo").offline).toEqual([3]);
});
