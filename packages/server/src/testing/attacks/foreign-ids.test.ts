import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { secretsIn } from "../log-scan.ts";
import { createTestApp } from "../test-app.ts";
import { attackWithForeignIds, idFieldsOf, probesOf } from "./foreign-ids.ts";
import { ATTACK_CASES } from "./attack-cases.ts";
import { type AttackScenario, SECRET, createAttackScenario } from "./attack-scenario.ts";

let w: AttackScenario;
beforeAll(async () => {
  w = await createAttackScenario(await createTestApp({ env: { RATE_LIMITS: "off", LOG_LEVEL: "trace" } }));
});
afterAll(async () => {
  for (const socket of w.sockets) socket.close();
  await w.server[Symbol.asyncDispose]();
});

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

describe("every endpoint", () => {
  test("has a row", () => {
    expect(Object.keys(ATTACK_CASES).toSorted()).toEqual(NAMES.toSorted());
  });

  test.each(NAMES)("%s: attacked where it takes an id", (name) => {
    const row = ATTACK_CASES[name];
    if (typeof row === "string" && row.startsWith("for anyone")) return;
    expect(idFieldsOf(name).length > 0).toBe(typeof row !== "string");
  });
});

describe("ids of other people's objects give no access", () => {
  test.each(NAMES.filter((name) => probesOf(name).length > 0))("%s", async (name) => {
    expect(await attackWithForeignIds(w, name)).toEqual([]);
  });
});

describe("the check itself", () => {
  const asOwner = (): AttackScenario => ({ ...w, attackers: { ...w.attackers, stranger: w.owner } });

  test("sees a secret in an answer", async () => {
    const wrong = await attackWithForeignIds(asOwner(), "groupHistory");
    expect(wrong.join("\n")).toContain("groupHistory, the group, by stranger: tells a secret");
  });

  test("sees what others notice", async () => {
    const wrong = await attackWithForeignIds(asOwner(), "muteGroup");
    expect(wrong.join("\n")).toContain("muteGroup was noticed");
  });
});

describe("the log of these attacks at level debug", () => {
  test("tells who was refused what, on one line of JSON each", () => {
    const refused = w.server.logs
      .map((line) => JSON.parse(line) as { refused?: string; route?: string; address?: string })
      .filter((line) => line.refused === "group.noRight");
    expect(refused).toContainEqual(
      expect.objectContaining({ route: "/api/group/transfer", address: "127.0.0.1" }),
    );
  });

  test("holds no message, profile, remark, token or password", () => {
    expect(w.server.logs.filter((line) => line.includes(SECRET))).toEqual([]);
    expect(secretsIn(w.server.logs)).toEqual([]);
  });

  test("would be seen to hold one", () => {
    expect(secretsIn([`{"msg":"${w.owner.tokens.accessToken}"}`, "{}"])).toHaveLength(1);
  });
});
