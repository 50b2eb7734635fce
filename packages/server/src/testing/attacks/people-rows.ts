/** Accounts, sessions, people and friends. */
import { type Rows, all, outside, theMember } from "./row.ts";

export const PEOPLE_ROWS = {
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
} satisfies Rows;
