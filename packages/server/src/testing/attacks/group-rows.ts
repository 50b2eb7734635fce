/** Groups. */
import { type Rows, all, outside, byGroup, theMember } from "./row.ts";

export const GROUP_ROWS = {
  createGroup: [
    {
      what: "with no friend",
      input: (w) => ({ body: { name: "x", memberIds: theMember(w) } }),
      as: all("group.notFriends"),
    },
  ],
  modifyGroup: [
    {
      what: "the group's card",
      input: (w) => ({ body: { id: w.groupId, name: "taken", notice: "taken" } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "its attributes",
      input: (w) => ({ body: { id: w.groupId, attributes: { key: "taken" } } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own remarks",
      input: (w) => ({ body: { id: w.groupId, remarkNickName: "taken" } }),
      as: outside("group.notMember"),
    },
  ],
  setGroupSettings: [
    {
      what: "the group",
      input: (w) => ({ body: { groupId: w.groupId, joinApproval: false, editRole: 1 } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
  ],
  inviteToGroup: [
    {
      what: "into the group",
      input: (w) => ({ body: { groupId: w.groupId, friendIds: [w.applicant.id] } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "somebody who is no friend into one's own",
      input: (w) => ({ body: { groupId: w.otherGroupId, friendIds: theMember(w) } }),
      as: { otherAdmin: "group.notFriends" },
    },
  ],
  approveGroupRequest: [
    {
      what: "a request to the group",
      input: (w) => ({ query: { id: w.groupRequestId } }),
      as: { ...outside("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  rejectGroupRequest: [
    {
      what: "a request to the group",
      input: (w) => ({ query: { id: w.groupRequestId } }),
      as: { ...outside("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  removeGroupMembers: [
    {
      what: "from the group",
      input: (w) => ({ body: { groupId: w.groupId, userIds: theMember(w), deleteMessages: true } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group from one's own",
      input: (w) => ({ body: { groupId: w.otherGroupId, userIds: theMember(w), deleteMessages: true } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  muteGroupMembers: [
    {
      what: "in the group",
      input: (w) => ({ body: { groupId: w.groupId, userIds: theMember(w), isMuted: true } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "oneself, back to speaking",
      input: (w, me) => ({ body: { groupId: w.groupId, userIds: [me.id], isMuted: false } }),
      as: { muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own",
      input: (w) => ({ body: { groupId: w.otherGroupId, userIds: theMember(w), isMuted: true } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  muteGroup: [
    {
      what: "the group",
      input: (w) => ({ body: { id: w.groupId, isMuted: true } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
  ],
  addGroupManagers: [
    {
      what: "oneself in the group",
      input: (w, me) => ({ body: { groupId: w.groupId, userIds: [me.id] } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own",
      input: (w) => ({ body: { groupId: w.otherGroupId, userIds: theMember(w) } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  removeGroupManagers: [
    {
      what: "the group's admin",
      input: (w) => ({ body: { groupId: w.groupId, userIds: [w.admin.id] } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
  ],
  transferGroup: [
    {
      what: "the group to oneself",
      input: (w, me) => ({ body: { groupId: w.groupId, userId: me.id } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own to a member of the group",
      input: (w) => ({ body: { groupId: w.otherGroupId, userId: w.member.id } }),
      as: { otherAdmin: "group.targetNotMember" },
    },
  ],
  quitGroup: [
    { what: "the group", input: (w) => ({ params: { id: w.groupId } }), as: outside("group.notMember") },
  ],
  dissolveGroup: [
    {
      what: "the group",
      input: (w) => ({ params: { id: w.groupId } }),
      as: { ...outside("group.notMember"), muted: "group.noRight" },
    },
  ],
  findGroup: [
    {
      what: "the group, of which its card is public",
      input: (w) => ({ params: { id: w.groupId } }),
      as: outside("ok"),
    },
  ],
  listGroupMembers: [
    {
      what: "the group",
      input: (w) => ({ params: { id: w.groupId } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
  ],
  setGroupMsgRemind: [
    {
      what: "the group",
      input: (w) => ({ body: { ...byGroup(w), msgRemind: 2 } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupTop: [
    {
      what: "the group",
      input: (w) => ({ body: { ...byGroup(w), isTop: true } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupDnd: [
    {
      what: "the group",
      input: (w) => ({ body: { ...byGroup(w), isDnd: true } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
} satisfies Rows;
