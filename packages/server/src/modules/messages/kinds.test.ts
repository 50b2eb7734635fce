import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  sendText,
  registerFriends,
} from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const body = (to: TestPerson, type: number, content: unknown, more: object = {}) => ({
  body: {
    recvId: to.id,
    type,
    content: typeof content === "string" ? content : JSON.stringify(content),
    ...more,
  },
});

const quote = (from: TestPerson, to: TestPerson, content: string, quoteMessageId: number, tmpId?: string) =>
  from.ok("sendPrivateMessage", body(to, 0, content, { quoteMessageId, ...(tmpId && { tmpId }) }));

const newest = async (reader: TestPerson, friend: TestPerson) =>
  (await reader.ok("privateHistory", { query: { friendId: friend.id, size: 1 } }))[0];

describe("a quote", () => {
  test("is answered, pushed, pulled and paged with the quoted row", async () => {
    const [a, b] = await registerFriends(server.url);
    const first = await sendText(a, b, "the first");
    const socket = await a.connect();
    const sent = await quote(b, a, "about that", first.id);
    expect(sent.quoteMessage).toEqual({
      id: first.id,
      sendId: a.id,
      content: "the first",
      type: 0,
      status: 1,
    });
    expect((await socket.nextOf(0)).data).toEqual(sent);
    for (const [reader, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(await newest(reader, friend)).toEqual(sent);
      expect((await reader.ok("loadPrivateMessages", { query: { minId: 0 } })).at(-1)).toEqual(sent);
    }
    socket.close();
  });

  test("of another chat, of an unknown id, or of a row that only the other person sees is refused", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const elsewhere = await sendText(a, c, "to c");
    const foreign = await sendText(c, a, "from c");
    await a.ok("deleteFriend", { params: { id: b.id } });
    const onlyForB = (await newest(b, a))?.id;
    await befriend(a, b);
    for (const quoteMessageId of [elsewhere.id, foreign.id, onlyForB, 999_999_999]) {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        const refused = await from.errorKeyOf("sendPrivateMessage", body(to, 0, "x", { quoteMessageId }));
        expect(refused).toBe("message.quoteUnknown");
      }
    }
  });

  test("a repeated tmpId answers the stored row, also if the quoted message has been hidden since", async () => {
    const [a, b] = await registerFriends(server.url);
    const first = await sendText(b, a, "gone soon");
    const sent = await quote(a, b, "x", first.id, "q-1");
    await a.ok("deletePrivateMessages", { body: { friendId: b.id, ids: [first.id] } });
    expect(await quote(a, b, "x", first.id, "q-1")).toEqual(sent);
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 0, "x", { quoteMessageId: first.id }))).toBe(
      "message.quoteUnknown",
    );
  });
});

describe("kinds that a client sends", () => {
  test("a location is checked, and its unknown fields are dropped", async () => {
    const [a, b] = await registerFriends(server.url);
    const location = { latitude: 31.2, longitude: 121.5, name: "外滩", address: "中山东一路" };
    const sent = await a.ok("sendPrivateMessage", body(b, 88, { ...location, more: 1 }));
    expect(sent).toMatchObject({ type: 88, content: JSON.stringify(location) });
    expect(await newest(b, a)).toEqual(sent);
  });

  test.each([
    { name: "外滩", address: "" },
    { name: "", address: "中山东一路" },
  ])("M136 a location may have only a name or an address: %j", async (texts) => {
    const [a, b] = await registerFriends(server.url);
    const location = { latitude: null, longitude: null, ...texts };
    const sent = await a.ok("sendPrivateMessage", body(b, 88, location));
    expect(sent).toMatchObject({ type: 88, content: JSON.stringify(location) });
    expect(await newest(b, a)).toEqual(sent);
  });

  test.each([
    ["content", "no JSON"],
    ["content", "null"],
    ["content.latitude", { latitude: 91, longitude: 0, name: "", address: "" }],
    ["content.latitude", { latitude: "1", longitude: 0, name: "", address: "" }],
    ["content.longitude", { latitude: 1, longitude: null, name: "x", address: "" }],
    ["content.longitude", { latitude: null, longitude: 1, name: "x", address: "" }],
    ["content.longitude", { latitude: null, name: "x", address: "" }],
    ["content.name", { latitude: null, longitude: null, name: " ", address: "\n" }],
    ["content.name", { latitude: 1, longitude: 0, name: "n".repeat(101), address: "" }],
    ["content.address", { latitude: 1, longitude: 0, name: "", address: "a".repeat(201) }],
    ["content.address", { latitude: 1, longitude: 0, name: "" }],
    ["content", { latitude: 1, longitude: 0, name: "", address: "", junk: "x".repeat(5_000) }],
  ])("a location with a broken %s is malformed", async (field, content) => {
    const a = await registerPerson(server.url);
    const { status, envelope } = await a.call("sendPrivateMessage", body(a, 88, content));
    expect(status).toBe(400);
    expect(envelope).toMatchObject({ code: 500, key: "request.malformed" });
    expect(envelope.message.startsWith(`${field}: `), envelope.message).toBe(true);
  });

  test("only the id of a business card is taken from the client", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    const claimed = { userId: c.id, nickName: "The President", headImage: "https://evil.example/x.png" };
    const sent = await a.ok("sendPrivateMessage", body(b, 93, claimed));
    expect(JSON.parse(sent.content)).toEqual({ userId: c.id, nickName: `N ${c.userName}`, headImage: null });
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 93, { userId: 987_654 }))).toBe("user.notFound");
    for (const broken of [{ userId: "1" }, {}, null, 5]) {
      const { status, envelope } = await a.call("sendPrivateMessage", body(b, 93, JSON.stringify(broken)));
      expect([broken, status, envelope.message]).toEqual([
        broken,
        400,
        expect.stringMatching(/^content\.userId: /),
      ]);
    }
  });

  test("one nudge in ten seconds for a sender and chat; a repeated send is not a second nudge", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const sent = await a.ok("sendPrivateMessage", body(b, 92, "", { tmpId: "s-1" }));
    expect(sent).toMatchObject({ type: 92, content: "" });
    expect(await a.ok("sendPrivateMessage", body(b, 92, "", { tmpId: "s-1" }))).toEqual(sent);
    server.clock.advance(3_500);
    const { envelope } = await a.call("sendPrivateMessage", body(b, 92, ""));
    expect(envelope).toMatchObject({ key: "message.shakeTooOften", params: { seconds: 7 } });
    await a.ok("sendPrivateMessage", body(c, 92, ""));
    await b.ok("sendPrivateMessage", body(a, 92, ""));
    server.clock.advance(6_500);
    await a.ok("sendPrivateMessage", body(b, 92, ""));
    server.clock.advance(10_000);
    const full = await a.call("sendPrivateMessage", body(b, 92, "x"));
    expect(full.envelope.message).toBe("content: must be empty");
  });

  test("a repeated send of a stored nudge and a nudge that cannot be stored do not count", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await a.ok("sendPrivateMessage", body(b, 92, "", { tmpId: "s-2" }));
    server.clock.advance(11_000);
    expect(await a.ok("sendPrivateMessage", body(b, 92, "", { tmpId: "s-2" }))).toEqual(sent);
    const quoting = body(b, 92, "", { quoteMessageId: 999_999_999 });
    expect(await a.errorKeyOf("sendPrivateMessage", quoting)).toBe("message.quoteUnknown");
    await a.ok("sendPrivateMessage", body(b, 92, ""));
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 92, ""))).toBe("message.shakeTooOften");
  });

  test("a clock that is set back does not extend the waiting time for a nudge", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("sendPrivateMessage", body(b, 92, ""));
    server.clock.advance(-3_600_000);
    await a.ok("sendPrivateMessage", body(b, 92, ""));
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 92, ""))).toBe("message.shakeTooOften");
    server.clock.advance(3_600_000);
  });

  test("a repeated send in the same turn as the first nudge returns the first", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "so that nothing is looked up");
    const nudge = JSON.stringify({ recvId: b.id, type: 92, content: "", tmpId: "shake" });
    const token = encodeURIComponent(a.tokens.accessToken);
    const request = (connection: string) =>
      `POST /api/message/private/send HTTP/1.1\r\nhost: x\r\naccessToken: ${token}\r\nconnection: ${connection}\r\n` +
      `content-type: application/json\r\ncontent-length: ${nudge.length}\r\n\r\n${nudge}`;
    const socket = connect(server.app.port, "127.0.0.1");
    socket.write(request("keep-alive") + request("close"));
    const codes = [...(await text(socket)).matchAll(/"code":(\d+)/g)].map(([, code]) => code);
    expect(codes).toEqual(["200", "200"]);
  });

  test("a nudge that was rejected for another reason does not count", async () => {
    const [a, b] = await registerFriends(server.url);
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 92, ""))).toBe("message.blockedYou");
    await b.ok("removeFromBlacklist", { query: { userId: a.id } });
    await a.ok("sendPrivateMessage", body(b, 92, ""));
  });

  test("money cards need MONEY_CARDS=on", async () => {
    const envelope = { packetNo: "p1", message: "恭喜" };
    const [a, b] = await registerFriends(server.url);
    expect(await a.errorKeyOf("sendPrivateMessage", body(b, 5, envelope))).toBe("message.typeNotAllowed");
    await using withMoney = await createTestApp({ env: { MONEY_CARDS: "on" } });
    const [c, d] = await registerFriends(withMoney.url);
    const sent = await c.ok("sendPrivateMessage", body(d, 5, { ...envelope, sum: 9 }));
    expect(JSON.parse(sent.content)).toEqual(envelope);
    const broken = await c.call("sendPrivateMessage", body(d, 6, { transferNo: 1 }));
    expect(broken.envelope.message.startsWith("content.transferNo: ")).toBe(true);
  });
});
