/** Attacks on the endpoints of groups. */
import { type AttackCases, sameOutcome, outsidersGet, byGroup, memberIds } from "./attack-case.ts";

export const GROUP_ATTACKS = {
  createGroup: [
    {
      what: "with somebody who is not a friend",
      input: (scenario) => ({ body: { name: "x", memberIds: memberIds(scenario) } }),
      expected: sameOutcome("group.notFriends"),
    },
  ],
  modifyGroup: [
    {
      what: "its name and notice",
      input: (scenario) => ({ body: { id: scenario.groupId, name: "taken", notice: "taken" } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "its attributes",
      input: (scenario) => ({ body: { id: scenario.groupId, attributes: { key: "taken" } } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own remarks",
      input: (scenario) => ({ body: { id: scenario.groupId, remarkNickName: "taken" } }),
      expected: outsidersGet("group.notMember"),
    },
  ],
  setGroupSettings: [
    {
      what: "the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, joinApproval: false, editRole: 1 } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  inviteToGroup: [
    {
      what: "into the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, friendIds: [scenario.applicant.id] } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "somebody who is not a friend into one's own group",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, friendIds: memberIds(scenario) } }),
      expected: { otherAdmin: "group.notFriends" },
    },
  ],
  approveGroupRequest: [
    {
      what: "a request to the group",
      input: (scenario) => ({ query: { id: scenario.groupRequestId } }),
      expected: { ...outsidersGet("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  rejectGroupRequest: [
    {
      what: "a request to the group",
      input: (scenario) => ({ query: { id: scenario.groupRequestId } }),
      expected: { ...outsidersGet("group.requestUnknown"), muted: "group.noRight" },
    },
  ],
  removeGroupMembers: [
    {
      what: "from the group",
      input: (scenario) => ({
        body: { groupId: scenario.groupId, userIds: memberIds(scenario), deleteMessages: true },
      }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group from one's own group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, userIds: memberIds(scenario), deleteMessages: true },
      }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  muteGroupMembers: [
    {
      what: "in the group",
      input: (scenario) => ({
        body: { groupId: scenario.groupId, userIds: memberIds(scenario), isMuted: true },
      }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "oneself, to end the mute",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userIds: [me.id], isMuted: false } }),
      expected: { muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, userIds: memberIds(scenario), isMuted: true },
      }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  muteGroup: [
    {
      what: "the group",
      input: (scenario) => ({ body: { id: scenario.groupId, isMuted: true } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  addGroupManagers: [
    {
      what: "oneself in the group",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userIds: [me.id] } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own group",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, userIds: memberIds(scenario) } }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  removeGroupManagers: [
    {
      what: "the group's admin",
      input: (scenario) => ({ body: { groupId: scenario.groupId, userIds: [scenario.admin.id] } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  transferGroup: [
    {
      what: "the group to oneself",
      input: (scenario, me) => ({ body: { groupId: scenario.groupId, userId: me.id } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
    {
      what: "one's own group to a member of the group",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, userId: scenario.member.id } }),
      expected: { otherAdmin: "group.targetNotMember" },
    },
  ],
  quitGroup: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      expected: outsidersGet("group.notMember"),
    },
  ],
  dissolveGroup: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      expected: { ...outsidersGet("group.notMember"), muted: "group.noRight" },
    },
  ],
  findGroup: [
    {
      what: "the group, whose card is public",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      expected: outsidersGet("ok"),
    },
  ],
  listGroupMembers: [
    {
      what: "the group",
      input: (scenario) => ({ params: { id: scenario.groupId } }),
      expected: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
  ],
  setGroupMsgRemind: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), msgRemind: 2 } }),
      expected: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupTop: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), isTop: true } }),
      expected: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
  setGroupDnd: [
    {
      what: "the group",
      input: (scenario) => ({ body: { ...byGroup(scenario), isDnd: true } }),
      expected: { stranger: "group.notMember", otherAdmin: "group.notMember" },
    },
  ],
} satisfies AttackCases;
