import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  request,
  sendText,
  registerFriends,
} from "../../testing/test-person.ts";
import { toPerson } from "../../testing/file-messages.ts";
import { uploadPicture } from "../../testing/upload.ts";
import { eventually } from "../../testing/eventually.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const search = (person: TestPerson, q: string, more: object = {}) =>
  person.ok("searchMessages", { query: { q, ...more } });
const found = async (person: TestPerson, q: string, more: object = {}) =>
  (await search(person, q, more)).hits.map((hit) => hit.message.id);

describe("GET /message/search", () => {
  test("answers whole messages with their chats, the newest first", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const first = await sendText(a, b, "明天去上海");
    const second = await sendText(c, a, "上海 见");
    await b.ok("readPrivateMessages", { query: { friendId: a.id } });
    expect(await search(a, "上海")).toEqual({
      hits: [
        { chatType: "PRIVATE", targetId: c.id, message: second },
        { chatType: "PRIVATE", targetId: b.id, message: { ...first, status: 3 } },
      ],
      total: 2,
      next: null,
    });
    expect(await found(b, "上海")).toEqual([first.id]);
    expect(await found(a, "上海", { chatType: "PRIVATE", targetId: c.id })).toEqual([second.id]);
    expect(await found(a, "上海", { sendId: a.id })).toEqual([first.id]);
    expect(await found(a, "上海", { types: [88] })).toEqual([]);
    expect(await found(a, "上海", { from: first.sendTime, to: first.sendTime })).toContain(first.id);
    expect(await search(a, "上海", { chatType: "GROUP" })).toEqual({ hits: [], total: 0, next: null });
    expect(await found(await registerPerson(server.url), "上海")).toEqual([]);
  });

  test("an edited message is found by its current text; recalled, hidden and cleared ones are not found", async () => {
    const [a, b] = await registerFriends(server.url);
    const [one, two, three] = [
      await sendText(a, b, "apple"),
      await sendText(a, b, "apple"),
      await sendText(a, b, "apple"),
    ];
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: "banana", quoteMessageId: one.id },
    });
    await a.ok("recallPrivateMessage", { params: { id: two.id } });
    await b.ok("deletePrivateMessages", { body: { friendId: a.id, ids: [three.id] } });
    expect(await found(a, "apple")).toEqual([three.id]);
    expect(await found(b, "apple")).toEqual([]);
    expect(await found(b, "banana")).toEqual([one.id]);
    await b.ok("flushAllMessages");
    expect(await found(b, "banana")).toEqual([]);
    expect(await found(a, "banana")).toEqual([one.id]);
  });

  test("an empty list of types means all types", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "anything");
    expect((await a.ok("searchMessages", { query: { q: "anything", types: [] } })).total).toBe(1);
  });

  test("pages have 50 hits, each with the total of all pages", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent: number[] = [];
    for (let n = 0; n < 60; n++) sent.push((await sendText(a, b, `page ${n}`)).id);
    const first = await search(a, "page");
    expect([first.hits.length, first.total]).toEqual([50, 60]);
    const second = await search(a, "page", { next: first.next });
    expect([second.hits.length, second.total, second.next]).toEqual([10, 60, null]);
    const all = [...first.hits, ...second.hits].map((hit) => hit.message.id);
    expect(all).toEqual(sent.toReversed());
  });

  test("the total of more than 1,000 hits is 1,000", async () => {
    const [a, b] = await registerFriends(server.url);
    const part = { type: 0, sendId: a.id, recvId: b.id, sendNickName: "N", tmpId: null };
    await server.app.store.write(async (tx) => {
      for (let n = 0; n < 1_001; n++) {
        await tx.appendPrivate({ ...part, content: `counted ${n}`, sendTime: server.clock.now() });
      }
    });
    // The index may lag behind so many rows of one write.
    await eventually(async () => expect((await search(a, "counted")).total).toBe(1_000));
  });

  test("operators of a query language are treated as plain words", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, `and or not near "quoted" a_b* (x)`);
    for (const q of ["AND", `"quoted"`, "a_b*", "NOT near", "(x)", "OR or"])
      expect(await found(a, q), q).toEqual([sent.id]);
    for (const q of [`" OR "`, "@u1", "*", "x AND y"]) expect(await found(b, q), q).not.toContain(0);
  });

  test("words within texts and file names, and signs, are found in private chats and in groups", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "v2.3.10: 打ち合わせはカフェで 😀");
    const name = "Q3_report_final_v2.xlsx";
    const { originUrl: url } = await uploadPicture(a);
    const file = await a.ok("sendPrivateMessage", toPerson(b, 2, { name, size: 1, url }));
    for (const q of ["2.3.10", "カフェ", "😀", ":"]) expect(await found(b, q), q).toEqual([sent.id]);
    for (const q of ["report", "final", "Q3", "v2.xlsx"]) {
      expect(await found(b, q, { chatType: "PRIVATE", targetId: a.id }), q).toContain(file.id);
    }
    expect(await found(b, "フェア")).toEqual([]);
  });

  test.each([
    "q=",
    "q=%20%20",
    "q=%E2%80%8B",
    "q=%E3%85%A4",
    `q=${"x".repeat(65)}`,
    "q=x&next=abc",
    "q=x&types=a",
    "q=x&chatType=OTHER",
    "q=x&from=-1",
    "q=a%00b",
    "q=%ED%A0%80",
    "q=%",
    "",
  ])("?%s is malformed", async (query) => {
    const a = await registerPerson(server.url);
    const answer = await a.send(ENDPOINTS.searchMessages, `/message/search?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.envelope).toMatchObject({ code: 500, key: "request.malformed" });
  });

  test("allows 200 searches a minute for a person: for messages, people and groups together", async () => {
    await using limited = await createTestApp();
    const [a, b] = [await registerPerson(limited.url), await registerPerson(limited.url)];
    const query = { name: "nobody" };
    const answers = await Promise.all(
      Array.from({ length: 67 }, () => [
        a.call("searchMessages", { query: { q: "x" } }),
        a.call("findUsersByName", { query }),
        a.call("findGroupsByName", { query }),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    await search(b, "x");
  });

  test("needs a token", async () => {
    expect((await request(server.url, "/message/search?q=x")).envelope.code).toBe(400);
  });
});
