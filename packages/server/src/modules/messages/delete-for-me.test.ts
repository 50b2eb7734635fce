import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  request,
  sendText,
  registerFriends,
} from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id);
const history = async (reader: TestPerson, friend: TestPerson) =>
  ids(await reader.ok("privateHistory", { query: { friendId: friend.id, minId: 0 } }));
const load = async (reader: TestPerson) =>
  ids(await reader.ok("loadPrivateMessages", { query: { minId: 0 } }));
const hide = (person: TestPerson, friend: TestPerson, list: number[]) =>
  person.ok("deletePrivateMessages", { body: { friendId: friend.id, ids: list } });

describe("DELETE /message/private/deleteMessage", () => {
  test("hides messages only from me, in history and pull", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = [await sendText(a, b, "1"), await sendText(b, a, "2"), await sendText(a, b, "3")] as const;
    const [one, two, three] = [sent[0].id, sent[1].id, sent[2].id];
    expect(await hide(a, b, [one, two])).toBe(null);
    expect((await history(a, b)).slice(1)).toEqual([three]);
    expect((await load(a)).slice(1)).toEqual([three]);
    expect((await history(b, a)).slice(1)).toEqual([one, two, three]);
    const around = await a.ok("privateHistory", { query: { friendId: b.id, aroundId: two, size: 4 } });
    expect(ids(around)).not.toContain(two);
  });

  test("push 82 goes to the person's other clients with the capability, and /user/changes lists the ids", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "x");
    const { next } = await a.ok("loadChanges", { query: {} });
    const acting = a.tab("acting");
    const sockets = [
      await acting.connect({ caps: ["changes"] }),
      await a.tab("knows").connect({ caps: ["changes"] }),
      await a.tab("older").connect(),
      await b.connect({ caps: ["changes"] }),
    ];
    await hide(acting, b, [id]);
    for (const socket of sockets) await socket.flush();
    expect(sockets.map((socket) => socket.of(82).length)).toEqual([0, 1, 0, 0]);
    expect(sockets[1]?.of(82)[0]).toEqual({
      cmd: 3,
      data: { type: 82, sendId: a.id, recvId: a.id, content: "" },
    });
    const changes = await a.ok("loadChanges", { query: { since: next } });
    expect(changes.hidden).toEqual([{ type: "PRIVATE", targetId: b.id, ids: [id] }]);
    expect((await a.ok("loadChanges", { query: { since: changes.next } })).hidden).toEqual([]);
    expect((await b.ok("loadChanges", { query: {} })).hidden).toEqual([]);
    for (const socket of sockets) socket.close();
  });

  test("edits of a hidden message are hidden too, earlier and later ones", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "first");
    const edit = (content: string) =>
      b.ok("sendPrivateMessage", { body: { recvId: a.id, type: 7, content, quoteMessageId: id } });
    const earlier = await edit("second");
    const [socket, own] = [await a.connect(), await (await b.elsewhere()).connect()];
    await hide(a, b, [id]);
    const later = await edit("third");
    expect(later.content).toBe("third");
    expect((await own.nextOf(7)).data).toEqual(later);
    own.close();
    await socket.flush();
    expect(socket.of(7)).toEqual([]);
    expect((await history(a, b)).slice(1)).toEqual([]);
    expect((await load(a)).slice(1)).toEqual([]);
    expect((await history(b, a)).slice(1)).toEqual([id, earlier.id, later.id]);
    socket.close();
  });

  test("an edit of a hidden message is pushed to a reader who sees it quoted", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "first");
    const { id: quoting } = await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: "that", quoteMessageId: id },
    });
    await hide(a, b, [id]);
    const socket = await a.connect();
    const event = await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 7, content: "second", quoteMessageId: id },
    });
    expect((await socket.nextOf(7)).data).toEqual(event);
    expect((await history(a, b)).slice(1)).toEqual([quoting, event.id]);
    expect((await load(a)).slice(1)).toEqual([quoting, event.id]);
    socket.close();
  });

  test("an edit of a message that is hidden later stays visible as long as the reader sees it quoted", async () => {
    const [a, b] = await registerFriends(server.url);
    const send = (content: string, extra: object) =>
      b.ok("sendPrivateMessage", { body: { recvId: a.id, type: 0, content, ...extra } });
    const { id } = await sendText(b, a, "first");
    const { id: quoting } = await send("that", { quoteMessageId: id });
    const { id: event } = await send("second", { type: 7, quoteMessageId: id });
    await hide(a, b, [id]);
    for (const read of [await history(a, b), await load(a)]) expect(read.slice(1)).toEqual([quoting, event]);
    await hide(a, b, [quoting]);
    for (const read of [await history(a, b), await load(a)]) expect(read.slice(1)).toEqual([]);
    expect((await history(b, a)).slice(1)).toEqual([id, quoting, event]);
  });

  test("an edit is visible when the quoting message is visible, and not when both are hidden", async () => {
    const [a, b] = await registerFriends(server.url);
    const send = (content: string, extra: object) =>
      b.ok("sendPrivateMessage", { body: { recvId: a.id, type: 0, content, ...extra } });
    const [one, two] = [await sendText(b, a, "one"), await sendText(b, a, "two")];
    const quoting: number[] = [];
    const events: number[] = [];
    for (const { id } of [one, two]) {
      quoting.push((await send("that", { quoteMessageId: id })).id);
      events.push((await send("anew", { type: 7, quoteMessageId: id })).id);
    }
    await hide(a, b, [one.id, ...quoting]);
    expect((await history(a, b)).slice(1)).toEqual([two.id, events[1]]);
  });

  test("a message is hidden together with hundreds of edits, and /user/changes lists one id", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "x");
    const edit = { recvId: a.id, type: 7, content: "y", quoteMessageId: id };
    await Promise.all(Array.from({ length: 600 }, () => b.ok("sendPrivateMessage", { body: edit })));
    const { next } = await a.ok("loadChanges", { query: {} });
    await hide(a, b, [id]);
    expect((await history(a, b)).slice(1)).toEqual([]);
    const { hidden } = await a.ok("loadChanges", { query: { since: next } });
    expect(hidden).toEqual([{ type: "PRIVATE", targetId: b.id, ids: [id] }]);
  });

  test("ids of other chats, unknown ones and those hidden before are ignored, and nothing is pushed", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const [inChat, elsewhere] = [await sendText(a, b, "x"), await sendText(a, c, "y")];
    await hide(a, b, [inChat.id, elsewhere.id, 999_999_999]);
    expect(await history(a, c)).toContain(elsewhere.id);
    const socket = await a.tab("other").connect({ caps: ["changes"] });
    await hide(a, b, [inChat.id, inChat.id, elsewhere.id]);
    await hide(c, b, [inChat.id]);
    await socket.flush();
    expect(socket.of(82)).toEqual([]);
    expect(await history(b, a)).toContain(inChat.id);
    socket.close();
  });

  test("one call takes 100 ids, for a friend and for a group; 101 are malformed", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = 999_999;
    const sent = (await Promise.all(Array.from({ length: 101 }, (_, n) => sendText(b, a, String(n))))).map(
      ({ id }) => id,
    );
    const [hundred, all] = [sent.slice(0, 100), sent];
    for (const [ids, status] of [
      [all, 400],
      [hundred, 200],
    ] as const) {
      const answers = [
        await a.call("deletePrivateMessages", { body: { friendId: b.id, ids } }),
        await a.call("deleteGroupMessages", { body: { groupId, ids } }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    }
    expect((await history(a, b)).slice(1)).toEqual(sent.slice(100));
  });

  test.each([[[]], [["1"]], [[-1]]])("ids %j are malformed", async (list) => {
    const a = await registerPerson(server.url);
    const answer = await a.call("deletePrivateMessages", { body: { friendId: 1, ids: list as number[] } });
    expect(answer.status).toBe(400);
    expect(answer.envelope.message).toMatch(/^ids/);
  });

  test("needs a token", async () => {
    const answer = await request(server.url, "/message/private/deleteMessage", { method: "DELETE" });
    expect(answer.envelope.code).toBe(400);
  });
});

describe("GET /user/flushAllMessage", () => {
  test("clears all messages up to now, only for the person who asks", async () => {
    const [a, b] = await registerFriends(server.url);
    const old = await sendText(a, b, "old");
    const before = await history(b, a);
    expect(await a.ok("flushAllMessages")).toBe(null);
    expect(await history(a, b)).toEqual([]);
    expect(await load(a)).toEqual([]);
    expect(await history(b, a)).toEqual(before);
    const fresh = await sendText(b, a, "new");
    expect(await history(a, b)).toEqual([fresh.id]);
    expect(await load(a)).toEqual([fresh.id]);
    for (const query of [{ maxId: fresh.id }, { aroundId: old.id }, { at: old.sendTime }, { page: 1 }]) {
      const page = await a.ok("privateHistory", { query: { friendId: b.id, size: 4, ...query } });
      expect(ids(page)).not.toContain(old.id);
    }
    expect(
      await a.errorKeyOf("sendPrivateMessage", {
        body: { recvId: b.id, type: 0, content: "x", quoteMessageId: old.id },
      }),
    ).toBe("message.quoteUnknown");
  });

  test("an edit of a cleared message is not pushed to the person who cleared it", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "first");
    await a.ok("flushAllMessages");
    const socket = await a.connect();
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 7, content: "second", quoteMessageId: id },
    });
    await socket.flush();
    expect(socket.of(7)).toEqual([]);
    expect(await history(a, b)).toEqual([]);
    expect(await load(a)).toEqual([]);
    socket.close();
  });

  test("a pull starts after the clear mark and does not report a gap", async () => {
    const [a, b] = await registerFriends(server.url);
    for (let n = 0; n < 3; n++) await sendText(b, a, String(n));
    await a.ok("flushAllMessages");
    const socket = await a.connect();
    await a.ok("pullPrivateMessages", { query: { minId: 0 } });
    await socket.next((frame) => frame.data?.type === 30 && frame.data.content === "false");
    expect(socket.frames.slice(1)).toEqual([
      { cmd: 3, data: { type: 30, sendId: a.id, recvId: a.id, content: "false" } },
    ]);
    socket.close();
  });

  test("the system chat is cleared as well, and /user/changes lists the clear marks", async () => {
    const [a, other] = [await registerPerson(server.url), await registerPerson(server.url)];
    await other.ok("applyFriend", { body: { friendId: a.id } });
    const { next } = await a.ok("loadChanges", { query: {} });
    const socket = await a.tab("other").connect({ caps: ["changes"] });
    await a.tab("acting").ok("flushAllMessages");
    await socket.nextOf(82);
    await a.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
    const system = await a.connect();
    await a.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
    await system.next((frame) => frame.cmd === 5 && frame.data?.content === "false");
    expect(system.of(60)).toEqual([]);
    const { cleared } = await a.ok("loadChanges", { query: { since: next } });
    expect(cleared).toEqual([
      { type: "PRIVATE", upTo: expect.any(Number) },
      { type: "GROUP", upTo: expect.any(Number) },
      { type: "SYSTEM", upTo: 1 },
    ]);
    // The message does not come back when the request is handled later.
    const requests = await a.ok("listFriendRequests");
    await a.ok("rejectFriendRequest", { query: { id: requests[0]?.id ?? 0 } });
    await system.flush();
    expect(system.of(60)).toEqual([]);
    for (const one of [socket, system]) one.close();
  });

  test("messages hidden before the clear are no longer listed as changes", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "x");
    await hide(a, b, [id]);
    await a.ok("flushAllMessages");
    expect((await a.ok("loadChanges", { query: {} })).hidden).toEqual([]);
    expect(await load(a)).toEqual([]);
  });

  test("needs a token", async () => {
    expect((await request(server.url, "/user/flushAllMessage")).envelope.code).toBe(400);
  });
});
