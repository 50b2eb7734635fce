import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Contacts } from "@parley/core/model/state";
import pinyinTable from "../../kit/search/pinyin-table.json";
import { findFriends } from "./friend-list.tsx";

// Another file may have loaded the table into the module that files share.
vi.resetModules();
const { loadSounds, matchesName, nameLetter } = await import("../../kit/search/pinyin.ts");

const friend = (id: number, showNickName: string, userName: string, nickName = "") => ({
  id,
  showNickName,
  nickName,
  userName,
});
const contacts = {
  friends: {
    1: friend(1, "周若宁", "nora"),
    2: friend(2, "Evan Shaw", "evan"),
    3: friend(3, "许明澈", "milo"),
    4: friend(4, "7 号仓库", "store"),
    // A remark takes precedence over the nickname.
    5: friend(5, "阿强", "qiang", "王强"),
    6: friend(6, "Xena", "xena"),
  },
  order: [2, 4, 6, 5, 3, 1],
  online: { 2: [2], 1: [] },
} as unknown as Contacts;

const find = (filter: string) => findFriends(contacts, filter, { matches: matchesName, letter: nameLetter });

test("P144 keeps the core's order while the letters of some names are not known", () => {
  expect(find("")).toEqual({ online: [2], others: [{ letter: "", ids: [4, 6, 5, 3, 1] }] });
});

describe("with the pinyin table", () => {
  beforeAll(async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
    await loadSounds();
  });

  test("P144 lists online friends first, then the others by letter, # last", () => {
    expect(find("")).toEqual({
      online: [2],
      others: [
        { letter: "A", ids: [5] },
        { letter: "X", ids: [6, 3] },
        { letter: "Z", ids: [1] },
        { letter: "#", ids: [4] },
      ],
    });
  });

  test("finds friends by remark, nickname and user name, ignoring case", () => {
    expect(find(" EVAN ")).toEqual({ online: [2], others: [] });
    expect(find("若宁").others).toEqual([{ letter: "Z", ids: [1] }]);
    expect(find("milo").others).toEqual([{ letter: "X", ids: [3] }]);
    expect(find("王强").others).toEqual([{ letter: "A", ids: [5] }]);
  });
});
