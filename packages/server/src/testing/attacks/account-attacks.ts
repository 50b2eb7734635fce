/** Attacks on the endpoints of accounts, sessions, people and friends. */
import { type AttackCases, sameOutcome, outsidersGet, memberIds } from "./attack-case.ts";

export const ACCOUNT_ATTACKS = {
  login: "no id: names and passwords are tried by name, and limited",
  logout: "no id: ends the session of the token",
  refreshToken: "no id: the token names the session",
  register: "no id: the server makes a new one",
  modifyPwd: "no id: acts on the person of the token",
  listSessions: "no id: acts on the person of the token",
  unregister: "no id: acts on the person of the token",
  loadGlobalSetting: "no id: the same for everybody",
  loadSystemConfig: "no id: the same for everybody",
  self: "no id: acts on the person of the token",
  findUsersByName: "no id: public cards; what they show is tested with profiles",
  setManualApprove: "no id: acts on the person of the token",
  flushAllMessages: "no id: acts on the person of the token",
  loadChanges: "no id: a position in the person's own changes",
  listFriends: "no id: acts on the person of the token",
  listFriendRequests: "no id: acts on the person of the token",
  listBlacklist: "no id: acts on the person of the token",
  listGroupRequests: "no id: acts on the person of the token",
  findGroupsByName: "no id: public cards",
  listGroups: "no id: acts on the person of the token",
  uploadImage: "no id: the server makes a new one",
  applyFriend: "for anyone: that is how people get to know each other; limited, and refused across a block",
  addFriend: "for anyone: as applyFriend",
  addToBlacklist: "for anyone: a row of one's own",
  applyGroup: "for anyone: groups are joined by their number; joinApproval lets the owner decide",
  endSession: [
    {
      what: "a session of the owner",
      input: (scenario) => ({ query: { id: scenario.sessionId } }),
      expected: sameOutcome("ok null"),
    },
  ],
  findUser: [
    {
      what: "the owner",
      input: (scenario) => ({ params: { id: scenario.owner.id } }),
      expected: sameOutcome("ok"),
    },
  ],
  updateUser: [
    {
      what: "the owner's profile",
      input: (scenario) => ({ body: { id: scenario.owner.id, nickName: "taken" } }),
      expected: sameOutcome("user.notYours"),
    },
  ],
  findOnlineTerminals: [
    {
      what: "the member, who is online",
      input: (scenario) => ({ query: { userIds: memberIds(scenario) } }),
      expected: outsidersGet("ok []"),
    },
  ],
  findFriend: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ params: { id: scenario.member.id } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  approveFriendRequest: [
    {
      what: "a request to the owner",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  rejectFriendRequest: [
    {
      what: "a request to the owner",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  recallFriendRequest: [
    {
      what: "the applicant's request",
      input: (scenario) => ({ query: { id: scenario.friendRequestId } }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  deleteFriend: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ params: { id: scenario.member.id } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  updateFriendRemark: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, remarkNickName: "x" } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendMsgRemind: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, msgRemind: 0 } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendTop: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, isTop: true } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  setFriendDnd: [
    {
      what: "somebody who is not a friend",
      input: (scenario) => ({ body: { friendId: scenario.member.id, isDnd: true } }),
      expected: sameOutcome("friend.notFriend"),
    },
  ],
  removeFromBlacklist: [
    {
      what: "one's own blacklist, which does not contain this person",
      input: (scenario) => ({ query: { userId: scenario.member.id } }),
      expected: sameOutcome("ok null"),
    },
  ],
} satisfies AttackCases;
