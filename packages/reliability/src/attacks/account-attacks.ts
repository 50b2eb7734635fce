/** Attacks on the endpoints of accounts, sessions, people and friends. */
import { type AttackCases, sameOutcome, outsidersGet, memberIds } from "./attack-case.ts";

export const ACCOUNT_ATTACKS = {
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
