import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { isEnvelope } from "@parley/protocol/envelope";
import { type TestApp, makeApp } from "../testing/make-app.ts";
import { type Person, join, say, twoFriends } from "../testing/people.ts";
import { TestSocket } from "../testing/test-socket.ts";

let server: TestApp;
let person: Person;
beforeAll(async () => {
  server = await makeApp({ env: { RATE_LIMITS: "off" } });
  person = await join(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Those that would only end the session they are called with, or the account. */
const left = new Set(["logout", "unregister", "uploadImage"]);
const endpoints = Object.entries<Endpoint>(ENDPOINTS).filter(([name]) => !left.has(name));

/** Field names that the endpoint knows, with values that it may not. */
function fieldsOf(endpoint: Endpoint): string[] {
  const shapes = [endpoint.body, endpoint.query].map(
    (schema) => (schema as { shape?: object } | undefined)?.shape,
  );
  return shapes.flatMap((shape) => Object.keys(shape ?? {}));
}

const value = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.boolean(),
  fc.constantFrom(null, "", "1", "-1", "\0", "\ud800", "9".repeat(16), [], {}, 2 ** 53, { toString: "x" }),
  fc.array(fc.jsonValue(), { maxLength: 3 }),
);

test.each(endpoints)("%s answers an envelope of a listed kind to anything", async (_name, endpoint) => {
  const fields = fieldsOf(endpoint);
  const request = fc.record({
    body: fc.dictionary(fc.constantFrom("__proto__", "id", ...fields), value, { maxKeys: fields.length + 2 }),
    query: fc.dictionary(fc.constantFrom("x", ...fields), fc.string({ maxLength: 30 }), {
      maxKeys: fields.length + 1,
    }),
    param: fc.oneof(fc.nat().map(String), fc.string({ minLength: 1, maxLength: 30 })),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ body, query, param }) => {
      const path = endpoint.path.replace(
        /:\w+/,
        encodeURIComponent(param.toWellFormed()).replaceAll(".", "%2E"),
      );
      const search = new URLSearchParams(query).toString();
      const answer = await person.send(endpoint, `${path}?${search}`, endpoint.body && body);
      expect(isEnvelope(answer.envelope)).toBe(true);
      expect([200, 400, 404]).toContain(answer.status);
      expect([200, 500, 10_001, 10_003]).toContain(answer.envelope.code);
    }),
    { numRuns: 25 },
  );
});

test("sockets that send anything are answered or closed, and nobody else notices", async () => {
  const [a, b] = await twoFriends(server.url);
  const witness = await b.connect();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string({ unit: "binary", maxLength: 100 })), async (text) => {
      const socket = await TestSocket.open(server.url);
      socket.send(text);
      expect([4002, 4009]).toContain(await socket.closed);
    }),
    { numRuns: 50 },
  );
  await say(a, b, "after all that");
  expect((await witness.nextOf(0)).data?.content).toBe("after all that");
  witness.close();
});

test("none of it was an error of the server", async () => {
  expect(server.logs).toEqual([]);
  await (await join(server.url)).ok("self");
});
