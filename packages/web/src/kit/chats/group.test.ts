import { describe, expect, test } from "vitest";
import { GroupRole } from "@parley/protocol/codes";
import type { FriendVO, GroupMemberVO, GroupVO, UserInfo } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { groupName, memberNameOf, membersCountOf, roleOf } from "./group.ts";
import type { Translate } from "../i18n/i18n.ts";

const t: Translate = (id, params) => `${id} ${String(params?.["id"] ?? "")}`.trim();
const { MEMBER, ADMIN, OWNER } = GroupRole;

/** A state with group 5, owned by user 1, with these members and contacts. */
function stateWith(
  members: Readonly<Record<number, Partial<GroupMemberVO>>> | null,
  people: { friends?: Record<number, Partial<FriendVO>>; users?: Record<number, Partial<UserInfo>> } = {},
) {
  return {
    session: { kind: "active", userId: 9 },
    me: { id: 9, nickName: "Me" },
    contacts: { friends: people.friends ?? {}, users: people.users ?? {} },
    groups: { byId: { 5: { id: 5, ownerId: 1 } }, members: members === null ? {} : { 5: { byId: members } } },
  } as unknown as State;
}

test("G2 a group is called by my remark for it, else its name, else its number", () => {
  const group = { name: "Tilework", showGroupName: "Work" } as GroupVO;
  expect(groupName(5, group, t)).toBe("Work");
  expect(groupName(5, { ...group, showGroupName: "" }, t)).toBe("Tilework");
  expect(groupName(5, undefined, t)).toBe("chat.group 5");
});

test("the member count is that of the loaded list, else that of the group", () => {
  const groups = (order: readonly number[] | null) => ({
    groups: { byId: { 5: { membersCount: 4 } }, members: order === null ? {} : { 5: { order } } } as never,
  });
  expect(membersCountOf(groups(null), 5)).toBe(4);
  expect(membersCountOf(groups([]), 5)).toBe(4);
  expect(membersCountOf(groups([1, 2, 3]), 5)).toBe(3);
  expect(membersCountOf(groups([1]), 6)).toBe(0);
});

describe("a member's name", () => {
  const members = { 2: { showNickName: "Tess (QA)" } };

  test("is my remark if the member is a friend", () => {
    const friends = { 2: { remarkNickName: "Boss", showNickName: "Boss" } };
    expect(memberNameOf(stateWith(members, { friends }), 5, 2, "Tess", t)).toBe("Boss");
  });

  test("is the name in the group, else the name in the message", () => {
    expect(memberNameOf(stateWith(members), 5, 2, "Tess", t)).toBe("Tess (QA)");
    expect(memberNameOf(stateWith(null), 5, 2, "Tess", t)).toBe("Tess");
  });

  test("is the nickname where nothing else is known, else the number", () => {
    expect(memberNameOf(stateWith(null, { users: { 2: { nickName: "Tess L." } } }), 5, 2, null, t)).toBe(
      "Tess L.",
    );
    expect(memberNameOf(stateWith(null), 5, 2, null, t)).toBe("person.unknown 2");
  });
});

describe("the role beside a name", () => {
  test("is the current role when it is known", () => {
    const state = stateWith({ 2: { role: ADMIN, quit: false }, 3: { role: ADMIN, quit: true } });
    expect(roleOf(state, 5, 1, MEMBER)).toBe(OWNER);
    expect(roleOf(state, 5, 2, MEMBER)).toBe(ADMIN);
    expect(roleOf(state, 5, 3, ADMIN)).toBe(MEMBER);
  });

  test("is otherwise the role at the time of sending, with one owner at most", () => {
    expect(roleOf(stateWith(null), 5, 2, ADMIN)).toBe(ADMIN);
    expect(roleOf(stateWith(null), 5, 2, OWNER)).toBe(MEMBER);
    expect(roleOf(stateWith(null), 6, 2, OWNER)).toBe(OWNER);
  });
});
