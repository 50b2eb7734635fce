/** Attacks on the endpoints of calls, while the owner and the member talk to each other. */
import { type AttackCases, sameOutcome } from "./attack-case.ts";

/** Both people of the call are tried: one is a friend of some attackers, the other of none. */
const onBoth = (outcome: string) =>
  (["owner", "member"] as const).map((person) => ({
    what: `the call of the ${person}`,
    input: (scenario: { owner: { id: number }; member: { id: number } }) => ({ uid: scenario[person].id }),
    expected: sameOutcome(outcome),
  }));

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
} satisfies AttackCases;
