/** Accounts, sessions, people and friends. */
import { type AttackCases, sameOutcome, outsidersGet, theMember } from "./attack-case.ts";

export const ACCOUNT_ATTACKS = {
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
    {
      what: "a session of the owner",
      input: (scenario) => ({ query: { id: scenario.sessionId } }),
      as: sameOutcome("ok null"),
    },
  ],
  findUser: [
    {
      what: "the owner",
      input: (scenario) => ({ params: { id: scenario.owner.id } }),
      as: sameOutcome("ok"),
    },
  ],
  updateUser: [
    {
      what: "the owner's profile",
      input: (scenario) => ({ body: { id: scenario.owner.id, nickName: "taken" } }),
      as: sameOutcome("user.notYours"),
    },
  ],
  findOnlineTerminals: [
    {
      what: "the member, who is online",
      input: (scenario) => ({ query: { userIds: theMember(scenario) } }),
      as: outsidersGet("ok []"),
    },
  ],
  findFriend: [
    {
      what: "no friend",
      input: (scenario) => ({ params: { id: scenario.member.id } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  approveFriendRequest: [
    {
      what: "a request to the owner",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      as: sameOutcome("friend.requestNotYours"),
    },
  ],
  rejectFriendRequest: [
    {
      what: "a request to the owner",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      as: sameOutcome("friend.requestNotYours"),
    },
  ],
  recallFriendRequest: [
    {
      what: "the applicant's request",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      as: sameOutcome("friend.requestNotYours"),
    },
  ],
  deleteFriend: [
    {
      what: "no friend",
      input: (scenario) => ({ params: { id: scenario.member.id } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  updateFriendRemark: [
    {
      what: "no friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, remarkNickName: "x" } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendMsgRemind: [
    {
      what: "no friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, msgRemind: 0 } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendTop: [
    {
      what: "no friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, isTop: true } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendDnd: [
    {
      what: "no friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, isDnd: true } }),
      as: sameOutcome("friend.notFriend"),
    },
  ],
  removeFromBlacklist: [
    {
      what: "one's own list, which does not have this person",
      input: (scenario) => ({ query: { userId: scenario.member.id } }),
      as: sameOutcome("ok null"),
    },
  ],
} satisfies AttackCases;
