/** For each endpoint: the attacks with ids of other people's objects, and their expected answers. */
import type { EndpointName } from "@parley/protocol/endpoints/all";
import { GROUP_ATTACKS } from "./group-attacks.ts";
import { MESSAGE_ATTACKS } from "./message-attacks.ts";
import { ACCOUNT_ATTACKS } from "./account-attacks.ts";
import type { AttackCase } from "./attack-case.ts";

export const ATTACK_CASES: { readonly [N in EndpointName]: AttackCase<N> } = {
  ...ACCOUNT_ATTACKS,
  ...GROUP_ATTACKS,
  ...MESSAGE_ATTACKS,
};
