/** Attacks on the endpoints of accounts, sessions, people and friends. */
import { type AttackCases, sameOutcome, outsidersGet } from "./attack-case.ts";

const HIDDEN = { what: "somebody whom nothing finds", expected: sameOutcome("user.notFound") };

export const ACCOUNT_ATTACKS = {
  applyFriend: [{ ...HIDDEN, input: ({ hidden }) => ({ friendId: hidden.id }) }],
  addFriend: [{ ...HIDDEN, input: ({ hidden }) => ({ friendId: hidden.id }) }],
  endSession: [
    {
      what: "a session of the owner",
      input: ({ sessionId }) => ({ id: sessionId }),
      expected: sameOutcome("ok null"),
    },
  ],
  findUser: [
    {
      what: "the owner, whom everybody finds",
      input: ({ owner }) => ({ id: owner.id }),
      expected: sameOutcome("ok"),
    },
    { ...HIDDEN, input: ({ hidden }) => ({ id: hidden.id }) },
  ],
  updateUser: [
    {
      what: "the owner's profile",
      input: ({ owner }) => ({ id: owner.id, nickName: "taken" }),
      expected: sameOutcome("user.notYours"),
    },
  ],
  findOnlineTerminals: [{ what: "the member, who is online", expected: outsidersGet("ok []") }],
  findLastSeen: [{ what: "the member, who is no friend", expected: sameOutcome("ok null") }],
  findFriend: [{ what: "somebody who is not a friend", expected: sameOutcome("friend.notFriend") }],
  removeFromBlacklist: [
    { what: "one's own blacklist, which does not contain this person", expected: sameOutcome("ok null") },
  ],
} satisfies AttackCases;
