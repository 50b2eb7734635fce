import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { secretsIn } from "@parley/server/testing/log-scan";
import { createTestApp } from "@parley/server/testing/test-app";
import { inputWith } from "@parley/server/testing/endpoint-input";
import { idFieldsOf } from "@parley/server/testing/id-fields";
import type { Attack } from "./attack-case.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { deriveAttacks, idsOf } from "./derive-attacks.ts";
import { attackWithForeignIds, attacksOf } from "./foreign-ids.ts";
import { type AttackScenario, ROLES, SECRET, createAttackScenario } from "./attack-scenario.ts";

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

test("every endpoint that takes an id is attacked, except those for administrators", () => {
  const withId = NAMES.filter(
    (name) => ENDPOINTS[name].auth !== "admin" && idFieldsOf(ENDPOINTS[name]).length > 0,
  );
  expect(withId.length).toBeGreaterThan(70);
  expect(withId.filter((name) => attacksOf(name).length === 0)).toEqual([]);
});

test("no row of the attack table says what follows from the definition", () => {
  const callsOf = (name: EndpointName, attacks: readonly Attack[]) =>
    attacks.map(({ input, expected }) =>
      ROLES.map((role) => {
        const fields = { ...input?.(scenario, scenario.attackers[role]) };
        return [inputWith(ENDPOINTS[name], fields, idsOf(scenario)), expected[role]];
      }),
    );
  for (const name of Object.keys(ATTACK_CASES) as EndpointName[])
    expect([name, callsOf(name, attacksOf(name))]).not.toEqual([
      name,
      callsOf(name, deriveAttacks(ENDPOINTS[name])),
    ]);
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

  test.each([
    ["privateHistory", "nothing"],
    ["groupHistory", "group.notFound"],
    ["findReadedUsers", "group.notFound"],
    ["systemContent", "message.notFound"],
  ] as const)(
    "reports that %s answers anybody, by what follows from its definition",
    async (name, expected) => {
      const attacks = deriveAttacks(ENDPOINTS[name]);
      const violations = await attackWithForeignIds(withOwnerAsStranger(), name, attacks);
      expect(violations[0]).toMatch(new RegExp(`of others, by stranger: ok.* instead of ${expected}$`));
    },
  );

  test("reports an id that is not of the group with which it is given, by what follows from the definition", async () => {
    const { owner, admin, groupId } = scenario;
    const inOwnGroup: AttackScenario = {
      ...scenario,
      otherGroupId: groupId,
      attackers: { ...scenario.attackers, otherAdmin: owner },
    };
    const mixed = deriveAttacks(ENDPOINTS.findReadedUsers).slice(1);
    expect(await attackWithForeignIds(inOwnGroup, "findReadedUsers", mixed)).toEqual([
      `findReadedUsers, groupId and messageId with one's own group, by otherAdmin: ok [${admin.id}] instead of nothing`,
    ]);
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
