/** Each endpoint, and what comes of calling it with ids of other people's things. */
import type { CallInput } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { Person } from "../people.ts";
import { OUTSIDE, ROLES, type Role, SECRET, type World } from "./world.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** What an attacker gets: the key of a refusal, `ok` with a short answer, or `ok` alone for any that tells no secret. */
type Outcome = string;

export interface Probe<I> {
  what: string;
  input(w: World, me: Person): I;
  as: Partial<Record<Role, Outcome>>;
}

/** Attacks; or in words why no id in it could be somebody else's business. */
type Row<N extends EndpointName> =
  | readonly Probe<CallInput<Definition<N>>>[]
  | `no id: ${string}`
  | `for anyone: ${string}`;

/** The same outcome for all of these. */
function all(outcome: Outcome, roles: readonly Role[] = ROLES): Partial<Record<Role, Outcome>> {
  return Object.fromEntries(roles.map((role) => [role, outcome]));
}

const outside = (outcome: Outcome) => all(outcome, OUTSIDE);

const byGroup = (w: World) => ({ groupId: w.groupId });
const theMember = (w: World) => [w.member.id];

export const ROWS: { readonly [N in EndpointName]: Row<N> } = {
  login: "no id: names and passwords are tried by name, and limited",
  logout: "no id: ends the session of the token",
  refreshToken: "no id: the token says which session",
  register: "no id: makes its own",
  modifyPwd: "no id: of the token's person",
  listSessions: "no id: of the token's person",
  unregister: "no id: of the token's person",
  loadGlobalSetting: "no id: the same for everybody",
  loadSystemConfig: "no id: the same for everybody",
  self: "no id: of the token's person",
  findUsersByName: "no id: public cards; what they show is tested with profiles",
  setManualApprove: "no id: of the token's person",
  flushAllMessages: "no id: of the token's person",
  loadChanges: "no id: a number of the asking person's own changes",
  listFriends: "no id: of the token's person",
  listFriendRequests: "no id: of the token's person",
  listBlacklist: "no id: of the token's person",
  listGroupRequests: "no id: of the token's person",
  findGroupsByName: "no id: public cards",
  listGroups: "no id: of the token's person",
  uploadImage: "no id: makes its own",
  applyFriend: "for anyone: that is how people get to know each other; limited, and refused across a block",
  addFriend: "for anyone: as applyFriend",
  addToBlacklist: "for anyone: a row of one's own",
  applyGroup: "for anyone: groups are joined by their number; joinApproval is the owner's door",
  endSession: [
    { what: "a session of the owner", input: (w) => ({ query: { id: w.sessionId } }), as: all("ok null") },
  ],
  findUser: [{ what: "the owner", input: (w) => ({ params: { id: w.owner.id } }), as: all("ok") }],
  updateUser: [
    {
      what: "the owner's profile",
      input: (w) => ({ body: { id: w.owner.id, nickName: "taken" } }),
      as: all("user.notYours"),
    },
  ],
  findOnlineTerminals: [
    {
      what: "the member, who is online",
      input: (w) => ({ query: { userIds: theMember(w) } }),
      as: outside("ok []"),
    },
  ],
  findFriend: [
    { what: "no friend", input: (w) => ({ params: { id: w.member.id } }), as: all("friend.notFriend") },
  ],
  approveFriendRequest: [
    {
      what: "a request to the owner",
      input: (w) => ({ query: { id: w.friendRequestId } }),
      as: all("friend.requestNotYours"),
    },
  ],
  rejectFriendRequest: [
    {
      what: "a request to the owner",
      input: (w) => ({ query: { id: w.friendRequestId } }),
      as: all("friend.requestNotYours"),
    },
  ],
  recallFriendRequest: [
    {
      what: "the applicant's request",
      input: (w) => ({ query: { id: w.friendRequestId } }),
      as: all("friend.requestNotYours"),
    },
  ],
  deleteFriend: [
    { what: "no friend", input: (w) => ({ params: { id: w.member.id } }), as: all("friend.notFriend") },
  ],
  updateFriendRemark: [
    {
      what: "no friend",
      input: (w) => ({ body: { friendId: w.member.id, remarkNickName: "x" } }),
      as: all("friend.notFriend"),
    },
  ],
  setFriendMsgRemind: [
    {
      what: "no friend",
      input: (w) => ({ body: { friendId: w.member.id, msgRemind: 0 } }),
      as: all("friend.notFriend"),
    },
  ],
  setFriendTop: [
    {
      what: "no friend",
      input: (w) => ({ body: { friendId: w.member.id, isTop: true } }),
      as: all("friend.notFriend"),
    },
  ],
  setFriendDnd: [
    {
      what: "no friend",
      input: (w) => ({ body: { friendId: w.member.id, isDnd: true } }),
      as: all("friend.notFriend"),
    },
  ],
  removeFromBlacklist: [
    {
      what: "one's own list, which does not have this person",
      input: (w) => ({ query: { userId: w.member.id } }),
      as: all("ok null"),
    },
  ],
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
};
