/** For each endpoint that takes an id: the attacks with ids of other people's objects, and their expected answers. */
import { CALL_ATTACKS } from "./call-attacks.ts";
import { GROUP_ATTACKS } from "./group-attacks.ts";
import { MESSAGE_ATTACKS } from "./message-attacks.ts";
import { ACCOUNT_ATTACKS } from "./account-attacks.ts";
import type { AttackCase, EndpointWithId } from "./attack-case.ts";

export const ATTACK_CASES: { readonly [N in EndpointWithId]: AttackCase<N> } = {
  ...ACCOUNT_ATTACKS,
  ...GROUP_ATTACKS,
  ...MESSAGE_ATTACKS,
  ...CALL_ATTACKS,
};
