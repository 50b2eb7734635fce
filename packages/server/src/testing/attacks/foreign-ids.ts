/** Attacks with other people's ids: each row by each attacker, watched by everybody concerned. */
import type { CallInput, Endpoint } from "@parley/protocol/endpoint";
import { pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { Envelope } from "@parley/protocol/envelope";
import type { TestPerson } from "../test-person.ts";
import type { Attack } from "./attack-case.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { ROLES, type AttackScenario, secretHiddenFrom, observe } from "./attack-scenario.ts";

/** As they are run: their own endpoint's types have checked them. */
type AnyProbe = Attack<CallInput<Endpoint>>;

/** A longer answer is only looked through for secrets. */
const SHORT_ANSWER_MAX = 10;

/** Names of an endpoint's fields that are ids or positions. */
export function idFieldsOf(name: EndpointName): string[] {
  const { params, query, body }: Endpoint = ENDPOINTS[name];
  return [params, query, body].flatMap((schema) => {
    const shape = schema !== undefined && "shape" in schema ? (schema.shape as object) : {};
    return Object.keys(shape).filter((field) => /^id$|^ids$|Ids?$|SeqNo$/.test(field) && field !== "tmpId");
  });
}

export function probesOf(name: EndpointName): readonly AnyProbe[] {
  const row = ATTACK_CASES[name];
  return typeof row === "string" ? [] : (row as unknown as readonly AnyProbe[]);
}

/** What went wrong when this endpoint was attacked; one line each. */
export async function attackWithForeignIds(
  scenario: AttackScenario,
  name: EndpointName,
  probes: readonly AnyProbe[] = probesOf(name),
): Promise<string[]> {
  const wrong: string[] = [];
  const before = await observe(scenario);
  for (const probe of probes) {
    for (const role of ROLES) {
      const wanted = probe.as[role];
      if (wanted === undefined) continue;
      const who = `${name}, ${probe.what}, by ${role}`;
      const { outcome, text } = await run(
        name,
        scenario.attackers[role],
        probe.input(scenario, scenario.attackers[role]),
      );
      if (outcome !== wanted && !(wanted === "ok" && outcome.startsWith("ok ")))
        wrong.push(`${who}: ${outcome} in place of ${wanted}`);
      if (text.includes(secretHiddenFrom(role))) wrong.push(`${who}: tells a secret: ${text}`);
    }
  }
  const after = await observe(scenario);
  for (const [i, seen] of after.entries()) {
    if (seen !== before[i]) wrong.push(`${name} was noticed: ${before[i]} became ${seen}`);
  }
  return wrong;
}

async function run(
  name: EndpointName,
  me: TestPerson,
  input: CallInput<Endpoint>,
): Promise<{ outcome: string; text: string }> {
  const definition: Endpoint = ENDPOINTS[name];
  const given = input as { params?: object; query?: object; body?: unknown };
  const { envelope } = await me.send(definition, pathOf(definition, given), given.body);
  return { outcome: outcomeOf(envelope), text: JSON.stringify(envelope) };
}

function outcomeOf(envelope: Envelope): string {
  if (envelope.code !== 200) return envelope.key ?? envelope.message;
  const data = JSON.stringify(envelope.data);
  return data.length <= SHORT_ANSWER_MAX ? `ok ${data}` : "ok";
}
