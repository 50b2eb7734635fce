import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { toPerson } from "../../testing/file-messages.ts";
import { befriend, registerPerson, sendText, registerFriends } from "../../testing/test-person.ts";
import { uploadPicture } from "../../testing/upload.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

describe("POST /message/private/send", () => {
  test("the answer is the whole message, with null for missing values", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "hello", "t-1");
    expect(sent).toEqual({
      id: expect.any(Number),
      tmpId: "t-1",
      type: 0,
      sendId: a.id,
      recvId: b.id,
      sendNickName: `N ${a.userName}`,
      content: "hello",
      sendTime: server.clock.now(),
      status: 1,
      quoteMessage: null,
      isEdited: false,
      editedAt: null,
      tip: null,
      act: null,
    });
  });

  test("the message goes to all clients of the friend and to the sender's other clients", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await (await registerPerson(server.url)).elsewhere(); // gets nothing
    const tabs = [a.tab("tab-1"), a.tab("tab-2")] as const;
    const sockets = [
      await tabs[0].connect(),
      await tabs[1].connect(),
      await b.connect(),
      await stranger.connect(),
    ];
    const phone = await b.elsewhere({ terminal: 1 });
    sockets.push(await phone.connect());
    const sent = await sendText(tabs[0], b, "to all");
    for (const socket of sockets) await socket.flush();
    const got = sockets.map((socket) => socket.frames.filter((frame) => frame.data?.id === sent.id));
    expect(got.map((frames) => frames.length)).toEqual([0, 1, 1, 0, 1]);
    expect(got[2]?.[0]).toEqual({ cmd: 3, data: sent });
    for (const socket of sockets) socket.close();
  });

  test("a receiver with the same clientId as the sender gets the message", async () => {
    const [a, b] = await registerFriends(server.url);
    const [senderTab, receiverTab] = [a.tab("alike"), b.tab("alike")];
    const [own, socket] = [await senderTab.connect(), await receiverTab.connect()];
    const sent = await sendText(senderTab, b, "hi");
    expect(await socket.nextOf(0)).toEqual({ cmd: 3, data: sent });
    await own.flush();
    expect(own.of(0)).toEqual([]);
    own.close();
    socket.close();
  });

  test("a repeated tmpId always answers the stored row and pushes nothing", async () => {
    const [a, b] = await registerFriends(server.url);
    const socket = await b.connect();
    const first = await sendText(a, b, "once", "same");
    server.clock.advance(40 * 24 * 3_600_000);
    const late = await a.elsewhere();
    const again = await sendText(late, b, "other words", "same");
    expect(again).toEqual(first);
    await socket.flush();
    expect(socket.of(0)).toHaveLength(1);
    socket.close();
  });

  test("a repeated send answers the stored row also after the end of the friendship or a block", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x", "r-0");
    await b.ok("deleteFriend", { params: { id: a.id } });
    expect(await sendText(a, b, "x", "r-0")).toEqual(sent);
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    expect(await sendText(a, b, "x", "r-0")).toEqual(sent);
    const body = { recvId: b.id, type: 0, content: "x", tmpId: "r-00" };
    expect(await a.errorKeyOf("sendPrivateMessage", { body })).toBe("message.blockedYou");
  });

  test("a repeated send answers the row in its current state: read by the friend", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x", "r-1");
    await b.ok("readPrivateMessages", { query: { friendId: a.id } });
    expect(await sendText(a, b, "x", "r-1")).toEqual({ ...sent, status: 3 });
  });

  test("two senders may use the same tmpId", async () => {
    const [a, b] = await registerFriends(server.url);
    const one = await sendText(a, b, "from a", "shared");
    const two = await sendText(b, a, "from b", "shared");
    expect(two.id).toBeGreaterThan(one.id);
    expect(two.content).toBe("from b");
  });

  test("a note to oneself is read at once and reaches one's other clients", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.tab("other").connect();
    const note = await sendText(a.tab("acting"), a, "remember");
    expect(note).toMatchObject({ status: 3, sendId: a.id, recvId: a.id });
    expect(await socket.nextOf(0)).toEqual({ cmd: 3, data: note });
    expect(socket.of(0)).toHaveLength(1);
    socket.close();
  });

  test("the newest note to oneself is the highest read message", async () => {
    const a = await registerPerson(server.url);
    const find = () => a.ok("maxReadedId", { query: { friendId: a.id } });
    expect(await find()).toBe(-1);
    const { id } = await sendText(a, a, "note");
    expect(await find()).toBe(id);
  });

  test("a message to somebody who is not a friend is refused", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const { status, envelope } = await a.call("sendPrivateMessage", {
      body: { recvId: b.id, type: 0, content: "hi" },
    });
    expect(status).toBe(200);
    expect(envelope).toMatchObject({
      code: 500,
      message: "您已不是对方好友，无法发送消息",
      key: "message.notFriend",
    });
  });

  test("the permission to write follows each change at once: friends, deleted, friends again, blocked, unblocked", async () => {
    const [a, b] = await registerFriends(server.url);
    const body = { recvId: b.id, type: 0, content: "hi" };
    await a.ok("sendPrivateMessage", { body });
    await b.ok("deleteFriend", { params: { id: a.id } });
    expect(await a.errorKeyOf("sendPrivateMessage", { body })).toBe("message.notFriend");
    await befriend(a, b);
    await a.ok("sendPrivateMessage", { body });
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    const { envelope } = await a.call("sendPrivateMessage", { body });
    expect(envelope.message).toBe("对方已将您拉入黑名单，无法发送消息");
    await b.ok("removeFromBlacklist", { query: { userId: a.id } });
    await a.ok("sendPrivateMessage", { body });
  });

  test("the next message has a changed nickname", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "before");
    await a.ok("updateUser", { body: { id: a.id, nickName: "Renamed" } });
    expect((await sendText(a, b, "after")).sendNickName).toBe("Renamed");
  });

  test("a text of 4,000 code points is accepted, one of 4,001 is not", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "😀".repeat(4_000));
    const { envelope } = await a.call("sendPrivateMessage", {
      body: { recvId: b.id, type: 0, content: "a".repeat(4_001) },
    });
    expect(envelope).toMatchObject({ code: 500, message: "内容长度不得大于4000", key: "message.tooLong" });
  });

  test("M137 a server may take 10,000 characters of four bytes: sent, pushed, pulled, quoted, edited and found", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off", TEXT_MAX: "10000" } });
    const [a, b] = await registerFriends(own.url);
    const text = `${"𠮷".repeat(9_998)}末尾`;
    const sent = await sendText(a, b, text);
    expect(sent.content).toBe(text);
    const quoting = await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: text, quoteMessageId: sent.id },
    });
    expect(quoting.quoteMessage?.content).toBe(text);
    const edited = `${"😀".repeat(9_999)}。`;
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: edited, quoteMessageId: sent.id },
    });
    const found = async (q: string) =>
      (await b.ok("searchMessages", { query: { q } })).hits.map((hit) => hit.message.id);
    expect(await found("末尾")).toEqual([quoting.id]);
    expect(await found("😀")).toContain(sent.id);
    const tooLong = { recvId: b.id, type: 0, content: "a".repeat(10_001) };
    expect(await a.errorKeyOf("sendPrivateMessage", { body: tooLong })).toBe("message.tooLong");
  });

  test.each(["", "  \n\t ", "\u200b", "\u200b\u200d\ufeff", "\u3164", "\u2800", "\u202e", "\ufe0f"])(
    "blank text %j is refused",
    async (content) => {
      const [a, b] = await registerFriends(server.url);
      expect(await a.errorKeyOf("sendPrivateMessage", { body: { recvId: b.id, type: 0, content } })).toBe(
        "message.empty",
      );
    },
  );

  test("text with visible characters keeps the others, and a file name that shows nothing counts as none", async () => {
    const [a, b] = await registerFriends(server.url);
    for (const content of ["\u200b.", "\u202eabc", "👨‍👩‍👧", "❤️"])
      expect((await sendText(a, b, content)).content).toBe(content);
    const { originUrl: url } = await uploadPicture(a);
    const sent = await a.ok("sendPrivateMessage", toPerson(b, 2, { name: "\u3164\u202e", size: 1, url }));
    expect(JSON.parse(sent.content)).toMatchObject({ name: "file" });
    const nowhere = { latitude: null, longitude: null, name: "\u200b", address: "\u2800" };
    expect(await a.errorKeyOf("sendPrivateMessage", toPerson(b, 88, nowhere))).toBe("request.malformed");
  });

  test.each([5, 6, 10, 21, 40, 60, 71, 100, 999, -1, 0.5])("type %d is refused", async (type) => {
    const [a, b] = await registerFriends(server.url);
    expect(await a.errorKeyOf("sendPrivateMessage", { body: { recvId: b.id, type, content: "{}" } })).toBe(
      "message.typeNotAllowed",
    );
  });

  test("50 sends a second are allowed after a burst of 200; more are HTTP 429 with Retry-After", async () => {
    await using limited = await createTestApp();
    const a = await registerPerson(limited.url);
    const body = { recvId: a.id, type: 0, content: "n" };
    const burst = await Promise.all(
      Array.from({ length: 201 }, () => a.call("sendPrivateMessage", { body })),
    );
    const refused = burst.filter((answer) => answer.envelope.code !== 200);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.status).toBe(429);
    expect(refused[0]?.envelope).toMatchObject({ code: 429, key: "request.tooMany" });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    limited.clock.advance(1_000);
    const more = await Promise.all(Array.from({ length: 51 }, () => a.call("sendPrivateMessage", { body })));
    expect(more.filter((answer) => answer.envelope.code === 200)).toHaveLength(50);
  });
});
