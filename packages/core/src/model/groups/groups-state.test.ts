import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { friendVO, GROUP, groupRequestVO, groupVO, ME, memberVO, systemRow } from "../../testing/builders.ts";
import { setFriends } from "../contacts/contacts-state.ts";
import { mergeMessages } from "../chats/merge-messages.ts";
import { toSystemMessage } from "../chats/chat-rows.ts";
import {
  removeGroupRequest,
  removeMemberLists,
  isMuteTip,
  isGroupLeader,
  setMembersState,
  canAffectMembers,
  patchMembers,
  putGroup,
  putGroupRequest,
  setGroupRequests,
  setGroups,
  setMembers,
  setMembersOnline,
} from "./groups-state.ts";
import { EMPTY_CONTACTS, EMPTY_GROUPS } from "../signed-out-state.ts";
import {
  chatIdentity,
  groupPermission,
  hasUnreadNotice,
  memberName,
  receivedGroupRequestCount,
} from "../selectors.ts";

const THREE = setGroups(EMPTY_GROUPS, [
  groupVO({ id: 7, name: "群 10" }),
  groupVO({ id: 8, name: "群 9" }),
  groupVO({ id: 9, name: "Alpha", remarkGroupName: "Mine" }),
]);
const session = { kind: "active", userId: ME } as const;

describe("groups", () => {
  test("G1 are listed by the name shown, numbers as numbers", () => {
    expect(THREE.order).toEqual([8, 7, 9]);
    expect(THREE.isLoaded).toBe(true);
    expect(putGroup(THREE, groupVO({ id: 9, name: "Alpha", showGroupName: "群 9.5" })).order).toEqual([
      8, 9, 7,
    ]);
  });

  test.each([
    ["left", { quit: true }],
    ["dissolved", { dissolve: true }],
  ])("G1 a %s one is not listed, and keeps its name", (_what, part) => {
    const groups = putGroup(THREE, groupVO({ id: 8, name: "群 9", ...part }));
    expect(groups.order).toEqual([7, 9]);
    const face = chatIdentity({ contacts: EMPTY_CONTACTS, groups, me: null }, { type: "GROUP", targetId: 8 });
    expect(face).toMatchObject({ kind: "group", group: { id: 8, name: "群 9", isFormer: true } });
  });

  test("G2 a chat shows my name for its group, else the group's own", () => {
    const face = (targetId: number) =>
      chatIdentity({ contacts: EMPTY_CONTACTS, groups: THREE, me: null }, { type: "GROUP", targetId });
    expect(face(9)).toEqual({
      kind: "group",
      group: { id: 9, name: "Mine", headImage: null, headImageThumb: null, membersCount: 3, isFormer: false },
    });
    expect(face(7)).toMatchObject({ group: { name: "群 10" } });
    expect(face(99)).toMatchObject({ group: { id: 99, name: null, membersCount: 0, isFormer: false } });
  });
});

describe("requests", () => {
  const later = groupRequestVO({ id: 2, sendId: 12, applyTime: groupRequestVO().applyTime + 1 });
  const own = groupRequestVO({ id: 3, sendId: ME, applyTime: later.applyTime + 1 });
  const invited = groupRequestVO({ id: 4, sendId: 13, inviterId: ME, applyTime: own.applyTime + 1 });

  test("G5 those of others come first, the newest first", () => {
    const groups = setGroupRequests(EMPTY_GROUPS, [own, groupRequestVO(), invited, later], ME);
    expect(groups.requests.map(({ id }) => id)).toEqual([2, 1, 4, 3]);
  });

  test("G4 handled ones go", () => {
    const groups = setGroupRequests(EMPTY_GROUPS, [groupRequestVO({ status: 2 }), later], ME);
    expect(groups.requests.map(({ id }) => id)).toEqual([2]);
    expect(putGroupRequest(groups, own, ME).requests.map(({ id }) => id)).toEqual([2, 3]);
    expect(putGroupRequest(groups, { ...later, status: 3 }, ME).requests).toEqual([]);
    expect(putGroupRequest(groups, { ...own, status: 4 }, ME)).toBe(groups);
    expect(removeGroupRequest(groups, 99)).toBe(groups);
  });

  test("G5 those of groups that I lead wait for my answer", () => {
    const count = (part: object) =>
      receivedGroupRequestCount({
        groups: putGroup(setGroupRequests(EMPTY_GROUPS, [later], ME), groupVO(part)),
      });
    expect(count({ role: 2 })).toBe(1);
    expect(count({ role: 3 })).toBe(1);
    expect(count({ role: 1 })).toBe(0);
    expect(count({ role: 3, dissolve: true })).toBe(0);
    expect(count({ id: 6, role: 3 })).toBe(0);
  });
});

describe("the message about a request", () => {
  const at = (status: number) =>
    toSystemMessage(
      systemRow({
        seqNo: 1,
        type: MessageType.GROUP_APPLY,
        content: JSON.stringify(groupRequestVO({ status })),
      }),
    );
  const statusOf = (message: ReturnType<typeof at>) => message.system?.groupRequest?.status;

  test("G26 closes, and a late copy does not open it again", () => {
    expect(statusOf(mergeMessages(at(1), at(2)))).toBe(2);
    expect(statusOf(mergeMessages(at(2), at(1)))).toBe(2);
  });
});

describe("members", () => {
  const people = [
    memberVO({ userId: 1, showNickName: "Zoe", role: 3 }),
    memberVO({ userId: 2, showNickName: "Bob" }),
    memberVO({ userId: 3, showNickName: "Ann" }),
    memberVO({ userId: 4, showNickName: "Ada", role: 2 }),
    memberVO({ userId: 5, showNickName: "Late", online: true }),
    memberVO({ userId: 6, showNickName: "Aaa", quit: true, online: true }),
  ];
  const groups = setMembers(EMPTY_GROUPS, GROUP, people);

  test("G13 are listed by role, then online first, then by name; who has left is not", () => {
    expect(groups.members[GROUP]).toMatchObject({ order: [1, 4, 5, 3, 2], state: "loaded" });
    expect(groups.members[GROUP]?.byId[6]?.showNickName).toBe("Aaa");
  });

  test("G13 new facts about members put them in their places", () => {
    expect(patchMembers(groups, GROUP, [2, 99], { role: 2 }).members[GROUP]?.order).toEqual([1, 4, 2, 5, 3]);
    expect(patchMembers(groups, 6, [2], { role: 2 })).toBe(groups);
  });

  test("G16 only who was asked about changes, and the same answer changes nothing", () => {
    const asked = new Set([2, 5]);
    const changed = setMembersOnline(groups, asked, (id) => id === 2 || id === 3);
    expect(changed.members[GROUP]?.order).toEqual([1, 4, 2, 3, 5]);
    expect(setMembersOnline(groups, asked, (id) => id === 5)).toBe(groups);
  });

  test("G14 a list that is asked for again stays meanwhile", () => {
    expect(setMembersState(EMPTY_GROUPS, GROUP, "loading").members[GROUP]).toEqual({
      byId: {},
      order: [],
      state: "loading",
    });
    expect(setMembersState(groups, GROUP, "failed").members[GROUP]).toMatchObject({
      order: [1, 4, 5, 3, 2],
      state: "failed",
    });
    expect(removeMemberLists(groups, [GROUP]).members).toEqual({});
  });

  test("G18 a member is called as I call a friend, as in the group, or as the message says", () => {
    const friends = [friendVO({ id: 2, remarkNickName: "Bobby" }), friendVO({ id: 3, nickName: "Ann Lee" })];
    const known = putGroup(groups, groupVO({ showNickName: "I" }));
    const state = { contacts: setFriends(EMPTY_CONTACTS, friends), groups: known, session };
    expect(memberName(state, GROUP, 2, "x")).toBe("Bobby");
    expect(memberName(state, GROUP, 3, "x")).toBe("Ann");
    expect(memberName(state, GROUP, 77, "x")).toBe("x");
    expect(memberName(state, GROUP, 77, null)).toBeNull();
    expect(memberName({ ...state, groups: removeMemberLists(known, [GROUP]) }, GROUP, ME, "x")).toBe("I");
  });
});

describe("what is allowed", () => {
  const verdict = (part: object, ...rest: [Parameters<typeof groupPermission>[2], number?]) =>
    groupPermission(
      { groups: setMembers(putGroup(EMPTY_GROUPS, groupVO(part)), GROUP, LIST) },
      GROUP,
      ...rest,
    );
  const LIST = [memberVO({ userId: 4, role: 2 }), memberVO({ userId: 3 })];

  test("G19 follows the table of rights, with what is known of the group and of the other one", () => {
    expect(groupPermission({ groups: EMPTY_GROUPS }, GROUP, "speak")).toBe("notMember");
    expect(verdict({}, "speak")).toBe("ok");
    expect(verdict({ quit: true }, "speak")).toBe("notMember");
    expect(verdict({ dissolve: true }, "speak")).toBe("dissolved");
    expect(verdict({ isBanned: true }, "speak")).toBe("banned");
    expect(verdict({ isMuted: true }, "speak")).toBe("muted");
    expect(verdict({ isAllMuted: true, role: 2 }, "speak")).toBe("allMuted");
    expect(verdict({ role: 2 }, "remove", 3)).toBe("ok");
    expect(verdict({ role: 2 }, "remove", 4)).toBe("noRight");
    expect(verdict({ role: 2 }, "remove")).toBe("ok");
    // Also without the list of members the owner is known.
    expect(verdict({ role: 2, ownerId: 2 }, "remove", 2)).toBe("ownerStays");
  });
});

describe("notices", () => {
  test("G24 is unread until this very text was read here", () => {
    const state = (part: object, read: Record<number, string> = {}) => ({
      groups: { ...putGroup(EMPTY_GROUPS, groupVO(part)), readNotices: read },
    });
    expect(hasUnreadNotice({ groups: EMPTY_GROUPS }, GROUP)).toBe(false);
    expect(hasUnreadNotice(state({}), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "" }), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "Hi" }), GROUP)).toBe(true);
    expect(hasUnreadNotice(state({ notice: "Hi" }, { [GROUP]: "Hi" }), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "Hi!" }, { [GROUP]: "Hi" }), GROUP)).toBe(true);
    expect(hasUnreadNotice(state({ notice: "Hi", quit: true }), GROUP)).toBe(false);
  });
});

describe("pushes about a group", () => {
  test("G14 one may concern its members when it tells of their number, of my place, or of nothing at all", () => {
    const last = groupVO();
    expect(canAffectMembers(last, groupVO())).toBe(true);
    for (const part of [
      { membersCount: 4 },
      { ownerId: 3 },
      { role: 2 },
      { isMuted: true },
      { showNickName: "I" },
      { remarkNickName: "I", showNickName: "Me" },
      { notice: "Hi", role: 2 },
    ])
      expect(canAffectMembers(last, groupVO(part))).toBe(true);
    for (const part of [{ notice: "Hi" }, { isTop: true }, { attributes: { a: "b" } }])
      expect(canAffectMembers(last, groupVO(part))).toBe(false);
  });

  test("G14 so may a tip of a mute, and no other", () => {
    const tip = (key: string) => isMuteTip({ key, params: {} });
    expect(["group.muted", "group.unmuted", "group.renamed"].map(tip)).toEqual([true, true, false]);
    expect(isMuteTip(null)).toBe(false);
  });

  test("G5 whoever is the owner or an admin of a group leads it, while he is in it", () => {
    expect([1, 2, 3].map((role) => isGroupLeader(groupVO({ role })))).toEqual([false, true, true]);
    expect(isGroupLeader(groupVO({ role: 3, quit: true }))).toBe(false);
    expect(isGroupLeader(undefined)).toBe(false);
  });
});

describe("equal ones", () => {
  test("G1 groups of one name stand in the order of their numbers", () => {
    const groups = setGroups(EMPTY_GROUPS, [groupVO({ id: 10 }), groupVO({ id: 9 }), groupVO({ id: 11 })]);
    expect(groups.order).toEqual([9, 10, 11]);
    const put = putGroup(
      putGroup(putGroup(EMPTY_GROUPS, groupVO({ id: -3 })), groupVO({ id: -1 })),
      groupVO({ id: -2 }),
    );
    expect(put.order).toEqual([-3, -2, -1]);
  });

  test("G13 members of one name too", () => {
    const named = (...ids: number[]) => ids.map((userId) => memberVO({ userId, showNickName: "Ann" }));
    expect(setMembers(EMPTY_GROUPS, GROUP, named(9, -3, -1, 8, -2)).members[GROUP]?.order).toEqual([
      -3, -2, -1, 8, 9,
    ]);
  });

  test("G5 of requests made at the same time the one with the larger number is the newer one", () => {
    const requests = [1, 3, 2].map((id) => groupRequestVO({ id }));
    expect(setGroupRequests(EMPTY_GROUPS, requests, ME).requests.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test("G4 a request that comes again stands once, and one that goes leaves the others", () => {
    const two = setGroupRequests(EMPTY_GROUPS, [groupRequestVO(), groupRequestVO({ id: 2 })], ME);
    const again = putGroupRequest(two, groupRequestVO({ remark: "new" }), ME);
    expect(again.requests.map(({ id, remark }) => [id, remark])).toEqual([
      [2, "hello"],
      [1, "new"],
    ]);
    expect(removeGroupRequest(two, 2).requests.map(({ id }) => id)).toEqual([1]);
  });

  test("G16 a list whose people were not asked about stays the same", () => {
    const groups = setMembers(setMembers(EMPTY_GROUPS, 5, [memberVO({ userId: 1 })]), 6, [
      memberVO({ userId: 2 }),
    ]);
    const changed = setMembersOnline(groups, new Set([2]), () => true);
    expect(changed.members[5]).toBe(groups.members[5]);
    expect(changed.members[6]?.byId[2]?.online).toBe(true);
    expect(setMembersOnline(changed, new Set([2]), () => false).members[6]?.byId[2]?.online).toBe(false);
  });
});

describe("faces and names", () => {
  test("G2 a group without any name has none, and its pictures are shown", () => {
    const face = (part: object) =>
      chatIdentity(
        { contacts: EMPTY_CONTACTS, groups: putGroup(EMPTY_GROUPS, groupVO(part)), me: null },
        { type: "GROUP", targetId: GROUP },
      );
    expect(face({ name: "", headImage: "/a.png", headImageThumb: "/b.png", membersCount: 0 })).toEqual({
      kind: "group",
      group: {
        id: GROUP,
        name: null,
        headImage: "/a.png",
        headImageThumb: "/b.png",
        membersCount: 0,
        isFormer: false,
      },
    });
    expect(face({ name: "Own", showGroupName: "" })).toMatchObject({ group: { name: "Own" } });
  });

  test("G18 nobody but me is called as I am in a group, and I only while signed in", () => {
    const groups = putGroup(EMPTY_GROUPS, groupVO({ showNickName: "I" }));
    const state = { contacts: EMPTY_CONTACTS, groups, session };
    expect(memberName(state, GROUP, 3, null)).toBeNull();
    expect(memberName(state, GROUP, ME, null)).toBe("I");
    expect(memberName(state, 99, ME, null)).toBeNull();
    expect(memberName({ ...state, session: { kind: "anonymous", ended: null } }, GROUP, ME, "x")).toBe("x");
    expect(memberName(state, GROUP, 3, "")).toBeNull();
  });
});
