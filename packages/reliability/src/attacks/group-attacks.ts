/** Attacks on the endpoints of groups. */
import { type AttackCases, WITHOUT_RIGHT, formerMemberGets, sameOutcome } from "./attack-case.ts";

/** Settings that a person has for a group, also for one that they have left. */
const OWN_SETTING = {
  what: "the group",
  expected: { stranger: "group.notFound", otherAdmin: "group.notFound" },
};

export const GROUP_ATTACKS = {
  createGroup: [
    {
      what: "with somebody who is not a friend",
      input: ({ member }) => ({ name: "x", memberIds: [member.id] }),
      expected: sameOutcome("group.notFriends"),
    },
  ],
  modifyGroup: [
    {
      what: "its name and notice",
      input: ({ groupId }) => ({ id: groupId, name: "taken", notice: "taken" }),
      expected: WITHOUT_RIGHT,
    },
    {
      what: "its attributes",
      input: ({ groupId }) => ({ id: groupId, attributes: { key: "taken" } }),
      expected: WITHOUT_RIGHT,
    },
    {
      what: "one's own remarks",
      input: ({ groupId }) => ({ id: groupId, remarkNickName: "taken" }),
      expected: formerMemberGets("group.notMember"),
    },
  ],
  setGroupSettings: [
    { what: "the group", input: () => ({ joinApproval: false, editRole: 1 }), expected: WITHOUT_RIGHT },
  ],
  inviteToGroup: [
    {
      what: "into the group",
      input: ({ applicant }) => ({ friendIds: [applicant.id] }),
      expected: WITHOUT_RIGHT,
    },
    {
      what: "somebody who is not a friend into one's own group",
      input: ({ otherGroupId }) => ({ groupId: otherGroupId }),
      expected: { otherAdmin: "group.notFriends" },
    },
  ],
  applyGroup: [
    {
      what: "the group, which cannot be found",
      expected: sameOutcome("group.notFound", ["stranger", "otherAdmin"]),
    },
  ],
  removeGroupMembers: [
    { what: "from the group", input: () => ({ deleteMessages: true }), expected: WITHOUT_RIGHT },
    {
      what: "a member of the group from one's own group",
      input: ({ otherGroupId }) => ({ groupId: otherGroupId, deleteMessages: true }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  muteGroupMembers: [
    { what: "in the group", expected: WITHOUT_RIGHT },
    {
      what: "oneself, to end the mute",
      input: (_, me) => ({ userIds: [me.id], isMuted: false }),
      expected: { muted: "group.noRight" },
    },
    {
      what: "a member of the group in one's own group",
      input: ({ otherGroupId }) => ({ groupId: otherGroupId }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  addGroupManagers: [
    {
      what: "oneself in the group",
      input: (_, me) => ({ userIds: [me.id] }),
      expected: WITHOUT_RIGHT,
    },
    {
      what: "a member of the group in one's own group",
      input: ({ otherGroupId }) => ({ groupId: otherGroupId }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  removeGroupManagers: [
    { what: "the group's admin", input: ({ admin }) => ({ userIds: [admin.id] }), expected: WITHOUT_RIGHT },
  ],
  transferGroup: [
    { what: "the group to oneself", input: (_, me) => ({ userId: me.id }), expected: WITHOUT_RIGHT },
    {
      what: "one's own group to a member of the group",
      input: ({ otherGroupId }) => ({ groupId: otherGroupId }),
      expected: { otherAdmin: "group.targetNotMember" },
    },
  ],
  quitGroup: [
    {
      what: "the group",
      input: ({ groupId }) => ({ id: groupId }),
      expected: formerMemberGets("group.notMember"),
    },
  ],
  findGroup: [
    {
      what: "the group, which cannot be found",
      input: ({ groupId }) => ({ id: groupId }),
      expected: formerMemberGets("ok"),
    },
  ],
  listGroupMembers: [
    { what: "the group", input: ({ groupId }) => ({ id: groupId }), expected: formerMemberGets("ok") },
  ],
  setGroupMsgRemind: [{ ...OWN_SETTING, input: () => ({ msgRemind: 2 }) }],
  setGroupTop: [OWN_SETTING],
  setGroupDnd: [OWN_SETTING],
} satisfies AttackCases;
