import { GroupRole, JoinMode } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMemberRow, GroupRow } from "../../ports/group-store.ts";
import { changesOf } from "./group-changes.ts";

const group: GroupRow = {
  id: 1,
  name: "Traders",
  ownerId: 1,
  headImage: "/files/a",
  headImageThumb: null,
  notice: null,
  isAllMuted: false,
  inviteRole: 1,
  editRole: 2,
  attrRole: 2,
  joinMode: JoinMode.FREE,
  isFindable: true,
  attributes: { city: "Bern", floor: "2" },
  banReason: null,
  isLarge: false,
  dissolvedAt: null,
  createdAt: 0,
};
const me: GroupMemberRow = {
  groupId: 1,
  userId: 1,
  role: GroupRole.OWNER,
  isMuted: false,
  remarkNickName: "Ann",
  remarkGroupName: null,
  isTop: false,
  msgRemind: 0,
  msgRemindUntil: null,
  msgRemindAfter: null,
  quit: false,
  wasRemoved: false,
  joinedAt: 0,
  stayFrom: 0,
};
const NOTHING = { preferences: {}, info: {}, attributes: {} };

test.each([
  ["a whole group as it is changes nothing", { name: "Traders", headImage: "/files/a", notice: null }, {}],
  [
    "an empty text is no text",
    { headImage: "", notice: "", remarkNickName: "" },
    {
      info: { headImage: null },
      preferences: { remarkNickName: null },
    },
  ],
  [
    "names of the member that show nothing are no names",
    { remarkGroupName: "\u200b", remarkNickName: " \u3164" },
    { preferences: { remarkNickName: null } },
  ],
  [
    "names of the member",
    { remarkGroupName: "Work", remarkNickName: "Ann" },
    {
      preferences: { remarkGroupName: "Work" },
    },
  ],
  ["the card", { name: "Sellers", notice: "Mondays" }, { info: { name: "Sellers", notice: "Mondays" } }],
  ["the same attributes in another order", { attributes: { floor: "2", city: "Bern" } }, {}],
  ["an attribute less", { attributes: { city: "Bern" } }, { attributes: { attributes: { city: "Bern" } } }],
  [
    "another attribute",
    { attributes: { city: "Bern", room: "2" } },
    {
      attributes: { attributes: { city: "Bern", room: "2" } },
    },
  ],
  [
    "attributes named like those of every object",
    { attributes: { city: "Bern", toString: "2" } },
    {
      attributes: { attributes: { city: "Bern", toString: "2" } },
    },
  ],
  ["no attributes", { attributes: null }, { attributes: { attributes: {} } }],
])("%s", (_, body, changes) => {
  expect(changesOf({ id: 1, ...body }, group, me)).toEqual({ ...NOTHING, ...changes });
});
