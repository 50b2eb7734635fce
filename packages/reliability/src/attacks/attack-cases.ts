/** The attacks with ids of other people's objects on the endpoints that are not answered as `deriveAttacks` expects. */
import { ACCOUNT_ATTACKS } from "./account-attacks.ts";
import type { AttackCases } from "./attack-case.ts";
import { CALL_ATTACKS } from "./call-attacks.ts";
import { GROUP_ATTACKS } from "./group-attacks.ts";
import { MESSAGE_ATTACKS } from "./message-attacks.ts";

export const ATTACK_CASES: AttackCases = {
  ...ACCOUNT_ATTACKS,
  ...GROUP_ATTACKS,
  ...MESSAGE_ATTACKS,
  ...CALL_ATTACKS,
};
