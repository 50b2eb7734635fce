/** The types and helpers of the attack table. */
import type { EndpointName } from "@parley/protocol/endpoints/all";
import type { TestPerson } from "@parley/server/testing/test-person";
import type { Fields } from "@parley/server/testing/endpoint-input";
import { OUTSIDERS, ROLES, type Role, type AttackScenario } from "./attack-scenario.ts";

/**
 * The answer to an attacker: the key of an API error, `ok` with short data, or `ok` alone for any data without a secret. `refused` is any
 * error that a call has for reasons of its own; `nothing` is that too, or an answer without a value.
 */
type Outcome = string;

/** One call with an id of somebody else, and the answer that each role must get. A role without one is not tried. */
export interface Attack<Input = object> {
  what: string;
  /** The fields that differ from the examples, whose ids are those of the group and its member (`idsOf`). */
  input?(scenario: AttackScenario, me: TestPerson): Input;
  expected: Partial<Record<Role, Outcome>>;
}

/** The same outcome for all of these roles. */
export function sameOutcome(
  outcome: Outcome,
  roles: readonly Role[] = ROLES,
): Partial<Record<Role, Outcome>> {
  return Object.fromEntries(roles.map((role) => [role, outcome]));
}

/** The same outcome for everybody who is not in the group. */
export const outsidersGet = (outcome: Outcome) => sameOutcome(outcome, OUTSIDERS);

/** What a former member gets. For those who were never in the group there is none with this number. */
export const formerMemberGets = (outcome: Outcome) => ({
  ...outsidersGet("group.notFound"),
  exMember: outcome,
});

/** What only members with a right to it may do. */
export const WITHOUT_RIGHT = { ...formerMemberGets("group.notMember"), muted: "group.noRight" };

/** The attacks on some endpoints, in place of those that follow from their definitions. */
export type AttackCases = { readonly [N in EndpointName]?: readonly Attack<Partial<Fields<N>>>[] };
