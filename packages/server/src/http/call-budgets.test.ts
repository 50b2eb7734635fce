import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { createTestApp } from "../testing/test-app.ts";
import { befriend, registerPerson, request, sendText } from "../testing/test-person.ts";
import { CALL_BUDGETS, LOOKUP_LIMITS, UNUSUAL_BUDGETS, usualBudget } from "./call-budgets.ts";

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
const definitionOf = (name: EndpointName): Endpoint => ENDPOINTS[name];
const TOO_MANY = { status: 429, key: "request.tooMany", hasWait: true };

/** Calls an endpoint without any input. It is counted before the input is looked at. */
async function answerOf(url: string, name: EndpointName, headers: Record<string, string>) {
  const { method, path } = definitionOf(name);
  const answer = await request(url, path.replaceAll(/:\w+/g, "1"), { method, headers });
  const wait = Number(answer.headers.get("retry-after"));
  return { status: answer.status, key: answer.envelope.key, hasWait: wait > 0 };
}

test("every endpoint costs its caller something", () => {
  for (const name of NAMES)
    expect([name, CALL_BUDGETS[name] === "own" || CALL_BUDGETS[name] > 0]).toEqual([name, true]);
});

test("a row is only there for a call that costs something unusual", () => {
  for (const [name, budget] of Object.entries(UNUSUAL_BUDGETS))
    expect([name, budget]).not.toEqual([name, usualBudget(definitionOf(name as EndpointName))]);
});

test("without a row, a change costs 1 point, a read 2, a look of an administrator and a call of strangers 5", () => {
  const cost = (method: Endpoint["method"], auth: Endpoint["auth"]) =>
    usualBudget({ method, auth, path: "/made", summary: "made up", answer: z.null() });
  expect([cost("PUT", "token"), cost("GET", "token")]).toEqual([1, 2]);
  expect([cost("POST", "admin"), cost("GET", "admin")]).toEqual([1, 5]);
  expect([cost("POST", "open"), cost("GET", "open")]).toEqual([5, 5]);
});

test("a caller without points is refused at every endpoint, and others are not", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "calls=5/s:5,requests=1000/s:300" } });
  const [person, other] = [await registerPerson(server.url), await registerPerson(server.url)];
  const headers = { accessToken: person.tokens.accessToken };
  server.clock.advance(1_000);
  const spend = async () => {
    for (let n = 0; n < 5; n++) await person.ok("self");
  };
  await spend();
  const answers: Record<string, unknown> = {};
  for (const name of NAMES) {
    if (definitionOf(name).auth === "open") continue;
    answers[name] = await answerOf(server.url, name, headers);
  }
  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, TOO_MANY])));
  expect((await other.call("self")).status).toBe(200);
  server.clock.advance(1_000);
  await spend();
});

test("calls without an account share the points of their address, and people do not need them", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "requests=100/s:200" } });
  const person = await registerPerson(server.url);
  server.clock.advance(2_000);
  let passed = 0;
  while ((await answerOf(server.url, "loadGlobalSetting", {})).status === 200) passed++;
  expect(passed).toBe(20);
  const open = NAMES.filter((name) => ["open", "optional"].includes(definitionOf(name).auth));
  expect(open.length).toBeGreaterThan(5);
  for (const name of open) expect([name, await answerOf(server.url, name, {})]).toEqual([name, TOO_MANY]);
  expect((await person.call("self")).status).toBe(200);
});

test("all requests of an address are counted, except those of programs that watch the server", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "requests=10/s:100" } });
  const statusOf = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`);
    await answer.text();
    return answer.status;
  };
  for (let n = 0; n < 100; n++) await statusOf(n % 2 === 0 ? "/files/image/none.png" : "/api/none");
  for (const path of ["/api/none", "/files/image/none.png", "/", "/api/openapi.json", "/api/docs"])
    expect([path, await statusOf(path)]).toEqual([path, 429]);
  expect(await statusOf("/healthz")).toBe(200);
  expect(await statusOf("/readyz")).toBe(200);
  server.clock.advance(1_000);
  expect(await statusOf("/api/openapi.json")).toBe(200);
});

test("of sends only those that fail cost points, because the others have a limit of their own", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "calls=30/s:30" } });
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  await befriend(a, b);
  server.clock.advance(1_000);
  for (let n = 0; n < 40; n++) await sendText(a, b, String(n));
  const headers = { accessToken: a.tokens.accessToken };
  const answers = [];
  for (let n = 0; n < 31; n++)
    answers.push((await answerOf(server.url, "sendPrivateMessage", headers)).status);
  expect(answers.filter((status) => status === 400)).toHaveLength(30);
  expect(answers.at(-1)).toBe(429);
});

describe("numbers cannot be tried one after the other", () => {
  test.each(["findUser", "findGroup", "addToBlacklist"] as const)(
    "%s is limited for each person",
    async (name) => {
      await using server = await createTestApp();
      const [person, other] = [await registerPerson(server.url), await registerPerson(server.url)];
      expect(LOOKUP_LIMITS[name]).toBeDefined();
      const ask = async (from: typeof person, id: number) => {
        const { method, path } = definitionOf(name);
        const answer = await request(server.url, path.replace(/:\w+/, String(id)), {
          method,
          headers: { accessToken: from.tokens.accessToken },
        });
        return answer.status;
      };
      const statuses: number[] = [];
      for (let id = 1_000; id < 1_220; id++) statuses.push(await ask(person, id));
      expect(statuses.filter((status) => status !== 429)).toHaveLength(200);
      expect(await ask(other, 1_000)).not.toBe(429);
    },
  );
});
