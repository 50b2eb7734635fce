/** Runs the attacks with other people's ids, each by every role, and checks that nobody else notices them. */
import { type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { Envelope } from "@parley/protocol/envelope";
import { examplesOf, inputWith, shapeOf } from "../endpoint-input.ts";
import type { Attack } from "./attack-case.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { ROLES, type AttackScenario, secretHiddenFrom, observe } from "./attack-scenario.ts";

/** Longer data is not compared; it is only searched for secrets. */
const SHORT_ANSWER_MAX = 10;

/** The names of an endpoint's fields that are ids or positions. */
export function idFieldsOf(name: EndpointName): string[] {
  const { params, query, body }: Endpoint = ENDPOINTS[name];
  const fields = [params, query, body].flatMap((schema) =>
    schema === undefined ? [] : Object.keys(shapeOf(schema).properties ?? {}),
  );
  return fields.filter((field) => /^u?id$|^ids$|Ids?$|SeqNo$/.test(field) && field !== "tmpId");
}

/** The attacks on an endpoint; none if it takes no id, or if its case is a reason. */
export function attacksOf(name: EndpointName): readonly Attack[] {
  const attackCase = (ATTACK_CASES as Readonly<Partial<Record<EndpointName, unknown>>>)[name];
  return Array.isArray(attackCase) ? (attackCase as readonly Attack[]) : [];
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
      const input = inputWith(
        name,
        { ...attack.input?.(scenario, me) },
        examplesOf(scenario.groupId, scenario.member.id),
      );
      const { envelope } = await me.send(ENDPOINTS[name], pathOf(ENDPOINTS[name], input), input.body);
      const [outcome, text] = [outcomeOf(envelope), JSON.stringify(envelope)];
      if (outcome !== expectedOutcome && !(expectedOutcome === "ok" && outcome.startsWith("ok ")))
        violations.push(`${label}: ${outcome} instead of ${expectedOutcome}`);
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

function outcomeOf(envelope: Envelope): string {
  if (envelope.code !== 200) return envelope.key ?? envelope.message;
  const data = JSON.stringify(envelope.data);
  return data.length <= SHORT_ANSWER_MAX ? `ok ${data}` : "ok";
}
