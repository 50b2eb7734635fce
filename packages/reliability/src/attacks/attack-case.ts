/** The types and helpers of the attack table. */
import type { BodyOf, CallInput, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { TestPerson } from "@parley/server/testing/test-person";
import { OUTSIDERS, ROLES, type Role, type AttackScenario } from "./attack-scenario.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** The answer to an attacker: the key of an API error, `ok` with short data, or `ok` alone for any data without a secret. */
type Outcome = string;

/** One call with an id of somebody else, and the answer that each role must get. A role without one is not tried. */
export interface Attack<I> {
  what: string;
  input(scenario: AttackScenario, me: TestPerson): I;
  expected: Partial<Record<Role, Outcome>>;
}

/** The attacks on an endpoint, or the reason why anybody may call it with any id. */
export type AttackCase<N extends EndpointName> =
  | readonly Attack<CallInput<Definition<N>>>[]
  | `for anyone: ${string}`;

type FieldsOf<E> = keyof ParamsOf<E> | keyof QueryOf<E> | keyof BodyOf<E>;
/** The names of fields that are ids or positions. A test compares this with `idFieldsOf`. */
type IdFieldsOf<E> = Exclude<
  Extract<FieldsOf<E>, "id" | "ids" | `${string}${"Id" | "Ids" | "SeqNo"}`>,
  "tmpId"
>;

/** Endpoints that take an id, which could be that of somebody else's object. Each needs attacks. */
export type EndpointWithId = {
  [N in EndpointName]: [IdFieldsOf<Definition<N>>] extends [never] ? never : N;
}[EndpointName];

/** The same outcome for all of these roles. */
export function sameOutcome(
  outcome: Outcome,
  roles: readonly Role[] = ROLES,
): Partial<Record<Role, Outcome>> {
  return Object.fromEntries(roles.map((role) => [role, outcome]));
}

/** The same outcome for everybody who is not in the group. */
export const outsidersGet = (outcome: Outcome) => sameOutcome(outcome, OUTSIDERS);

/** The group as a part of a request body. */
export const byGroup = (scenario: AttackScenario) => ({ groupId: scenario.groupId });
/** A list of ids that contains only the member. */
export const memberIds = (scenario: AttackScenario) => [scenario.member.id];

/** The cases of some endpoints. */
export type AttackCases = { readonly [N in EndpointWithId]?: AttackCase<N> };
