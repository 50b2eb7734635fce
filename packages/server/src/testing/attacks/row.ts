/** What a row of the table of attacks is made of. */
import type { CallInput } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import type { Person } from "../people.ts";
import { OUTSIDE, ROLES, type Role, type World } from "./world.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** What an attacker gets: the key of a refusal, `ok` with a short answer, or `ok` alone for any that tells no secret. */
type Outcome = string;

export interface Probe<I> {
  what: string;
  input(w: World, me: Person): I;
  as: Partial<Record<Role, Outcome>>;
}

/** Attacks; or in words why no id in it could be somebody else's business. */
export type Row<N extends EndpointName> =
  | readonly Probe<CallInput<Definition<N>>>[]
  | `no id: ${string}`
  | `for anyone: ${string}`;

/** The same outcome for all of these. */
export function all(outcome: Outcome, roles: readonly Role[] = ROLES): Partial<Record<Role, Outcome>> {
  return Object.fromEntries(roles.map((role) => [role, outcome]));
}

export const outside = (outcome: Outcome) => all(outcome, OUTSIDE);

export const byGroup = (w: World) => ({ groupId: w.groupId });
export const theMember = (w: World) => [w.member.id];

/** Rows of some endpoints. */
export type Rows = { readonly [N in EndpointName]?: Row<N> };
