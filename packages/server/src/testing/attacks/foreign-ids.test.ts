import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { secretsIn } from "../log-scan.ts";
import { makeApp } from "../make-app.ts";
import { attack, idFieldsOf, probesOf } from "./foreign-ids.ts";
import { ROWS } from "./rows.ts";
import { type World, SECRET, makeWorld } from "./world.ts";

let w: World;
beforeAll(async () => {
  w = await makeWorld(await makeApp({ env: { RATE_LIMITS: "off", LOG_LEVEL: "trace" } }));
});
afterAll(async () => {
  for (const socket of w.sockets) socket.close();
  await w.server[Symbol.asyncDispose]();
});

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

describe("every endpoint", () => {
  test("has a row", () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(NAMES.toSorted());
  });

  test.each(NAMES)("%s: attacked where it takes an id", (name) => {
    const row = ROWS[name];
    if (typeof row === "string" && row.startsWith("for anyone")) return;
    expect(idFieldsOf(name).length > 0).toBe(typeof row !== "string");
  });
});

describe("ids of other people's things are worth nothing", () => {
  test.each(NAMES.filter((name) => probesOf(name).length > 0))("%s", async (name) => {
    expect(await attack(w, name)).toEqual([]);
  });
});

describe("the watch", () => {
  const asOwner = (): World => ({ ...w, attackers: { ...w.attackers, stranger: w.owner } });

  test("sees a secret in an answer", async () => {
    const wrong = await attack(asOwner(), "groupHistory");
    expect(wrong.join("\n")).toContain("groupHistory, the group, by stranger: tells a secret");
  });

  test("sees what others notice", async () => {
    const wrong = await attack(asOwner(), "muteGroup");
    expect(wrong.join("\n")).toContain("muteGroup was noticed");
  });
});

describe("the log of all this, at its most talkative", () => {
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
