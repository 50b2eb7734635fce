import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { secretsIn } from "@parley/server/testing/log-scan";
import { createTestApp } from "@parley/server/testing/test-app";
import { attackWithForeignIds, idFieldsOf, attacksOf } from "./foreign-ids.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { type AttackScenario, SECRET, createAttackScenario } from "./attack-scenario.ts";

let scenario: AttackScenario;
beforeAll(async () => {
  scenario = await createAttackScenario(
    await createTestApp({ env: { RATE_LIMITS: "off", LOG_LEVEL: "trace" } }),
  );
});
afterAll(async () => {
  for (const socket of scenario.sockets) socket.close();
  await scenario.server[Symbol.asyncDispose]();
});

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

test("the attack table has attacks on exactly the endpoints that take an id, or says why anyone may call one", () => {
  const withId = NAMES.filter((name) => ENDPOINTS[name].auth !== "admin" && idFieldsOf(name).length > 0);
  expect(Object.keys(ATTACK_CASES).toSorted()).toEqual(withId.toSorted());
  for (const attackCase of Object.values(ATTACK_CASES)) expect(attackCase.length).toBeGreaterThan(0);
});

describe("an id of somebody else's object gives no access", () => {
  test.each(NAMES.filter((name) => attacksOf(name).length > 0))("%s", async (name) => {
    expect(await attackWithForeignIds(scenario, name)).toEqual([]);
  });
});

describe("the check of the attacks", () => {
  const withOwnerAsStranger = (): AttackScenario => ({
    ...scenario,
    attackers: { ...scenario.attackers, stranger: scenario.owner },
  });

  test("reports a secret in an answer", async () => {
    const violations = await attackWithForeignIds(withOwnerAsStranger(), "groupHistory");
    expect(violations.join("\n")).toContain(
      "groupHistory, the group, by stranger: the answer contains a secret",
    );
  });

  test("reports a change that others can see", async () => {
    const violations = await attackWithForeignIds(withOwnerAsStranger(), "muteGroup");
    expect(violations.join("\n")).toContain("muteGroup was noticed");
  });
});

describe("the log of these attacks at level trace", () => {
  test("has one line of JSON with route and address for each refused call", () => {
    const refused = scenario.server.logs
      .map((line) => JSON.parse(line) as { refused?: string; route?: string; address?: string })
      .filter((line) => line.refused === "group.noRight");
    expect(refused).toContainEqual(
      expect.objectContaining({ route: "/api/group/transfer", address: "127.0.0.1" }),
    );
  });

  test("contains no message, profile, remark, token or password", () => {
    expect(scenario.server.logs.filter((line) => line.includes(SECRET))).toEqual([]);
    expect(secretsIn(scenario.server.logs)).toEqual([]);
  });

  test("is reported if it contains a token", () => {
    expect(secretsIn([`{"msg":"${scenario.owner.tokens.accessToken}"}`, "{}"])).toHaveLength(1);
  });
});
