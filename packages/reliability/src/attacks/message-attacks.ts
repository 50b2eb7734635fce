/** Attacks on the endpoints of messages, search and notices. */
import { type AttackCases, sameOutcome, outsidersGet, memberIds } from "./attack-case.ts";
import { SECRET } from "./attack-scenario.ts";

/** One day that contains all times. */
const ALL_TIME = [0, 9_999_999_999_999];

export const MESSAGE_ATTACKS = {
  sendPrivateMessage: [
    {
      what: "to somebody who is not a friend",
      input: (scenario) => ({ body: { recvId: scenario.member.id, type: 0, content: "x" } }),
      expected: sameOutcome("message.notFriend"),
    },
    {
      what: "to oneself, quoting the private chat",
      input: (scenario, me) => ({
        body: { recvId: me.id, type: 0, content: "x", quoteMessageId: scenario.ownerPrivateMessageId },
      }),
      expected: sameOutcome("message.quoteUnknown"),
    },
    {
      what: "to a friend, quoting a message of his chat with another person",
      input: (scenario) => ({
        body: {
          recvId: scenario.owner.id,
          type: 0,
          content: "x",
          quoteMessageId: scenario.memberPrivateMessageId,
        },
      }),
      expected: { exMember: "message.quoteUnknown", muted: "message.quoteUnknown" },
    },
    {
      what: "an edit of a message of the private chat, sent to the owner",
      input: (scenario) => ({
        body: {
          recvId: scenario.owner.id,
          type: 7,
          content: "taken",
          quoteMessageId: scenario.memberPrivateMessageId,
        },
      }),
      expected: { exMember: "message.notFound", muted: "message.notFound" },
    },
    {
      what: "an edit of a message of the private chat, sent to the member",
      input: (scenario) => ({
        body: {
          recvId: scenario.member.id,
          type: 7,
          content: "taken",
          quoteMessageId: scenario.ownerPrivateMessageId,
        },
      }),
      expected: sameOutcome("message.notFriend"),
    },
  ],
  pullPrivateMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), expected: sameOutcome("ok null") },
  ],
  pullGroupMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), expected: sameOutcome("ok null") },
  ],
  pullSystemMessages: [
    { what: "everything", input: () => ({ query: { minSeqNo: 0 } }), expected: sameOutcome("ok null") },
  ],
  loadPrivateMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), expected: sameOutcome("ok") },
  ],
  loadGroupMessages: [
    { what: "everything", input: () => ({ query: { minId: 0 } }), expected: sameOutcome("ok") },
  ],
  privateHistory: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id } }),
      expected: sameOutcome("ok []"),
    },
    {
      what: "around a message of the private chat",
      input: (scenario) => ({
        query: { friendId: scenario.owner.id, aroundId: scenario.memberPrivateMessageId },
      }),
      expected: sameOutcome("ok"),
    },
  ],
  privateDays: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id, starts: ALL_TIME } }),
      expected: sameOutcome("ok []"),
    },
  ],
  readPrivateMessages: [
    {
      what: "a message of the private chat",
      input: (scenario) => ({
        query: { friendId: scenario.member.id, messageId: scenario.memberPrivateMessageId },
      }),
      expected: sameOutcome("ok null"),
    },
  ],
  maxReadedId: [
    {
      what: "of the member",
      input: (scenario) => ({ query: { friendId: scenario.member.id } }),
      expected: sameOutcome("ok -1"),
    },
  ],
  readSystemMessages: [
    {
      what: "one's own position",
      input: () => ({ query: { maxSeqNo: 1_000_000 } }),
      expected: sameOutcome("ok null"),
    },
  ],
  recallPrivateMessage: [
    {
      what: "of the private chat",
      input: (scenario) => ({ params: { id: scenario.ownerPrivateMessageId } }),
      expected: sameOutcome("message.notFound"),
    },
  ],
  deletePrivateMessages: [
    {
      what: "of the private chat",
      input: (scenario) => ({
        body: {
          friendId: scenario.member.id,
          ids: [scenario.ownerPrivateMessageId, scenario.memberPrivateMessageId],
        },
      }),
      expected: sameOutcome("ok null"),
    },
  ],
  sendGroupMessage: [
    {
      what: "to the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, type: 0, content: "x" } }),
      expected: { ...outsidersGet("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "an edit of another member's message",
      input: (scenario) => ({
        body: {
          groupId: scenario.groupId,
          type: 7,
          content: "taken",
          quoteMessageId: scenario.memberGroupMessageId,
        },
      }),
      expected: { ...outsidersGet("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "to one's own group, quoting a message of the group",
      input: (scenario) => ({
        body: {
          groupId: scenario.otherGroupId,
          type: 0,
          content: "x",
          quoteMessageId: scenario.memberGroupMessageId,
        },
      }),
      expected: { otherAdmin: "message.quoteUnknown" },
    },
    {
      what: "to one's own group, editing a message of the group",
      input: (scenario) => ({
        body: {
          groupId: scenario.otherGroupId,
          type: 7,
          content: "taken",
          quoteMessageId: scenario.memberGroupMessageId,
        },
      }),
      expected: { otherAdmin: "message.notFound" },
    },
    {
      what: "to one's own group, mentioning a member of the group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, type: 0, content: "x", atUserIds: memberIds(scenario) },
      }),
      expected: { otherAdmin: "message.mentionUnknown" },
    },
  ],
  groupHistory: [
    {
      what: "the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId } }),
      expected: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
    {
      what: "around a message written after they were removed",
      input: (scenario) => ({
        query: { groupId: scenario.groupId, aroundId: scenario.memberGroupMessageId },
      }),
      expected: { exMember: "ok" },
    },
    {
      what: "one's own group, around a message of the group",
      input: (scenario) => ({
        query: { groupId: scenario.otherGroupId, aroundId: scenario.memberGroupMessageId },
      }),
      expected: { otherAdmin: "ok" },
    },
  ],
  groupDays: [
    {
      what: "the group",
      input: (scenario) => ({ query: { groupId: scenario.groupId, starts: ALL_TIME } }),
      expected: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok [0]" },
    },
  ],
  readGroupMessages: [
    {
      what: "the group",
      input: (scenario) => ({
        query: { groupId: scenario.groupId, messageId: scenario.memberGroupMessageId },
      }),
      expected: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok null" },
    },
  ],
  findReadedUsers: [
    {
      what: "a message of the group",
      input: (scenario) => ({
        query: { groupId: scenario.groupId, messageId: scenario.memberGroupMessageId },
      }),
      expected: { ...outsidersGet("group.notJoined"), exMember: "group.notMember", muted: "group.noRight" },
    },
    {
      what: "a message of the group, with the id of one's own group",
      input: (scenario) => ({
        query: { groupId: scenario.otherGroupId, messageId: scenario.memberGroupMessageId },
      }),
      expected: { otherAdmin: "message.notFound" },
    },
  ],
  recallGroupMessage: [
    {
      what: "the member's",
      input: (scenario) => ({ params: { id: scenario.memberGroupMessageId } }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
    {
      what: "the owner's",
      input: (scenario) => ({ params: { id: scenario.ownerGroupMessageId } }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  deleteGroupMessages: [
    {
      what: "of the group",
      input: (scenario) => ({ body: { groupId: scenario.groupId, ids: [scenario.memberGroupMessageId] } }),
      expected: { stranger: "ok null", otherAdmin: "ok null", exMember: "ok null" },
    },
    {
      what: "of the group, with the id of one's own group",
      input: (scenario) => ({
        body: { groupId: scenario.otherGroupId, ids: [scenario.memberGroupMessageId] },
      }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  searchMessages: [
    { what: "everywhere", input: () => ({ query: { q: SECRET } }), expected: sameOutcome("ok") },
    {
      what: "in the private chat",
      input: (scenario) => ({ query: { q: SECRET, chatType: "PRIVATE", targetId: scenario.member.id } }),
      expected: sameOutcome("ok"),
    },
    {
      what: "in the group",
      input: (scenario) => ({ query: { q: SECRET, chatType: "GROUP", targetId: scenario.groupId } }),
      expected: sameOutcome("ok"),
    },
    {
      what: "by its sender",
      input: (scenario) => ({ query: { q: SECRET, sendId: scenario.member.id } }),
      expected: sameOutcome("ok"),
    },
  ],
  systemContent: [
    {
      what: "a notice to the owner",
      input: (scenario) => ({ query: { id: scenario.noticeId } }),
      expected: sameOutcome("message.notFound"),
    },
  ],
} satisfies AttackCases;
