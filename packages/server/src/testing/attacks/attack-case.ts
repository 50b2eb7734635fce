/** What a row of the table of attacks is made of. */
import type { CallInput } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { TestPerson } from "../test-person.ts";
import { OUTSIDERS, ROLES, type Role, type AttackScenario } from "./attack-scenario.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** What an attacker gets: the key of a refusal, `ok` with a short answer, or `ok` alone for any that tells no secret. */
type Outcome = string;

export interface Attack<I> {
  what: string;
  input(w: AttackScenario, me: TestPerson): I;
  as: Partial<Record<Role, Outcome>>;
}

/** Attacks; or in words why no id in it could be somebody else's business. */
export type AttackCase<N extends EndpointName> =
  | readonly Attack<CallInput<Definition<N>>>[]
  | `no id: ${string}`
  | `for anyone: ${string}`;

/** The same outcome for all of these. */
export function sameOutcome(
  outcome: Outcome,
  roles: readonly Role[] = ROLES,
): Partial<Record<Role, Outcome>> {
  return Object.fromEntries(roles.map((role) => [role, outcome]));
}

export const outsidersGet = (outcome: Outcome) => sameOutcome(outcome, OUTSIDERS);

export const byGroup = (scenario: AttackScenario) => ({ groupId: scenario.groupId });
export const theMember = (scenario: AttackScenario) => [scenario.member.id];

/** Rows of some endpoints. */
export type AttackCases = { readonly [N in EndpointName]?: AttackCase<N> };
