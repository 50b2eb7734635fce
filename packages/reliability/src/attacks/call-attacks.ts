/** Attacks on the endpoints of calls, while the owner and the member talk to each other. */
import { type AttackCases, sameOutcome } from "./attack-case.ts";

/** Both people of the call are tried: one is a friend of some attackers, the other of none. */
const onBoth = (outcome: string) =>
  (["owner", "member"] as const).map((person) => ({
    what: `the call of the ${person}`,
    input: (scenario: { owner: { id: number }; member: { id: number } }) => ({ uid: scenario[person].id }),
    expected: sameOutcome(outcome),
  }));

const inGroup = (outcome: string) => [
  { what: "a call that the group does not have", expected: sameOutcome(outcome) },
];

export const CALL_ATTACKS = {
  setupPrivateCall: [{ what: "somebody while one is offline", expected: sameOutcome("call.offline") }],
  acceptPrivateCall: onBoth("call.ended"),
  rejectPrivateCall: onBoth("ok null"),
  cancelPrivateCall: onBoth("ok null"),
  hangUpPrivateCall: onBoth("ok null"),
  failPrivateCall: onBoth("ok null"),
  sendPrivateOffer: onBoth("call.ended"),
  sendPrivateAnswer: onBoth("call.ended"),
  sendPrivateCandidate: onBoth("call.ended"),
  setPrivateCallDevice: onBoth("ok null"),
  beatPrivateCall: onBoth("ok null"),
  findPrivateCall: onBoth("ok"),
  reportEndedClient: [{ what: "a client of somebody else", expected: sameOutcome("ok null") }],
  setupGroupCall: [
    { what: "members of the group while one is offline", expected: sameOutcome("call.offline") },
  ],
  acceptGroupCall: inGroup("call.ended"),
  rejectGroupCall: inGroup("ok null"),
  failGroupCall: inGroup("ok null"),
  joinGroupCall: inGroup("call.offline"),
  inviteToGroupCall: inGroup("call.ended"),
  sendGroupOffer: inGroup("ok null"),
  sendGroupAnswer: inGroup("ok null"),
  sendGroupCandidate: inGroup("ok null"),
  setGroupCallDevice: inGroup("call.notIn"),
  quitGroupCall: inGroup("ok null"),
  cancelGroupCall: inGroup("ok null"),
  beatGroupCall: inGroup("ok null"),
} satisfies AttackCases;
