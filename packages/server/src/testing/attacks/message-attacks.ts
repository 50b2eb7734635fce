/** Messages, search and notices. */
import { type AttackCases, sameOutcome, outsidersGet, theMember } from "./attack-case.ts";
import { SECRET } from "./attack-scenario.ts";

/** One day, as long as time. */
const ALL_TIME = [0, 9_999_999_999_999];

export const MESSAGE_ATTACKS = {
  sendPrivateMessage: [
    {
      what: "to no friend",
      input: (scenario) => ({ body: { recvId: scenario.member.id, type: 0, content: "x" } }),
      as: sameOutcome("message.notFriend"),
    },
    {
      what: "to oneself, quoting the private chat",
      input: (scenario, me) => ({
        body: { recvId: me.id, type: 0, content: "x", quoteMessageId: scenario.ownerWrote },
      }),
      as: sameOutcome("message.quoteUnknown"),
    },
    {
      what: "to a friend, quoting what he wrote to another",
      input: (scenario) => ({
        body: { recvId: scenario.owner.id, type: 0, content: "x", quoteMessageId: scenario.memberWrote },
      }),
      as: { exMember: "message.quoteUnknown", muted: "message.quoteUnknown" },
    },
    {
      what: "an edit of the private chat, told as one's own",
      input: (scenario) => ({
        body: { recvId: scenario.owner.id, type: 7, content: "taken", quoteMessageId: scenario.memberWrote },
      }),
      as: { exMember: "message.notFound", muted: "message.notFound" },
    },
    {
      what: "an edit of the private chat, in it",
      input: (scenario) => ({
        body: { recvId: scenario.member.id, type: 7, content: "taken", quoteMessageId: scenario.ownerWrote },
      }),
      as: sameOutcome("message.notFriend"),
    },
  ],
  pullPrivateMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), as: sameOutcome("ok null") },
  ],
  pullGroupMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), as: sameOutcome("ok null") },
  ],
  pullSystemMessages: [
    { what: "everything", input: () => ({ query: { minSeqNo: 0 } }), as: sameOutcome("ok null") },
  ],
  loadPrivateMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), as: sameOutcome("ok") },
  ],
  loadGroupMessages: [{ what: "everything", input: () => ({ query: { minId: 0 } }), as: sameOutcome("ok") }],
  privateHistory: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id } }),
      as: sameOutcome("ok []"),
    },
    {
      what: "around a message of the private chat",
      input: (scenario) => ({ query: { friendId: scenario.owner.id, aroundId: scenario.memberWrote } }),
      as: sameOutcome("ok"),
    },
  ],
  privateDays: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id, starts: ALL_TIME } }),
      as: sameOutcome("ok []"),
    },
  ],
  readPrivateMessages: [
    {
      what: "a message of the private chat",
      input: (scenario) => ({ query: { friendId: scenario.member.id, messageId: scenario.memberWrote } }),
      as: sameOutcome("ok null"),
    },
  ],
  maxReadedId: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id } }),
      as: sameOutcome("ok -1"),
    },
  ],
  readSystemMessages: [
    {
      what: "one's own position",
      input: () => ({ query: { maxSeqNo: 1_000_000 } }),
      as: sameOutcome("ok null"),
    },
  ],
  recallPrivateMessage: [
    {
      what: "of the private chat",
      input: (scenario) => ({ params: { id: scenario.ownerWrote } }),
      as: sameOutcome("message.notFound"),
    },
  ],
  deletePrivateMessages: [
    {
      what: "of the private chat",
      input: (scenario) => ({
        body: { friendId: scenario.member.id, ids: [scenario.ownerWrote, scenario.memberWrote] },
      }),
      as: sameOutcome("ok null"),
    },
  ],
  sendGroupMessage: [
    {
      what: "to the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, type: 0, content: "x" } }),
      as: { ...outsidersGet("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "an edit of what another wrote there",
      input: (scenario) => ({
        body: { groupId: scenario.groupId, type: 7, content: "taken", quoteMessageId: scenario.memberSaid },
      }),
      as: { ...outsidersGet("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "to one's own, quoting the group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, type: 0, content: "x", quoteMessageId: scenario.memberSaid },
      }),
      as: { otherAdmin: "message.quoteUnknown" },
    },
    {
      what: "to one's own, editing what stands in the group",
      input: (scenario) => ({
        body: {
          groupId: scenario.otherGroupId,
          type: 7,
          content: "taken",
          quoteMessageId: scenario.memberSaid,
        },
      }),
      as: { otherAdmin: "message.notFound" },
    },
    {
      what: "to one's own, naming a member of the group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, type: 0, content: "x", atUserIds: theMember(scenario) },
      }),
      as: { otherAdmin: "message.mentionUnknown" },
    },
  ],
  groupHistory: [
    {
      what: "the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
    {
      what: "around what was said later",
      input: (scenario) => ({ query: { groupId: scenario.groupId, aroundId: scenario.memberSaid } }),
      as: { exMember: "ok" },
    },
    {
      what: "one's own, around a message of the group",
      input: (scenario) => ({ query: { groupId: scenario.otherGroupId, aroundId: scenario.memberSaid } }),
      as: { otherAdmin: "ok" },
    },
  ],
  groupDays: [
    {
      what: "the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId, starts: ALL_TIME } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok [0]" },
    },
  ],
  readGroupMessages: [
    {
      what: "the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId, messageId: scenario.memberSaid } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok null" },
    },
  ],
  findReadedUsers: [
    {
      what: "a message of the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId, messageId: scenario.memberSaid } }),
      as: { ...outsidersGet("group.notJoined"), exMember: "group.notMember", muted: "group.noRight" },
    },
    {
      what: "a message of the group, said to be in one's own",
      input: (scenario) => ({ query: { groupId: scenario.otherGroupId, messageId: scenario.memberSaid } }),
      as: { otherAdmin: "message.notFound" },
    },
  ],
  recallGroupMessage: [
    {
      what: "the member's",
      input: (scenario) => ({ params: { id: scenario.memberSaid } }),
      as: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
    {
      what: "the owner's",
      input: (scenario) => ({ params: { id: scenario.ownerSaid } }),
      as: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  deleteGroupMessages: [
    {
      what: "of the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, ids: [scenario.memberSaid] } }),
      as: { stranger: "ok null", otherAdmin: "ok null", exMember: "ok null" },
    },
    {
      what: "of the group, said to be in one's own",
      input: (scenario) => ({ body: { groupId: scenario.otherGroupId, ids: [scenario.memberSaid] } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  searchMessages: [
    { what: "everywhere", input: () => ({ query: { q: SECRET } }), as: sameOutcome("ok") },
    {
      what: "in the private chat",
      input: (scenario) => ({ query: { q: SECRET, chatType: "PRIVATE", targetId: scenario.member.id } }),
      as: sameOutcome("ok"),
    },
    {
      what: "in the group",
      input: (scenario) => ({ query: { q: SECRET, chatType: "GROUP", targetId: scenario.groupId } }),
      as: sameOutcome("ok"),
    },
    {
      what: "by its writer",
      input: (scenario) => ({ query: { q: SECRET, sendId: scenario.member.id } }),
      as: sameOutcome("ok"),
    },
  ],
  systemContent: [
    {
      what: "a notice to the owner",
      input: (scenario) => ({ query: { id: scenario.noticeId } }),
      as: sameOutcome("message.notFound"),
    },
  ],
} satisfies AttackCases;
