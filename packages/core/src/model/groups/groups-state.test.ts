import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import { friendVO, GROUP, groupRequestVO, groupVO, ME, memberVO, systemRow } from "../../testing/builders.ts";
import { setFriends } from "../contacts/contacts-state.ts";
import { mergeMessages } from "../chats/merge-messages.ts";
import { toSystemMessage } from "../chats/chat-rows.ts";
import {
  removeGroupRequest,
  removeMemberLists,
  isMuteTip,
  isGroupLeader,
  joinModeOf,
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
  groupPermission,
  hasGroupCall,
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
  test("G1 groups are listed by display name, with numbers in numeric order", () => {
    expect(THREE.order).toEqual([8, 7, 9]);
    expect(THREE.isLoaded).toBe(true);
    expect(putGroup(THREE, groupVO({ id: 9, name: "Alpha", showGroupName: "群 9.5" })).order).toEqual([
      8, 9, 7,
    ]);
  });

  test.each([
    ["left", { quit: true }],
    ["dissolved", { dissolve: true }],
  ])("G1 a group that was %s is not listed and keeps its name", (_what, part) => {
    const groups = putGroup(THREE, groupVO({ id: 8, name: "群 9", ...part }));
    expect(groups.order).toEqual([7, 9]);
    expect(groups.byId[8]).toMatchObject({ name: "群 9", ...part });
  });
});

describe("requests", () => {
  const later = groupRequestVO({ id: 2, sendId: 12, applyTime: groupRequestVO().applyTime + 1 });
  const own = groupRequestVO({ id: 3, sendId: ME, applyTime: later.applyTime + 1 });
  const invited = groupRequestVO({ id: 4, sendId: 13, inviterId: ME, applyTime: own.applyTime + 1 });

  test("G5 requests of others come first, then newest first", () => {
    const groups = setGroupRequests(EMPTY_GROUPS, [own, groupRequestVO(), invited, later], ME);
    expect(groups.requests.map(({ id }) => id)).toEqual([2, 1, 4, 3]);
  });

  test("G4 handled requests are removed", () => {
    const groups = setGroupRequests(EMPTY_GROUPS, [groupRequestVO({ status: 2 }), later], ME);
    expect(groups.requests.map(({ id }) => id)).toEqual([2]);
    expect(putGroupRequest(groups, own, ME).requests.map(({ id }) => id)).toEqual([2, 3]);
    expect(putGroupRequest(groups, { ...later, status: 3 }, ME).requests).toEqual([]);
    expect(putGroupRequest(groups, { ...own, status: 4 }, ME)).toBe(groups);
    expect(removeGroupRequest(groups, 99)).toBe(groups);
  });

  test("G5 requests to groups where I am owner or admin wait for my answer", () => {
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

describe("the system message with a request", () => {
  const requestMessage = (status: number) =>
    toSystemMessage(
      systemRow({
        seqNo: 1,
        type: MessageType.GROUP_APPLY,
        content: JSON.stringify(groupRequestVO({ status })),
      }),
    );
  const statusOf = (message: ReturnType<typeof requestMessage>) => message.system?.groupRequest?.status;

  test("G26 an answered request stays answered when a late copy arrives", () => {
    expect(statusOf(mergeMessages(requestMessage(1), requestMessage(2)))).toBe(2);
    expect(statusOf(mergeMessages(requestMessage(2), requestMessage(1)))).toBe(2);
  });
});

describe("members", () => {
  const memberList = [
    memberVO({ userId: 1, showNickName: "Zoe", role: 3 }),
    memberVO({ userId: 2, showNickName: "Bob" }),
    memberVO({ userId: 3, showNickName: "Ann" }),
    memberVO({ userId: 4, showNickName: "Ada", role: 2 }),
    memberVO({ userId: 5, showNickName: "Late", online: true }),
    memberVO({ userId: 6, showNickName: "Aaa", quit: true, online: true }),
  ];
  const groups = setMembers(EMPTY_GROUPS, GROUP, memberList);

  test("G13 members are listed by role, then online first, then by name, without people who left", () => {
    expect(groups.members[GROUP]).toMatchObject({ order: [1, 4, 5, 3, 2], state: "loaded" });
    expect(groups.members[GROUP]?.byId[6]?.showNickName).toBe("Aaa");
  });

  test("G13 a changed role reorders the members", () => {
    expect(patchMembers(groups, GROUP, [2, 99], { role: 2 }).members[GROUP]?.order).toEqual([1, 4, 2, 5, 3]);
    expect(patchMembers(groups, 6, [2], { role: 2 })).toBe(groups);
  });

  test("G16 presence changes only for the checked members, and an equal answer changes nothing", () => {
    const checked = new Set([2, 5]);
    const changed = setMembersOnline(groups, checked, (id) => id === 2 || id === 3);
    expect(changed.members[GROUP]?.order).toEqual([1, 4, 2, 3, 5]);
    expect(setMembersOnline(groups, checked, (id) => id === 5)).toBe(groups);
  });

  test("G14 a member list stays while it is loaded again", () => {
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

  test("G18 a member is named by my remark, else by the name in the group, else by the message", () => {
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

describe("permissions", () => {
  const permission = (part: object, ...args: [Parameters<typeof groupPermission>[2], number?]) =>
    groupPermission(
      { groups: setMembers(putGroup(EMPTY_GROUPS, groupVO(part)), GROUP, LIST) },
      GROUP,
      ...args,
    );
  const LIST = [memberVO({ userId: 4, role: 2 }), memberVO({ userId: 3 })];

  test("G19 permissions follow the table of rights for the group, my role and the other member's role", () => {
    expect(groupPermission({ groups: EMPTY_GROUPS }, GROUP, "speak")).toBe("notMember");
    expect(permission({}, "speak")).toBe("ok");
    expect(permission({ quit: true }, "speak")).toBe("notMember");
    expect(permission({ dissolve: true }, "speak")).toBe("dissolved");
    expect(permission({ isBanned: true }, "speak")).toBe("banned");
    expect(permission({ isMuted: true }, "speak")).toBe("muted");
    expect(permission({ isAllMuted: true, role: 2 }, "speak")).toBe("allMuted");
    expect(permission({ role: 2 }, "remove", 3)).toBe("ok");
    expect(permission({ role: 2 }, "remove", 4)).toBe("noRight");
    expect(permission({ role: 2 }, "remove")).toBe("ok");
    // The owner is known even without the member list.
    expect(permission({ role: 2, ownerId: 2 }, "remove", 2)).toBe("ownerStays");
  });
});

describe("notices", () => {
  test("G24 a notice is unread until its current text was read on this device", () => {
    const state = (part: object, read: Record<number, string> = {}) => ({
      groups: putGroup(EMPTY_GROUPS, groupVO(part)),
      readNotices: read,
    });
    expect(hasUnreadNotice({ groups: EMPTY_GROUPS, readNotices: {} }, GROUP)).toBe(false);
    expect(hasUnreadNotice(state({}), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "" }), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "Hi" }), GROUP)).toBe(true);
    expect(hasUnreadNotice(state({ notice: "Hi" }, { [GROUP]: "Hi" }), GROUP)).toBe(false);
    expect(hasUnreadNotice(state({ notice: "Hi!" }, { [GROUP]: "Hi" }), GROUP)).toBe(true);
    expect(hasUnreadNotice(state({ notice: "Hi", quit: true }), GROUP)).toBe(false);
  });

  test("GC68 a group has a call while one is running and I am a member", () => {
    const rtcInfo = { isChating: true };
    const hasCall = (part: Partial<GroupVO>) =>
      hasGroupCall({ groups: putGroup(EMPTY_GROUPS, groupVO(part)) }, GROUP);
    expect(hasGroupCall({ groups: EMPTY_GROUPS }, GROUP)).toBe(false);
    expect(hasCall({})).toBe(false);
    expect(hasCall({ rtcInfo: { isChating: false } })).toBe(false);
    expect(hasCall({ rtcInfo })).toBe(true);
    expect(hasCall({ rtcInfo, quit: true })).toBe(false);
    expect(hasCall({ rtcInfo, dissolve: true })).toBe(false);
  });
});

describe("pushes about a group", () => {
  test("G14 a push may affect the member list if it changes the member count, my membership or nothing at all", () => {
    const previous = groupVO();
    expect(canAffectMembers(previous, groupVO())).toBe(true);
    for (const part of [
      { membersCount: 4 },
      { ownerId: 3 },
      { role: 2 },
      { isMuted: true },
      { showNickName: "I" },
      { remarkNickName: "I", showNickName: "Me" },
      { notice: "Hi", role: 2 },
    ])
      expect(canAffectMembers(previous, groupVO(part))).toBe(true);
    for (const part of [{ notice: "Hi" }, { isTop: true }, { attributes: { a: "b" } }])
      expect(canAffectMembers(previous, groupVO(part))).toBe(false);
  });

  test("G14 a tip about a mute may affect the member list, and no other tip", () => {
    const tip = (key: string) => isMuteTip({ key, params: {} });
    expect(["group.muted", "group.unmuted", "group.renamed"].map(tip)).toEqual([true, true, false]);
    expect(isMuteTip(null)).toBe(false);
  });

  test("G5 the owner and admins of a group lead it while they are members", () => {
    expect([1, 2, 3].map((role) => isGroupLeader(groupVO({ role })))).toEqual([false, true, true]);
    expect(isGroupLeader(groupVO({ role: 3, quit: true }))).toBe(false);
    expect(isGroupLeader(undefined)).toBe(false);
  });
});

describe("equal entries", () => {
  test("G1 groups with the same name are ordered by id", () => {
    const groups = setGroups(EMPTY_GROUPS, [groupVO({ id: 10 }), groupVO({ id: 9 }), groupVO({ id: 11 })]);
    expect(groups.order).toEqual([9, 10, 11]);
    const put = putGroup(
      putGroup(putGroup(EMPTY_GROUPS, groupVO({ id: -3 })), groupVO({ id: -1 })),
      groupVO({ id: -2 }),
    );
    expect(put.order).toEqual([-3, -2, -1]);
  });

  test("G13 members with the same name are ordered by id", () => {
    const named = (...ids: number[]) => ids.map((userId) => memberVO({ userId, showNickName: "Ann" }));
    expect(setMembers(EMPTY_GROUPS, GROUP, named(9, -3, -1, 8, -2)).members[GROUP]?.order).toEqual([
      -3, -2, -1, 8, 9,
    ]);
  });

  test("G5 of requests made at the same time, the one with the larger id counts as newer", () => {
    const requests = [1, 3, 2].map((id) => groupRequestVO({ id }));
    expect(setGroupRequests(EMPTY_GROUPS, requests, ME).requests.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test("G4 a repeated request is listed once, and removing one keeps the others", () => {
    const two = setGroupRequests(EMPTY_GROUPS, [groupRequestVO(), groupRequestVO({ id: 2 })], ME);
    const again = putGroupRequest(two, groupRequestVO({ remark: "new" }), ME);
    expect(again.requests.map(({ id, remark }) => [id, remark])).toEqual([
      [2, "hello"],
      [1, "new"],
    ]);
    expect(removeGroupRequest(two, 2).requests.map(({ id }) => id)).toEqual([1]);
  });

  test("G16 a member list without checked members keeps its identity", () => {
    const groups = setMembers(setMembers(EMPTY_GROUPS, 5, [memberVO({ userId: 1 })]), 6, [
      memberVO({ userId: 2 }),
    ]);
    const changed = setMembersOnline(groups, new Set([2]), () => true);
    expect(changed.members[5]).toBe(groups.members[5]);
    expect(changed.members[6]?.byId[2]?.online).toBe(true);
    expect(setMembersOnline(changed, new Set([2]), () => false).members[6]?.byId[2]?.online).toBe(false);
  });
});

describe("names", () => {
  test("G18 my name in a group is used for nobody else, and only while I am signed in", () => {
    const groups = putGroup(EMPTY_GROUPS, groupVO({ showNickName: "I" }));
    const state = { contacts: EMPTY_CONTACTS, groups, session };
    expect(memberName(state, GROUP, 3, null)).toBeNull();
    expect(memberName(state, GROUP, ME, null)).toBe("I");
    expect(memberName(state, 99, ME, null)).toBeNull();
    expect(memberName({ ...state, session: { kind: "anonymous", ended: null } }, GROUP, ME, "x")).toBe("x");
    expect(memberName(state, GROUP, 3, "")).toBeNull();
  });
});

test("G55 how I join is what the server says; a way that this client does not know counts as approval", () => {
  expect([1, 2, 3, 9].map((joinMode) => joinModeOf({ joinMode }))).toEqual([1, 2, 3, 2]);
});
