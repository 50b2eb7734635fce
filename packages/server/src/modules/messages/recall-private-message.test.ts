import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, makeGroup, request, sendText, registerFriends } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(
  async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off", RECALL_SECONDS: "120" } })),
);
afterAll(() => server[Symbol.asyncDispose]());

const history = (reader: TestPerson, friend: TestPerson) =>
  reader.ok("privateHistory", { query: { friendId: friend.id, minId: 0 } });
const recall = (person: TestPerson, id: number) => person.ok("recallPrivateMessage", { params: { id } });

describe("DELETE /message/private/recall/:id", () => {
  test("answers a stored event that goes to both sides, and the row becomes a tip in its place", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "never mind", "t-1");
    const acting = a.tab("acting");
    const [own, other, peer] = [await acting.connect(), await a.tab("other").connect(), await b.connect()];
    const event = await recall(acting, sent.id);
    expect(event).toMatchObject({
      type: 10,
      sendId: a.id,
      recvId: b.id,
      content: String(sent.id),
      status: 1,
    });
    expect(event.id).toBeGreaterThan(sent.id);
    expect((await other.nextOf(10)).data).toEqual(event);
    expect((await peer.nextOf(10)).data).toEqual(event);
    await own.flush();
    expect(own.of(10)).toEqual([]);
    const name = `N ${a.userName}`;
    const tip = {
      ...sent,
      type: 21,
      status: 2,
      content: `${name}撤回了一条消息`,
      tip: { key: "recalled", params: { name } },
    };
    for (const [reader, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      expect((await history(reader, friend)).slice(-2)).toEqual([tip, event]);
      expect((await reader.ok("loadPrivateMessages", { query: { minId: 0 } })).slice(-2)).toEqual([
        tip,
        event,
      ]);
    }
    const again = await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 0, content: "never mind", tmpId: "t-1" },
    });
    expect(again).toEqual(tip);
    for (const socket of [own, other, peer]) socket.close();
  });

  test("a repeated recall answers the first event, at any time, and pushes nothing", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    const event = await recall(a, sent.id);
    const rows = (await history(a, b)).length;
    const peer = await b.connect();
    server.clock.advance(600_000);
    expect(await recall(a, sent.id)).toEqual(event);
    await peer.flush();
    expect(peer.of(10)).toEqual([]);
    expect(await history(a, b)).toHaveLength(rows);
    peer.close();
  });

  test("two parallel recalls store one event", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    const [one, two] = await Promise.all([recall(a, sent.id), recall(a, sent.id)]);
    expect(one.id).toBe(two.id);
  });

  test("the recalled text is in no answer any more: quotes, edits, pulls", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "secretword one");
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: "secretword two", quoteMessageId: sent.id },
    });
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: "what?", quoteMessageId: sent.id },
    });
    await recall(a, sent.id);
    const rows = await history(b, a);
    expect(JSON.stringify(rows)).not.toContain("secretword");
    const recalledQuote = { id: sent.id, sendId: a.id, content: "引用内容已撤回", type: 21, status: 2 };
    expect(rows.map((row) => row.quoteMessage).filter((quote) => quote?.id === sent.id)).toEqual([
      recalledQuote,
      recalledQuote,
    ]);
    expect(rows.find((row) => row.id === sent.id)).toMatchObject({ isEdited: false, editedAt: null });
    expect(JSON.stringify(await b.ok("loadPrivateMessages", { query: { minId: 0 } }))).not.toContain(
      "secretword",
    );
  });

  test("M111 a quote of a recalled message contains a sentence in the language of the reader", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const sent = await sendText(a, b, "gone");
    const inGroup = await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: "gone" } });
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: "1", quoteMessageId: sent.id },
    });
    await b.ok("sendGroupMessage", { body: { groupId, type: 0, content: "1", quoteMessageId: inGroup.id } });
    await recall(a, sent.id);
    await a.ok("recallGroupMessage", { params: { id: inGroup.id } });
    const socket = await a.connect();
    for (const [language, sentence] of [
      ["zh-CN", "引用内容已撤回"],
      ["zh-TW", "引用內容已收回"],
      ["en-GB", "The quoted message was recalled"],
    ] as const) {
      b.headers = { "accept-language": language };
      a.headers = { "accept-language": language };
      const recalledQuote = { content: sentence, type: 21, status: 2 };
      const quote = { quoteMessageId: sent.id };
      const own = await b.ok("sendPrivateMessage", {
        body: { recvId: a.id, type: 0, content: "2", ...quote },
      });
      expect(own.quoteMessage).toMatchObject(recalledQuote);
      // Pushes are in the server's default language.
      expect((await socket.nextOf(0)).data?.["quoteMessage"]).toMatchObject({
        content: "引用内容已撤回",
        status: 2,
      });
      const groupOwn = await b.ok("sendGroupMessage", {
        body: { groupId, type: 0, content: "2", quoteMessageId: inGroup.id },
      });
      expect(groupOwn.quoteMessage).toMatchObject(recalledQuote);
      expect((await socket.nextOf(0)).data?.["quoteMessage"]).toMatchObject({
        content: "引用内容已撤回",
        status: 2,
      });
      const rows = [
        ...(await a.ok("privateHistory", { query: { friendId: b.id } })),
        ...(await a.ok("groupHistory", { query: { groupId } })),
        ...(await a.ok("loadPrivateMessages", { query: { minId: 0 } })),
        ...(await a.ok("loadGroupMessages", { query: { minId: 0 } })),
        ...(await a.ok("searchMessages", { query: { q: "2" } })).hits.map((hit) => hit.message),
      ];
      const quotes = rows.flatMap((row) => row.quoteMessage ?? []);
      expect(quotes.length).toBeGreaterThan(6);
      expect(new Set(quotes.map(({ content, status }) => `${status} ${content}`))).toEqual(
        new Set([`2 ${sentence}`]),
      );
      const from = socket.frames.length;
      await a.ok("pullPrivateMessages", { query: { minId: sent.id } });
      await socket.next((frame) => frame.data?.type === 30 && frame.data.content === "false");
      const pulled = socket.frames.slice(from).flatMap((frame) => frame.data?.["quoteMessage"] ?? []);
      expect(pulled.length).toBeGreaterThan(0);
      for (const one of pulled) expect(one).toMatchObject(recalledQuote);
    }
    socket.close();
  });

  test.each([
    ["that search had not found", false],
    ["that search had found", true],
  ])("a recalled text %s is no longer in the database file", async (_, isIndexed) => {
    const app = await createTestApp();
    const [a, b] = await registerFriends(app.url);
    const other = await sendText(a, b, "keptword");
    const sent = await sendText(a, b, "secretword ".repeat(50));
    if (isIndexed) await a.ok("searchMessages", { query: { q: "secretword" } });
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: "secretword ".repeat(60), quoteMessageId: sent.id },
    });
    if (isIndexed) await a.ok("searchMessages", { query: { q: "secretword" } });
    await recall(a, sent.id);
    expect(other.id).toBeLessThan(sent.id);
    await app.app.stop();
    const file = await readFile(joinPath(app.dataDir, "parley.sqlite"));
    expect(["keptword", "secretword"].map((word) => file.includes(word))).toEqual([true, false]);
    await app[Symbol.asyncDispose]();
  });

  test("a text longer than a database page is no longer in the file after an edit or a recall", async () => {
    const app = await createTestApp();
    const [a, b] = await registerFriends(app.url);
    const groupId = await makeGroup(a, [b]);
    // A text has at most 4,000 characters; each of these takes four bytes.
    const long = (word: string) => `${"🔒".repeat(4_000 - word.length)}${word}`;
    const other = await sendText(a, b, long("keptword"));
    const sent = await sendText(a, b, long("firstword"));
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: long("secondword"), quoteMessageId: sent.id },
    });
    const group = await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: long("thirdword") } });
    await recall(a, sent.id);
    await a.ok("recallGroupMessage", { params: { id: group.id } });
    expect(other.id).toBeLessThan(sent.id);
    await app.app.stop();
    const file = await readFile(joinPath(app.dataDir, "parley.sqlite"));
    const words = ["keptword", "firstword", "secondword", "thirdword"];
    expect(words.map((word) => file.includes(word))).toEqual([true, false, false, false]);
    await app[Symbol.asyncDispose]();
  });

  test("a recalled message can be quoted, and the quote says that it was recalled", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    await recall(a, sent.id);
    const quote = await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: "what was it?", quoteMessageId: sent.id },
    });
    expect(quote.quoteMessage).toMatchObject({ content: "引用内容已撤回", status: 2 });
  });

  test("a recall is possible up to the configured time, which the error gives in minutes", async () => {
    const [a, b] = await registerFriends(server.url);
    const [first, second] = [await sendText(a, b, "1"), await sendText(a, b, "2")];
    server.clock.advance(120_000);
    await recall(a, first.id);
    server.clock.advance(1);
    const { envelope } = await a.call("recallPrivateMessage", { params: { id: second.id } });
    expect(envelope).toMatchObject({
      code: 500,
      key: "message.recallTooLate",
      params: { minutes: 2 },
      message: "消息已发送超过2分钟，无法撤回",
    });
  });

  test("only one's own visible messages can be recalled, and no tips or events", async () => {
    const [a, b] = await registerFriends(server.url);
    const [c] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    const recallError = (person: TestPerson, id: number) =>
      person.errorKeyOf("recallPrivateMessage", { params: { id } });
    expect(await recallError(b, sent.id)).toBe("message.notYours");
    expect(await recallError(c, sent.id)).toBe("message.notFound");
    expect(await recallError(a, 999_999_999)).toBe("message.notFound");
    const [tip] = await history(a, b);
    expect(tip?.type).toBe(21);
    for (const person of [a, b]) expect(await recallError(person, tip?.id ?? 0)).toBe("message.notYours");
    const event = await recall(a, sent.id);
    expect(await recallError(a, event.id)).toBe("message.notYours");
    await a.ok("flushAllMessages");
    expect(await recallError(a, sent.id)).toBe("message.notFound");
  });

  test("a request without a token is code 400, and an id that is not a number is HTTP 400", async () => {
    const { envelope } = await request(server.url, "/message/private/recall/1", { method: "DELETE" });
    expect(envelope.code).toBe(400);
    const [a] = await registerFriends(server.url);
    const { ENDPOINTS } = await import("@parley/protocol/endpoints/all");
    expect((await a.send(ENDPOINTS.recallPrivateMessage, "/message/private/recall/x")).status).toBe(400);
  });
});
