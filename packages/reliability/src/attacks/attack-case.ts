/** The types and helpers of the attack table. */
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { TestPerson } from "@parley/server/testing/test-person";
import type { Fields } from "../endpoint-input.ts";
import { OUTSIDERS, ROLES, type Role, type AttackScenario } from "./attack-scenario.ts";

/** The answer to an attacker: the key of an API error, `ok` with short data, or `ok` alone for any data without a secret. */
type Outcome = string;

/** One call with an id of somebody else, and the answer that each role must get. A role without one is not tried. */
export interface Attack<Input = object> {
  what: string;
  /** The fields that differ from the examples (`examplesOf` the group and its member). */
  input?(scenario: AttackScenario, me: TestPerson): Input;
  expected: Partial<Record<Role, Outcome>>;
}

/** The attacks on an endpoint, or the reason why anybody may call it with any id. */
export type AttackCase<N extends EndpointName> =
  | readonly Attack<Partial<Fields<N>>>[]
  | `for anyone: ${string}`;

/** The names of fields that are ids or positions. A test compares this with `idFieldsOf`. */
type IdFieldsOf<N extends EndpointName> = Exclude<
  Extract<keyof Fields<N>, "id" | "ids" | "uid" | `${string}${"Id" | "Ids" | "SeqNo"}`>,
  "tmpId"
>;

/**
 * Endpoints that take an id, which could be that of somebody else's object. Each needs attacks, except those for administrators, who may do
 * everything with all ids: `administration.test.ts` of the server calls each of them without the role.
 */
export type EndpointWithId = {
  [N in EndpointName]: (typeof ENDPOINTS)[N]["auth"] extends "admin"
    ? never
    : [IdFieldsOf<N>] extends [never]
      ? never
      : N;
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

/** What a former member gets. For those who were never in the group there is none with this number. */
export const formerMemberGets = (outcome: Outcome) => ({
  ...outsidersGet("group.notFound"),
  exMember: outcome,
});

/** What only members with a right to it may do. */
export const WITHOUT_RIGHT = { ...formerMemberGets("group.notMember"), muted: "group.noRight" };

/** The cases of some endpoints. */
export type AttackCases = { readonly [N in EndpointWithId]?: AttackCase<N> };
