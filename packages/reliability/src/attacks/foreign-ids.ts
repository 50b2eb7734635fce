/** Runs the attacks with other people's ids, each by every role, and checks that nobody else notices them. */
import { Code } from "@parley/protocol/codes";
import { pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { Envelope } from "@parley/protocol/envelope";
import { ERRORS } from "@parley/protocol/errors";
import { inputWith } from "@parley/server/testing/endpoint-input";
import type { Attack } from "./attack-case.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { deriveAttacks, idsOf } from "./derive-attacks.ts";
import { ROLES, type AttackScenario, secretHiddenFrom, observe } from "./attack-scenario.ts";

/** Longer data is not compared; it is only searched for secrets. */
const SHORT_ANSWER_MAX = 10;

/** The attacks on an endpoint: those of the table, or else those that follow from its definition. */
export function attacksOf(name: EndpointName): readonly Attack[] {
  return ATTACK_CASES[name] ?? deriveAttacks(ENDPOINTS[name]);
}

/** Attacks an endpoint. Returns one line for each wrong answer, leaked secret and visible change. */
export async function attackWithForeignIds(
  scenario: AttackScenario,
  name: EndpointName,
  attacks: readonly Attack[] = attacksOf(name),
): Promise<string[]> {
  const violations: string[] = [];
  const before = await observe(scenario);
  for (const attack of attacks) {
    for (const role of ROLES) {
      const expectedOutcome = attack.expected[role];
      if (expectedOutcome === undefined) continue;
      const label = `${name}, ${attack.what}, by ${role}`;
      const me = scenario.attackers[role];
      const input = inputWith(ENDPOINTS[name], { ...attack.input?.(scenario, me) }, idsOf(scenario));
      const { envelope } = await me.send(ENDPOINTS[name], pathOf(ENDPOINTS[name], input), input.body);
      const text = JSON.stringify(envelope);
      if (!isOutcome(envelope, expectedOutcome))
        violations.push(`${label}: ${outcomeOf(envelope)} instead of ${expectedOutcome}`);
      if (text.includes(secretHiddenFrom(role)))
        violations.push(`${label}: the answer contains a secret: ${text}`);
    }
  }
  const after = await observe(scenario);
  for (const [i, seen] of after.entries()) {
    if (seen !== before[i]) violations.push(`${name} was noticed: ${before[i]} became ${seen}`);
  }
  return violations;
}

function isOutcome(envelope: Envelope, expected: string): boolean {
  const outcome = outcomeOf(envelope);
  if (expected === "ok") return envelope.code === Code.OK;
  if (expected === "refused") return isRefusal(envelope);
  if (expected === "nothing")
    return isRefusal(envelope) || (envelope.code === Code.OK && isEmpty(envelope.data));
  return outcome === expected;
}

function outcomeOf(envelope: Envelope): string {
  if (envelope.code !== Code.OK) return envelope.key ?? envelope.message;
  const data = JSON.stringify(envelope.data);
  return data.length <= SHORT_ANSWER_MAX ? `ok ${data}` : "ok";
}

/** Whether somebody has looked for what the ids name and has said no: not an error of the request, of its token or of the server. */
function isRefusal({ key }: Envelope): boolean {
  return key !== undefined && ERRORS[key].http === 200 && !key.startsWith("auth.");
}

/** Whether data says that there is nothing: no value, no rows, a count of 0 or the position before all messages. */
function isEmpty(data: unknown): boolean {
  if (typeof data === "object" && data !== null) return Object.values(data).every(isEmpty);
  return [null, false, 0, -1, ""].some((nothing) => nothing === data);
}
