/** A clock that was ahead: messages keep the order of times, and what is possible for a while is so for exactly that while. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson, sendText } from "../../testing/test-person.ts";

const HOUR_MS = 3_600_000;

describe.each([
  ["an hour", HOUR_MS],
  ["a year", 365 * 24 * HOUR_MS],
])("M140 after a clock that was ahead by %s", (_, aheadMs) => {
  let server: TestApp;
  let ann: TestPerson;
  let bob: TestPerson;
  beforeAll(async () => {
    server = await createTestApp({
      env: { RATE_LIMITS: "off", RECALL_SECONDS: "120", EDIT_SECONDS: "240" },
    });
    [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(ann, bob);
    await sendText(ann, bob, "before");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Lets the clock be ahead while something is done. Tokens of a person may expire meanwhile, so it is done by somebody new. */
  async function whileAhead(work: (person: TestPerson) => Promise<void>): Promise<void> {
    server.clock.advance(aheadMs);
    try {
      await work(await ann.elsewhere({ terminal: 1 }));
    } finally {
      server.clock.advance(-aheadMs);
    }
  }

  const recall = (id: number) => ann.call("recallPrivateMessage", { params: { id } });
  const edit = (id: number) =>
    ann.call("sendPrivateMessage", {
      body: { recvId: bob.id, type: 7, content: "edited", quoteMessageId: id },
    });

  test("ids and times keep their order, and a message says when it was received", async () => {
    let early = 0;
    await whileAhead(async (person) => void (early = (await sendText(person, bob, "ahead")).sendTime));
    const first = await sendText(ann, bob, "after");
    server.clock.advance(5_000);
    const second = await sendText(ann, bob, "after that");
    expect(first.sendTime).toBeGreaterThanOrEqual(early);
    expect(second.sendTime).toBeGreaterThanOrEqual(first.sendTime);
    expect(second.id).toBeGreaterThan(first.id);
    expect(first.receivedAt).toBe(server.clock.now() - 5_000);
    expect(second.receivedAt).toBe(server.clock.now());
    const rows = await bob.ok("privateHistory", { query: { friendId: ann.id, size: 10 } });
    expect(rows.map(({ content }) => content)).toEqual(expect.arrayContaining(["before", "ahead", "after"]));
  });

  test("a message can be recalled until the window since its receipt is over", async () => {
    const [one, other] = [await sendText(ann, bob, "one"), await sendText(ann, bob, "other")];
    server.clock.advance(120_000);
    expect((await recall(one.id)).envelope.code).toBe(200);
    server.clock.advance(1);
    expect((await recall(other.id)).envelope.key).toBe("message.recallTooLate");
  });

  test("a text can be edited until the window since its receipt is over", async () => {
    const [one, other] = [await sendText(ann, bob, "one"), await sendText(ann, bob, "other")];
    server.clock.advance(240_000);
    expect((await edit(one.id)).envelope.code).toBe(200);
    // Two edits of a message have different times.
    const [first, second] = [await edit(one.id), await edit(one.id)].map(
      ({ envelope }) => (envelope.data as { sendTime: number }).sendTime,
    );
    expect(second).toBeGreaterThan(first ?? Infinity);
    server.clock.advance(1);
    expect((await edit(other.id)).envelope.key).toBe("message.editTooLate");
  });

  test("a message that was sent while the clock was ahead cannot be recalled for ever", async () => {
    let id = 0;
    await whileAhead(async (person) => void (id = (await sendText(person, bob, "ahead")).id));
    await sendText(ann, bob, "the next");
    server.clock.advance(120_001);
    expect((await recall(id)).envelope.key).toBe("message.recallTooLate");
  });

  test("nudges are possible again ten seconds after the last", async () => {
    const nudge = () => ann.call("sendPrivateMessage", { body: { recvId: bob.id, type: 92, content: "" } });
    expect((await nudge()).envelope.code).toBe(200);
    server.clock.advance(9_999);
    expect((await nudge()).envelope.key).toBe("message.shakeTooOften");
    server.clock.advance(1);
    expect((await nudge()).envelope.code).toBe(200);
  });

  test("the log says that messages lie in the future", async () => {
    server.app.sweep();
    server.clock.advance(60_000);
    server.app.sweep();
    await server.app.settle();
    expect(server.logs.join("")).toMatch(/The newest message lies \d+ s in the future/);
  });
});
