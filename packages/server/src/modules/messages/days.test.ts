import { MONTH_DAYS_MAX } from "@parley/protocol/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { registerPerson, makeGroup, sendText, registerFriends } from "../../testing/test-person.ts";

/** The days of this test are short, so that no session expires. */
const DAY = 60_000;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

/** The starts of `count` days from now on, and the end of the last one. */
const dayStarts = (count: number) =>
  Array.from({ length: count + 1 }, (_, n) => server.clock.now() + n * DAY);

describe("GET /message/private/days and /message/group/days", () => {
  test("answer the days on which the reader sees a message", async () => {
    const [a, b] = await registerFriends(server.url);
    const starts = dayStarts(3);
    await sendText(a, b, "first");
    const recalled = await sendText(a, b, "second");
    server.clock.advance(2 * DAY);
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: "edited", quoteMessageId: recalled.id },
    });
    expect(await b.ok("privateDays", { query: { friendId: a.id, starts } })).toEqual(starts.slice(0, 1));
    await sendText(b, a, "third");
    for (const [me, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      const query = { friendId: friend.id, starts };
      expect(await me.ok("privateDays", { query })).toEqual([starts[0], starts[2]]);
    }
    await b.ok("flushAllMessages");
    expect(await b.ok("privateDays", { query: { friendId: a.id, starts } })).toEqual([]);

    const groupStarts = dayStarts(1);
    const groupId = await makeGroup(a, [b]);
    expect(await b.ok("groupDays", { query: { groupId, starts: groupStarts } })).toEqual([groupStarts[0]]);
    const stranger = await registerPerson(server.url);
    expect(await stranger.errorKeyOf("groupDays", { query: { groupId, starts: groupStarts } })).toBe(
      "group.notFound",
    );
  });

  test("take at least one day and at most a month, in ascending order", async () => {
    const a = await registerPerson(server.url);
    const loadDays = (starts: number[]) => a.call("privateDays", { query: { friendId: a.id, starts } });
    expect((await loadDays(dayStarts(MONTH_DAYS_MAX))).envelope.code).toBe(200);
    for (const starts of [[], [1], [1, 1], [2, 1], dayStarts(MONTH_DAYS_MAX + 1)]) {
      expect((await loadDays(starts)).envelope.key).toBe("request.malformed");
    }
  });
});
