import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { befriend, registerPerson, sendText, registerFriends } from "../../testing/test-person.ts";
import { historyPageOf } from "./chat-history.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

test.each([
  [{}, { from: "newest" }],
  [{ maxId: 7 }, { from: "before", id: 7 }],
  [{ minId: 0 }, { from: "after", id: 0 }],
  [{ aroundId: 7 }, { from: "around", id: 7 }],
  [{ at: 9 }, { from: "time", at: 9 }],
  [{ page: 2 }, { from: "page", page: 2 }],
  [{ page: 0 }, { from: "page", page: 1 }],
])("historyPageOf reads the page from the query %j", (query, page) => {
  expect(historyPageOf(query)).toEqual({ ...page, size: 20 });
  expect(historyPageOf({ ...query, size: 3 })).toEqual({ ...page, size: 3 });
});

test("for a query with two positions the error names the second", () => {
  expect(() => historyPageOf({ minId: 1, page: 1 })).toThrow(
    expect.objectContaining({ params: { field: "page", problem: "does not go with minId" } }),
  );
});

describe("GET /message/private/history", () => {
  test("pages: newest, before, after, around, at a time, numbered", async () => {
    const [a, b] = await registerFriends(server.url);
    const other = await registerPerson(server.url);
    await befriend(a, other);
    const all: number[] = [];
    for (let i = 0; i < 10; i++) {
      server.clock.advance(1_000);
      all.push((await sendText(i % 2 ? a : b, i % 2 ? b : a, String(i))).id);
      await sendText(a, other, "elsewhere");
    }
    const page = async (query: object) => {
      const rows = await a.ok("privateHistory", { query: { friendId: b.id, size: 3, ...query } });
      return rows.map((row) => row.id);
    };
    expect(await page({})).toEqual(all.slice(-3).reverse());
    expect(await page({ maxId: all[5] })).toEqual([all[4], all[3], all[2]]);
    expect(await page({ minId: all[5] })).toEqual([all[6], all[7], all[8]]);
    expect(await page({ page: 2 })).toEqual([all[6], all[5], all[4]]);
    const around = await page({ aroundId: all[5], size: 4 });
    expect(around).toContain(all[5]);
    expect(around).toEqual(around.toSorted((x, y) => x - y));
    const at = await page({ at: server.clock.now() - 4_500, size: 4 });
    expect(at).toEqual(at.toSorted((x, y) => x - y));
    expect(at.length).toBe(4);
  });

  test("two positions at once are malformed, as is a page over 100", async () => {
    const a = await registerPerson(server.url);
    const both = await a.call("privateHistory", { query: { friendId: 1, maxId: 1, minId: 1 } });
    expect(both.status).toBe(400);
    const large = await a.call("privateHistory", { query: { friendId: 1, size: 101 } });
    expect(large.status).toBe(400);
    expect(large.envelope.message).toBe("size: more than 100");
  });
});
