import { beforeAll, expect, test, vi } from "vitest";
import type { GroupVO } from "@parley/protocol/entities";
import pinyinTable from "../../kit/search/pinyin-table.json";
import { loadSounds, matchesName } from "../../kit/search/pinyin.ts";
import { findGroups } from "./group-list.tsx";

const group = (id: number, name: string, role: number, showGroupName = name) =>
  ({ id, name, showGroupName, role }) as GroupVO;

const byId = {
  3: group(3, "青瓦项目", 2),
  14: group(14, "Badminton", 1, "羽毛球"),
  25: group(25, "发布值班", 3),
};
const groups = { byId, order: [25, 3, 14] };
const match = { matches: matchesName };

beforeAll(async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pinyinTable)));
  await loadSounds();
});

test.each([
  ["", [25, 3], [14]],
  ["青瓦", [3], []],
  ["qwxm", [3], []],
  ["fabu", [25], []],
  ["yumaoqiu", [], [14]],
  ["badmin", [], [14]],
  ["14", [], [14]],
  ["nothing", [], []],
])("the filter %j finds the managed groups %j and the joined groups %j", (filter, managed, joined) => {
  expect(findGroups(groups, filter, match)).toEqual({ managed, joined });
});
