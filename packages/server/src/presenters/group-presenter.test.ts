import { GroupRole, JoinMode, MessageStatus, MessageType } from "@parley/protocol/codes";
import { GROUP_MEMBERS_MAX, LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import { expect, test } from "vitest";
import {
  groupCard,
  groupMemberVO,
  groupMessage,
  groupRequestVO,
  groupState,
  groupVO,
  joinModeFor,
  nameInGroup,
} from "./group-presenter.ts";

const group = {
  id: 5,
  name: "Hikers",
  ownerId: 7,
  headImage: "/files/a/large.png",
  headImageThumb: "/files/a/small.png",
  notice: "Bring water",
  isAllMuted: true,
  inviteRole: 1,
  editRole: 2,
  attrRole: 2,
  joinMode: JoinMode.APPROVAL as JoinMode,
  isFindable: false,
  attributes: { city: "Bern" },
  banReason: null,
  isLarge: false,
  dissolvedAt: null,
};
const member = {
  userId: 8,
  role: GroupRole.ADMIN,
  isMuted: true,
  remarkNickName: null,
  remarkGroupName: null,
  isTop: true,
  msgRemind: 1,
  msgRemindUntil: null,
  msgRemindAfter: null,
  quit: false,
  wasRemoved: false,
  stayFrom: 12,
};
const ann = { id: 8, nickName: "Ann", headImage: "/files/b/large.png", headImageThumb: null };

test("the rights table receives the settings, ban and dissolution of a group", () => {
  const open = {
    isAllMuted: true,
    inviteRole: 1,
    editRole: 2,
    attrRole: 2,
    isBanned: false,
    dissolve: false,
  };
  expect(groupState(group)).toEqual(open);
  expect(groupState({ ...group, banReason: "" })).toEqual({ ...open, isBanned: true });
  expect(groupState({ ...group, dissolvedAt: 0 })).toEqual({ ...open, dissolve: true });
});

test("a group as a member sees it", () => {
  expect(groupVO(group, member, ann, 3)).toEqual({
    id: 5,
    name: "Hikers",
    headImage: "/files/a/large.png",
    headImageThumb: "/files/a/small.png",
    membersCount: 3,
    joinMode: 2,
    ownerId: 7,
    notice: "Bring water",
    remarkGroupName: null,
    showGroupName: "Hikers",
    remarkNickName: null,
    showNickName: "Ann",
    role: 2,
    isAllMuted: true,
    isMuted: true,
    inviteRole: 1,
    editRole: 2,
    attrRole: 2,
    joinApproval: true,
    isFindable: false,
    attributes: { city: "Bern" },
    isTop: true,
    msgRemind: 1,
    msgRemindUntil: null,
    isDnd: false,
    isBanned: false,
    reason: null,
    dissolve: false,
    quit: false,
    wasRemoved: false,
    stayFrom: 12,
    maxMembers: GROUP_MEMBERS_MAX,
    rtcInfo: null,
  });
});

test("a member's own names come before the others", () => {
  const named = { ...member, remarkGroupName: "Walks", remarkNickName: "A." };
  expect(groupVO(group, named, ann, 3)).toMatchObject({ showGroupName: "Walks", showNickName: "A." });
  const emptied = { ...member, remarkGroupName: "", remarkNickName: "" };
  expect(groupVO(group, emptied, ann, 3)).toMatchObject({ showGroupName: "Hikers", showNickName: "Ann" });
  expect(nameInGroup({ remarkNickName: "A." }, ann)).toBe("A.");
});

test("a former member sees neither the notice nor the attributes", () => {
  const former = groupVO(group, { ...member, quit: true }, ann, 3);
  expect(former).toMatchObject({ name: "Hikers", notice: null, quit: true });
  expect(former.attributes).toEqual({});
});

test("people outside see the card without the number of members; members and former members see it with the number", () => {
  const card = {
    id: 5,
    name: "Hikers",
    headImage: "/files/a/large.png",
    headImageThumb: "/files/a/small.png",
    joinMode: JoinMode.APPROVAL,
  };
  expect(groupCard(group)).toEqual({ ...card, membersCount: 0 });
  expect(groupCard(group, member, 3)).toEqual({ ...card, membersCount: 3 });
});

test("a person whom a moderator has removed needs approval where everybody else joins freely, and an invitation where all do", () => {
  const removed = { ...member, quit: true, wasRemoved: true };
  const modes = ([JoinMode.FREE, JoinMode.APPROVAL, JoinMode.INVITATION] as const).map((joinMode) => [
    joinModeFor({ joinMode }, undefined),
    joinModeFor({ joinMode }, { wasRemoved: false }),
    joinModeFor({ joinMode }, { wasRemoved: true }),
  ]);
  expect(modes).toEqual([
    [1, 1, 2],
    [2, 2, 2],
    [3, 3, 3],
  ]);
  const free = { ...group, joinMode: JoinMode.FREE };
  expect(groupVO(free, removed, ann, 3)).toMatchObject({
    joinMode: JoinMode.APPROVAL,
    joinApproval: false,
    wasRemoved: true,
  });
});

test("a large, banned, dissolved group that never alerts", () => {
  const dissolved = { ...group, isLarge: true, banReason: "spam", dissolvedAt: 9 };
  expect(groupVO(dissolved, { ...member, msgRemind: 2 }, ann, 3)).toMatchObject({
    maxMembers: LARGE_GROUP_MEMBERS_MAX,
    isBanned: true,
    reason: "spam",
    dissolve: true,
    isDnd: true,
  });
});

test("a member shows the small picture, else the large one", () => {
  const shown = {
    userId: 8,
    showNickName: "Ann",
    remarkNickName: null,
    headImage: "/files/b/large.png",
    online: true,
    role: 2,
    isMuted: true,
    quit: false,
  };
  expect(groupMemberVO(member, ann, true)).toEqual(shown);
  const small = { ...ann, headImageThumb: "/files/b/small.png" };
  expect(groupMemberVO(member, small, false)).toEqual({
    ...shown,
    headImage: "/files/b/small.png",
    online: false,
  });
});

test("a request to join names the group, the person and the inviter", () => {
  const request = { id: 3, groupId: 5, sendId: 8, inviterId: 9, remark: "Hi", status: 1, applyTime: 4 };
  const expected = {
    ...request,
    groupName: "Hikers",
    groupHeadImage: "/files/a/small.png",
    sendNickName: "Ann",
    sendHeadImage: "/files/b/large.png",
    inviterNickName: "Bo",
  };
  const bo = { id: 9, nickName: "Bo", headImage: null, headImageThumb: null };
  expect(groupRequestVO(request, group, ann, bo)).toEqual(expected);
  const plain = { ...group, headImageThumb: null };
  const small = { ...ann, headImageThumb: "/files/b/small.png" };
  expect(groupRequestVO({ ...request, inviterId: null }, plain, small, undefined)).toEqual({
    ...expected,
    inviterId: null,
    inviterNickName: null,
    groupHeadImage: "/files/a/large.png",
    sendHeadImage: "/files/b/small.png",
  });
});

test("a group message as one reader sees it", () => {
  const row = {
    id: 20,
    tmpId: "t",
    type: MessageType.TEXT,
    groupId: 5,
    sendId: 8,
    sendNickName: "Ann",
    sendRole: 2,
    content: "hello",
    sendTime: 6,
    atUserIds: [-1],
    receipt: true,
    tip: null,
    act: null,
    quote: null,
    editedAt: null,
    noticeId: null,
  };
  const { quote: _, noticeId: __, ...same } = row;
  const shown = {
    ...same,
    status: MessageStatus.SENDED,
    quoteMessage: null,
    receiptOk: false,
    readedCount: 0,
    isEdited: false,
  };
  expect(groupMessage(row, "en")).toEqual(shown);
  const readState = { status: MessageStatus.READED, receiptOk: true, readedCount: 2 };
  expect(groupMessage(row, "en", readState)).toEqual({ ...shown, ...readState });
  const quote = { id: 19, sendId: 7, content: "?", type: MessageType.TEXT, isRecalled: false };
  const changed = groupMessage({ ...row, editedAt: 0, noticeId: 21, quote }, "en", readState);
  expect(changed).toMatchObject({ isEdited: true, editedAt: 0, status: MessageStatus.RECALL });
  expect(changed.quoteMessage).toMatchObject({ id: 19, content: "?" });
});
