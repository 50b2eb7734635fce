/** Groups. */
import { type AttackCases, sameOutcome, outsidersGet, byGroup, theMember } from "./attack-case.ts";

export const GROUP_ATTACKS = {
  createGroup: [
    {
      what: "with no friend",
      input: (scenario) => ({ body: { name: "x", memberIds: theMember(scenario) } }),
      as: sameOutcome("group.notFriends"),
    },
  ],
  modifyGroup: [
    {
      what: "the group's card",
      input: (scenario) => ({ body: { id: scenario.groupId, name: "taken", notice: "taken" } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "its attributes",
      input: (scenario) => ({ body: { id: scenario.groupId, attributes: { key: "taken" } } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own remarks",
      input: (scenario) => ({ body: { id: scenario.groupId, remarkNickName: "taken" } }),
      as: outsidersGet("group.notMember"),
    },
  ],
  setGroupSettings: [
    {
      what: "the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, joinApproval: false, editRole: 1 } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  inviteToGroup: [
    {
      what: "into the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, friendIds: [scenario.applicant.id] } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "somebody who is no friend into one's own",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, friendIds: theMember(scenario) } }),
      as: { otherAdmin: "group.notFriends" },
    },
  ],
  approveGroupRequest: [
    {
      what: "a request to the group",
      input: (scenario) => ({ query: { id: scenario.groupRequestId } }),
      as: { ...outsidersGet("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  rejectGroupRequest: [
    {
      what: "a request to the group",
      input: (scenario) => ({ query: { id: scenario.groupRequestId } }),
      as: { ...outsidersGet("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  removeGroupMembers: [
    {
      what: "from the group",
      input: (scenario) => ({
        body: { groupId: scenario.groupId, userIds: theMember(scenario), deleteMessages: true },
      }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group from one's own",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, userIds: theMember(scenario), deleteMessages: true },
      }),
      as: { otherAdmin: "ok null" },
    },
  ],
  muteGroupMembers: [
    {
      what: "in the group",
      input: (scenario) => ({
        body: { groupId: scenario.groupId, userIds: theMember(scenario), isMuted: true },
      }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "oneself, back to speaking",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userIds: [me.id], isMuted: false } }),
      as: { muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, userIds: theMember(scenario), isMuted: true },
      }),
      as: { otherAdmin: "ok null" },
    },
  ],
  muteGroup: [
    {
      what: "the group",
      input: (scenario) => ({ body: { id: scenario.groupId, isMuted: true } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  addGroupManagers: [
    {
      what: "oneself in the group",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userIds: [me.id] } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, userIds: theMember(scenario) } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  removeGroupManagers: [
    {
      what: "the group's admin",
      input: (scenario) => ({ body: { groupId: scenario.groupId, userIds: [scenario.admin.id] } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  transferGroup: [
    {
      what: "the group to oneself",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userId: me.id } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own to a member of the group",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, userId: scenario.member.id } }),
      as: { otherAdmin: "group.targetNotMember" },
    },
  ],
  quitGroup: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      as: outsidersGet("group.notMember"),
    },
  ],
  dissolveGroup: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      as: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  findGroup: [
    {
      what: "the group, of which its card is public",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      as: outsidersGet("ok"),
    },
  ],
  listGroupMembers: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
  ],
  setGroupMsgRemind: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), msgRemind: 2 } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupTop: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), isTop: true } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupDnd: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), isDnd: true } }),
      as: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
} satisfies AttackCases;
