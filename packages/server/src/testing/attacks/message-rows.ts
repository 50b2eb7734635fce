/** Messages, search and notices. */
import { type Rows, all, outside, theMember } from "./row.ts";
import { SECRET } from "./world.ts";

/** One day, as long as time. */
const EVER = [0, 9_999_999_999_999];

export const MESSAGE_ROWS = {
  sendPrivateMessage: [
    {
      what: "to no friend",
      input: (w) => ({ body: { recvId: w.member.id, type: 0, content: "x" } }),
      as: all("message.notFriend"),
    },
    {
      what: "to oneself, quoting the private chat",
      input: (w, me) => ({
        body: { recvId: me.id, type: 0, content: "x", quoteMessageId: w.ownerWrote },
      }),
      as: all("message.quoteUnknown"),
    },
    {
      what: "to a friend, quoting what he wrote to another",
      input: (w) => ({
        body: { recvId: w.owner.id, type: 0, content: "x", quoteMessageId: w.memberWrote },
      }),
      as: { exMember: "message.quoteUnknown", muted: "message.quoteUnknown" },
    },
    {
      what: "an edit of the private chat, told as one's own",
      input: (w) => ({
        body: { recvId: w.owner.id, type: 7, content: "taken", quoteMessageId: w.memberWrote },
      }),
      as: { exMember: "message.notFound", muted: "message.notFound" },
    },
    {
      what: "an edit of the private chat, in it",
      input: (w) => ({
        body: { recvId: w.member.id, type: 7, content: "taken", quoteMessageId: w.ownerWrote },
      }),
      as: all("message.notFriend"),
    },
  ],
  pullPrivateMessages: [{ what: "everything", input: () => ({ query: { minId: 0 } }), as: all("ok null") }],
  pullGroupMessages: [{ what: "everything", input: () => ({ query: { minId: 0 } }), as: all("ok null") }],
  pullSystemMessages: [{ what: "everything", input: () => ({ query: { minSeqNo: 0 } }), as: all("ok null") }],
  loadPrivateMessages: [{ what: "everything", input: () => ({ query: { minId: 0 } }), as: all("ok") }],
  loadGroupMessages: [{ what: "everything", input: () => ({ query: { minId: 0 } }), as: all("ok") }],
  privateHistory: [
    {
      what: "of the member",
      input: (w) => ({ query: { friendId: w.member.id } }),
      as: all("ok []"),
    },
    {
      what: "around a message of the private chat",
      input: (w) => ({ query: { friendId: w.owner.id, aroundId: w.memberWrote } }),
      as: all("ok"),
    },
  ],
  privateDays: [
    {
      what: "of the member",
      input: (w) => ({ query: { friendId: w.member.id, starts: EVER } }),
      as: all("ok []"),
    },
  ],
  readPrivateMessages: [
    {
      what: "a message of the private chat",
      input: (w) => ({ query: { friendId: w.member.id, messageId: w.memberWrote } }),
      as: all("ok null"),
    },
  ],
  maxReadedId: [
    { what: "of the member", input: (w) => ({ query: { friendId: w.member.id } }), as: all("ok -1") },
  ],
  readSystemMessages: [
    { what: "one's own position", input: () => ({ query: { maxSeqNo: 1_000_000 } }), as: all("ok null") },
  ],
  recallPrivateMessage: [
    {
      what: "of the private chat",
      input: (w) => ({ params: { id: w.ownerWrote } }),
      as: all("message.notFound"),
    },
  ],
  deletePrivateMessages: [
    {
      what: "of the private chat",
      input: (w) => ({ body: { friendId: w.member.id, ids: [w.ownerWrote, w.memberWrote] } }),
      as: all("ok null"),
    },
  ],
  sendGroupMessage: [
    {
      what: "to the group",
      input: (w) => ({ body: { groupId: w.groupId, type: 0, content: "x" } }),
      as: { ...outside("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "an edit of what another wrote there",
      input: (w) => ({
        body: { groupId: w.groupId, type: 7, content: "taken", quoteMessageId: w.memberSaid },
      }),
      as: { ...outside("message.notInGroup"), muted: "message.muted" },
    },
    {
      what: "to one's own, quoting the group",
      input: (w) => ({
        body: { groupId: w.otherGroupId, type: 0, content: "x", quoteMessageId: w.memberSaid },
      }),
      as: { otherAdmin: "message.quoteUnknown" },
    },
    {
      what: "to one's own, editing what stands in the group",
      input: (w) => ({
        body: { groupId: w.otherGroupId, type: 7, content: "taken", quoteMessageId: w.memberSaid },
      }),
      as: { otherAdmin: "message.notFound" },
    },
    {
      what: "to one's own, naming a member of the group",
      input: (w) => ({
        body: { groupId: w.otherGroupId, type: 0, content: "x", atUserIds: theMember(w) },
      }),
      as: { otherAdmin: "message.mentionUnknown" },
    },
  ],
  groupHistory: [
    {
      what: "the group",
      input: (w) => ({ query: { groupId: w.groupId } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok" },
    },
    {
      what: "around what was said later",
      input: (w) => ({ query: { groupId: w.groupId, aroundId: w.memberSaid } }),
      as: { exMember: "ok" },
    },
    {
      what: "one's own, around a message of the group",
      input: (w) => ({ query: { groupId: w.otherGroupId, aroundId: w.memberSaid } }),
      as: { otherAdmin: "ok" },
    },
  ],
  groupDays: [
    {
      what: "the group",
      input: (w) => ({ query: { groupId: w.groupId, starts: EVER } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok [0]" },
    },
  ],
  readGroupMessages: [
    {
      what: "the group",
      input: (w) => ({ query: { groupId: w.groupId, messageId: w.memberSaid } }),
      as: { stranger: "group.notJoined", otherAdmin: "group.notJoined", exMember: "ok null" },
    },
  ],
  findReadedUsers: [
    {
      what: "a message of the group",
      input: (w) => ({ query: { groupId: w.groupId, messageId: w.memberSaid } }),
      as: { ...outside("group.notJoined"), exMember: "group.notMember", muted: "group.noRight" },
    },
    {
      what: "a message of the group, said to be in one's own",
      input: (w) => ({ query: { groupId: w.otherGroupId, messageId: w.memberSaid } }),
      as: { otherAdmin: "message.notFound" },
    },
  ],
  recallGroupMessage: [
    {
      what: "the member's",
      input: (w) => ({ params: { id: w.memberSaid } }),
      as: { ...outside("message.notFound"), muted: "message.muted" },
    },
    {
      what: "the owner's",
      input: (w) => ({ params: { id: w.ownerSaid } }),
      as: { ...outside("message.notFound"), muted: "message.muted" },
    },
  ],
  deleteGroupMessages: [
    {
      what: "of the group",
      input: (w) => ({ body: { groupId: w.groupId, ids: [w.memberSaid] } }),
      as: { stranger: "ok null", otherAdmin: "ok null", exMember: "ok null" },
    },
    {
      what: "of the group, said to be in one's own",
      input: (w) => ({ body: { groupId: w.otherGroupId, ids: [w.memberSaid] } }),
      as: { otherAdmin: "ok null" },
    },
  ],
  searchMessages: [
    { what: "everywhere", input: () => ({ query: { q: SECRET } }), as: all("ok") },
    {
      what: "in the private chat",
      input: (w) => ({ query: { q: SECRET, chatType: "PRIVATE", targetId: w.member.id } }),
      as: all("ok"),
    },
    {
      what: "in the group",
      input: (w) => ({ query: { q: SECRET, chatType: "GROUP", targetId: w.groupId } }),
      as: all("ok"),
    },
    {
      what: "by its writer",
      input: (w) => ({ query: { q: SECRET, sendId: w.member.id } }),
      as: all("ok"),
    },
  ],
  systemContent: [
    {
      what: "a notice to the owner",
      input: (w) => ({ query: { id: w.noticeId } }),
      as: all("message.notFound"),
    },
  ],
} satisfies Rows;
