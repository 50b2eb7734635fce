/** Attacks on the endpoints of accounts, sessions, people and friends. */
import { type AttackCases, sameOutcome, outsidersGet } from "./attack-case.ts";

const NOT_A_FRIEND = { what: "somebody who is not a friend", expected: sameOutcome("friend.notFriend") };

export const ACCOUNT_ATTACKS = {
  applyFriend: "for anyone: that is how people get to know each other; limited, and refused across a block",
  addFriend: "for anyone: as applyFriend",
  addToBlacklist: "for anyone: a row of one's own",
  applyGroup: "for anyone: groups are joined by their number; joinApproval lets the owner decide",
  endSession: [
    {
      what: "a session of the owner",
      input: ({ sessionId }) => ({ id: sessionId }),
      expected: sameOutcome("ok null"),
    },
  ],
  findUser: [{ what: "the owner", input: ({ owner }) => ({ id: owner.id }), expected: sameOutcome("ok") }],
  updateUser: [
    {
      what: "the owner's profile",
      input: ({ owner }) => ({ id: owner.id, nickName: "taken" }),
      expected: sameOutcome("user.notYours"),
    },
  ],
  findOnlineTerminals: [{ what: "the member, who is online", expected: outsidersGet("ok []") }],
  findFriend: [{ ...NOT_A_FRIEND, input: ({ member }) => ({ id: member.id }) }],
  approveFriendRequest: [
    {
      what: "a request to the owner",
      input: ({ friendRequestId }) => ({ id: friendRequestId }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  rejectFriendRequest: [
    {
      what: "a request to the owner",
      input: ({ friendRequestId }) => ({ id: friendRequestId }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  recallFriendRequest: [
    {
      what: "the applicant's request",
      input: ({ friendRequestId }) => ({ id: friendRequestId }),
      expected: sameOutcome("friend.requestNotYours"),
    },
  ],
  deleteFriend: [{ ...NOT_A_FRIEND, input: ({ member }) => ({ id: member.id }) }],
  updateFriendRemark: [{ ...NOT_A_FRIEND, input: () => ({ remarkNickName: "x" }) }],
  setFriendMsgRemind: [{ ...NOT_A_FRIEND, input: () => ({ msgRemind: 0 }) }],
  setFriendTop: [NOT_A_FRIEND],
  setFriendDnd: [NOT_A_FRIEND],
  removeFromBlacklist: [
    { what: "one's own blacklist, which does not contain this person", expected: sameOutcome("ok null") },
  ],
} satisfies AttackCases;
