/** Attacks on the endpoints of messages, search and notices. */
import {
  type AttackCases,
  WITHOUT_RIGHT,
  formerMemberGets,
  outsidersGet,
  sameOutcome,
} from "./attack-case.ts";
import { SECRET } from "./attack-scenario.ts";

/** One day that contains all times. */
const ALL_TIME = [0, 9_999_999_999_999];

export const MESSAGE_ATTACKS = {
  sendPrivateMessage: [
    { what: "to somebody who is not a friend", expected: sameOutcome("message.notFriend") },
    {
      what: "to oneself, the card of somebody whom nothing finds",
      input: ({ hidden }, me) => ({
        recvId: me.id,
        type: 93,
        content: JSON.stringify({ userId: hidden.id }),
      }),
      expected: sameOutcome("user.notFound"),
    },
    {
      what: "to oneself, quoting the private chat",
      input: (scenario, me) => ({ recvId: me.id, quoteMessageId: scenario.ownerPrivateMessageId }),
      expected: sameOutcome("message.quoteUnknown"),
    },
    {
      what: "to a friend, quoting a message of his chat with another person",
      input: ({ owner, memberPrivateMessageId }) => ({
        recvId: owner.id,
        quoteMessageId: memberPrivateMessageId,
      }),
      expected: { exMember: "message.quoteUnknown", muted: "message.quoteUnknown" },
    },
    {
      what: "an edit of a message of the private chat, sent to the owner",
      input: ({ owner, memberPrivateMessageId }) => ({
        recvId: owner.id,
        type: 7,
        content: "taken",
        quoteMessageId: memberPrivateMessageId,
      }),
      expected: { exMember: "message.notFound", muted: "message.notFound" },
    },
    {
      what: "an edit of a message of the private chat, sent to the member",
      input: ({ ownerPrivateMessageId }) => ({
        type: 7,
        content: "taken",
        quoteMessageId: ownerPrivateMessageId,
      }),
      expected: sameOutcome("message.notFriend"),
    },
  ],
  pullPrivateMessages: [
    { what: "everything", input: () => ({ minId: 0 }), expected: sameOutcome("ok null") },
  ],
  pullGroupMessages: [{ what: "everything", input: () => ({ minId: 0 }), expected: sameOutcome("ok null") }],
  pullSystemMessages: [
    { what: "everything", input: () => ({ minSeqNo: 0 }), expected: sameOutcome("ok null") },
  ],
  loadPrivateMessages: [{ what: "everything", input: () => ({ minId: 0 }), expected: sameOutcome("ok") }],
  loadGroupMessages: [{ what: "everything", input: () => ({ minId: 0 }), expected: sameOutcome("ok") }],
  privateHistory: [
    { what: "of the member", expected: sameOutcome("ok []") },
    {
      what: "around a message of the private chat",
      input: ({ owner, memberPrivateMessageId }) => ({
        friendId: owner.id,
        aroundId: memberPrivateMessageId,
      }),
      expected: sameOutcome("ok"),
    },
  ],
  privateDays: [
    { what: "of the member", input: () => ({ starts: ALL_TIME }), expected: sameOutcome("ok []") },
  ],
  setChatPrefs: [
    {
      what: "of a private chat with a person whom they do not know",
      input: ({ hidden }) => ({ type: "PRIVATE", targetId: hidden.id, set: { unreadMark: 1 } }),
      expected: sameOutcome("pref.noChat"),
    },
    {
      what: "of a private chat with nobody",
      input: () => ({ type: "PRIVATE", targetId: 1_000_000, set: { unreadMark: 1 } }),
      expected: sameOutcome("pref.noChat"),
    },
    {
      what: "of the group, which only those who are or were in it have",
      input: ({ groupId }) => ({ type: "GROUP", targetId: groupId, set: { unreadMark: 1 } }),
      expected: { ...outsidersGet("pref.noChat"), exMember: "ok" },
    },
    {
      what: "of another system chat",
      input: ({ member }) => ({ type: "SYSTEM", targetId: member.id, set: { unreadMark: 1 } }),
      expected: sameOutcome("pref.noChat"),
    },
  ],
  readPrivateMessages: [
    {
      what: "a message of the private chat",
      input: ({ memberPrivateMessageId }) => ({ messageId: memberPrivateMessageId }),
      expected: sameOutcome("ok null"),
    },
  ],
  maxReadedId: [{ what: "of the member", expected: sameOutcome("ok -1") }],
  readSystemMessages: [
    {
      what: "one's own position",
      input: () => ({ maxSeqNo: 1_000_000 }),
      expected: sameOutcome("ok null"),
    },
  ],
  deletePrivateMessages: [
    {
      what: "of the private chat",
      input: ({ ownerPrivateMessageId, memberPrivateMessageId }) => ({
        ids: [ownerPrivateMessageId, memberPrivateMessageId],
      }),
      expected: sameOutcome("ok null"),
    },
  ],
  sendGroupMessage: [
    {
      what: "to the group",
      expected: { ...formerMemberGets("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "an edit of another member's message",
      input: ({ memberGroupMessageId }) => ({
        type: 7,
        content: "taken",
        quoteMessageId: memberGroupMessageId,
      }),
      expected: { ...formerMemberGets("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "to one's own group, quoting a message of the group",
      input: ({ otherGroupId, memberGroupMessageId }) => ({
        groupId: otherGroupId,
        quoteMessageId: memberGroupMessageId,
      }),
      expected: { otherAdmin: "message.quoteUnknown" },
    },
    {
      what: "to one's own group, editing a message of the group",
      input: ({ otherGroupId, memberGroupMessageId }) => ({
        groupId: otherGroupId,
        type: 7,
        content: "taken",
        quoteMessageId: memberGroupMessageId,
      }),
      expected: { otherAdmin: "message.notFound" },
    },
    {
      what: "to one's own group, mentioning a member of the group",
      input: ({ otherGroupId, member }) => ({ groupId: otherGroupId, atUserIds: [member.id] }),
      expected: { otherAdmin: "message.mentionUnknown" },
    },
  ],
  groupHistory: [
    { what: "the group", expected: formerMemberGets("ok") },
    {
      what: "around a message written after they were removed",
      input: ({ memberGroupMessageId }) => ({ aroundId: memberGroupMessageId }),
      expected: { exMember: "ok" },
    },
    {
      what: "one's own group, around a message of the group",
      input: ({ otherGroupId, memberGroupMessageId }) => ({
        groupId: otherGroupId,
        aroundId: memberGroupMessageId,
      }),
      expected: { otherAdmin: "ok" },
    },
  ],
  groupDays: [
    { what: "the group", input: () => ({ starts: ALL_TIME }), expected: formerMemberGets("ok [0]") },
  ],
  readGroupMessages: [
    {
      what: "the group",
      input: ({ memberGroupMessageId }) => ({ messageId: memberGroupMessageId }),
      expected: formerMemberGets("ok null"),
    },
  ],
  findReadedUsers: [
    {
      what: "a message of the group",
      input: ({ memberGroupMessageId }) => ({ messageId: memberGroupMessageId }),
      expected: WITHOUT_RIGHT,
    },
    {
      what: "a message of the group, with the id of one's own group",
      input: ({ otherGroupId, memberGroupMessageId }) => ({
        groupId: otherGroupId,
        messageId: memberGroupMessageId,
      }),
      expected: { otherAdmin: "message.notFound" },
    },
  ],
  recallGroupMessage: [
    {
      what: "the member's",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
    {
      what: "the owner's",
      input: ({ ownerGroupMessageId }) => ({ id: ownerGroupMessageId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  deleteGroupMessages: [
    {
      what: "of the group",
      input: ({ memberGroupMessageId }) => ({ ids: [memberGroupMessageId] }),
      expected: outsidersGet("ok null"),
    },
    {
      what: "of the group, with the id of one's own group",
      input: ({ otherGroupId, memberGroupMessageId }) => ({
        groupId: otherGroupId,
        ids: [memberGroupMessageId],
      }),
      expected: { otherAdmin: "ok null" },
    },
  ],
  setReaction: [
    {
      what: "to messages of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "taking back the reaction of somebody else to a message of the private chat",
      input: ({ memberPrivateMessageId }) => ({ id: memberPrivateMessageId, on: false }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "to a message of the group",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  listReactions: [
    {
      what: "to a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId, key: "👍" }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "to a message of the group",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId, key: "👍" }),
      expected: outsidersGet("message.notFound"),
    },
  ],
  setPin: [
    {
      what: "a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "unpinning a message of the group",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId, on: false }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  setVotes: [
    {
      what: "in a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId, options: [0] }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "in a poll of the group",
      input: ({ groupPollId }) => ({ id: groupPollId, options: [0] }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  addPollOption: [
    {
      what: "to a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "to a poll of the group",
      input: ({ groupPollId }) => ({ id: groupPollId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  setSignUpLine: [
    {
      what: "of a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "of a list of the group",
      input: ({ groupListId }) => ({ id: groupListId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  listVoters: [
    {
      what: "in a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId, option: 0 }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "in a poll of the group",
      input: ({ groupPollId }) => ({ id: groupPollId, option: 0 }),
      expected: outsidersGet("message.notFound"),
    },
  ],
  closePoll: [
    {
      what: "of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "of the group",
      input: ({ groupPollId }) => ({ id: groupPollId }),
      expected: { ...outsidersGet("message.notFound"), muted: "message.muted" },
    },
  ],
  privatePins: [
    {
      what: "of the private chat",
      input: ({ member }) => ({ friendId: member.id }),
      expected: sameOutcome("ok"),
    },
  ],
  groupPins: [
    {
      what: "of the group",
      input: ({ groupId }) => ({ groupId }),
      expected: { ...formerMemberGets("ok"), muted: "ok" },
    },
  ],
  setSaved: [
    {
      what: "a message of the private chat",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "a message of the group, which only those who see it save",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId }),
      expected: { ...outsidersGet("message.notFound"), muted: "ok" },
    },
    {
      what: "a message that nobody has written",
      input: () => ({ id: 1_000_000 }),
      expected: sameOutcome("message.notFound"),
    },
    {
      what: "with more tags than there may be",
      input: ({ memberGroupMessageId }) => ({
        id: memberGroupMessageId,
        tags: ["1", "2", "3", "4", "5", "6"],
      }),
      expected: sameOutcome("request.malformed"),
    },
    {
      what: "with a note that is too long",
      input: ({ memberGroupMessageId }) => ({ id: memberGroupMessageId, note: "n".repeat(201) }),
      expected: sameOutcome("request.malformed"),
    },
  ],
  removeSaved: [
    {
      what: "a message of the private chat, of which it says nothing",
      input: ({ ownerPrivateMessageId }) => ({ id: ownerPrivateMessageId }),
      expected: sameOutcome("ok"),
    },
  ],
  tellTyping: [
    {
      what: "to somebody who is not a friend",
      input: ({ member }) => ({ type: "PRIVATE", targetId: member.id }),
      expected: sameOutcome("message.notFriend"),
    },
    {
      what: "in the group",
      input: ({ groupId }) => ({ type: "GROUP", targetId: groupId }),
      expected: { ...formerMemberGets("message.notInGroup"), muted: "message.muted" },
    },
  ],
  searchMessages: [
    { what: "everywhere", input: () => ({ q: SECRET }), expected: sameOutcome("ok") },
    {
      what: "in the private chat",
      input: ({ member }) => ({ q: SECRET, chatType: "PRIVATE", targetId: member.id }),
      expected: sameOutcome("ok"),
    },
    {
      what: "in the group",
      input: ({ groupId }) => ({ q: SECRET, chatType: "GROUP", targetId: groupId }),
      expected: sameOutcome("ok"),
    },
    {
      what: "by its sender",
      input: ({ member }) => ({ q: SECRET, sendId: member.id }),
      expected: sameOutcome("ok"),
    },
  ],
} satisfies AttackCases;
