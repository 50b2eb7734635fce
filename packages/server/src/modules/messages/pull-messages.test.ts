import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { noChanges } from "@parley/protocol/endpoints/changes";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson, sendText, registerFriends } from "../../testing/test-person.ts";
import type { Frame, TestSocket } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const isEnd = (frame: Frame) => frame.data?.type === 30 && frame.data.content === "false";

/** What one pull pushes, LOADING included. */
async function pull(person: TestPerson, socket: TestSocket, minId: number): Promise<Frame[]> {
  const before = socket.frames.length;
  expect(await person.ok("pullPrivateMessages", { query: { minId } })).toBe(null);
  await socket.next(isEnd);
  return socket.frames.slice(before);
}

const ids = (frames: Frame[]) =>
  frames.flatMap((frame) => (frame.data?.id === undefined ? [] : [frame.data.id]));

describe("GET /message/private/pullOfflineMessage", () => {
  test("M112 a pull sends LOADING true, the rows above the cursor in ascending order with own ones, LOADING false", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = [await sendText(a, b, "1"), await sendText(b, a, "2"), await sendText(a, b, "3")];
    const socket = await b.connect();
    const frames = await pull(b, socket, 0);
    expect(frames[0]).toEqual({
      cmd: 3,
      data: { type: 30, sendId: b.id, recvId: b.id, content: "true", extras: expect.any(Number) },
    });
    expect(frames.at(-1)).toEqual({
      cmd: 3,
      data: { type: 30, sendId: b.id, recvId: b.id, content: "false" },
    });
    expect(ids(frames).slice(-3)).toEqual(sent.map((message) => message.id));
    expect(frames.slice(2, -1).map((frame) => frame.data)).toEqual(sent);
    socket.close();
  });

  test.each(["private", "group", "system"])("%s: without a cursor the pull begins at 0", async (kind) => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    const answer = await person.send(ENDPOINTS.pullPrivateMessages, `/message/${kind}/pullOfflineMessage`);
    expect(answer.envelope).toMatchObject({ code: 200, data: null });
    await socket.next(isEnd);
    socket.close();
  });

  test("with nothing new there is only LOADING false", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    expect(await pull(person, socket, 0)).toEqual([
      { cmd: 3, data: { type: 30, sendId: person.id, recvId: person.id, content: "false" } },
    ]);
    socket.close();
  });

  test("rows of the 30 s before the cursor's row are sent again", async () => {
    const [a, b] = await registerFriends(server.url);
    server.clock.advance(60_000);
    const old = await sendText(a, b, "long before");
    server.clock.advance(31_000);
    const near = await sendText(a, b, "just before");
    server.clock.advance(10_000);
    const cursor = await sendText(a, b, "the cursor's");
    const socket = await b.connect();
    const got = ids(await pull(b, socket, cursor.id));
    expect(got).not.toContain(old.id);
    expect(got).toContain(near.id);
    socket.close();
  });

  test("only the client instance that asks gets the rows", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "x");
    const [tab1, tab2] = [b.tab("one"), b.tab("two")];
    const [socket1, socket2] = [await tab1.connect(), await tab2.connect()];
    await pull(tab1, socket1, 0);
    await socket2.flush();
    expect(socket2.frames.filter((frame) => frame.cmd === 3)).toEqual([]);
    socket1.close();
    socket2.close();
  });

  test("a client without an instance id is recognised by its session", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "x");
    const phone = await b.elsewhere({ terminal: 1 });
    const [web, app] = [await b.connect(), await phone.connect()];
    expect(ids(await pull(phone, app, 0))).toHaveLength(2);
    await web.flush();
    expect(web.frames.filter((frame) => frame.cmd === 3)).toEqual([]);
    web.close();
    app.close();
  });

  test("rows that their receiver has read have status 3", async () => {
    const [a, b] = await registerFriends(server.url);
    const [first, second] = [await sendText(a, b, "1"), await sendText(a, b, "2")];
    await b.ok("readPrivateMessages", { query: { friendId: a.id, messageId: first.id } });
    const statuses = async (person: TestPerson) => {
      const socket = await person.connect();
      const frames = await pull(person, socket, 0);
      socket.close();
      return [first.id, second.id].map((id) => frames.find((frame) => frame.data?.id === id)?.data?.status);
    };
    expect(await statuses(a)).toEqual([3, 1]);
    expect(await statuses(b)).toEqual([3, 1]);
  });

  test("rows older than 30 days are left out, and LOADING true says from where", async () => {
    const [a, b] = await registerFriends(server.url);
    const old = await sendText(a, b, "a month ago");
    server.clock.advance(31 * 24 * 3_600_000);
    const [a2, b2] = [await a.elsewhere(), await b.elsewhere()];
    const fresh = await sendText(a2, b2, "today");
    const socket = await b2.connect();
    const frames = await pull(b2, socket, 0);
    expect(ids(frames)).toEqual([fresh.id]);
    expect(frames[0]?.data).toMatchObject({ type: 30, content: "true" });
    expect(frames[0]?.data?.fromId).toBeGreaterThan(old.id);
    expect(frames[0]?.data?.fromId).toBeLessThanOrEqual(fresh.id);
    socket.close();
  });

  test("when all rows were left out there is LOADING true with fromId and no row", async () => {
    const [a, b] = await registerFriends(server.url);
    const old = await sendText(a, b, "a month ago");
    server.clock.advance(31 * 24 * 3_600_000);
    const b2 = await b.elsewhere();
    const socket = await b2.connect();
    const frames = await pull(b2, socket, 0);
    expect(frames.map((frame) => frame.data?.content)).toEqual(["true", "false"]);
    expect(frames[0]?.data?.fromId).toBeGreaterThan(old.id);
    socket.close();
  });

  test("thousands of rows arrive completely and in order at a client that pauses reading", async () => {
    const [a, b] = await registerFriends(server.url);
    const text = "字".repeat(1_000);
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 150 }, () => sendText(a, b, text)));
    const socket = await b.connect();
    socket.ws.pause();
    await b.ok("pullPrivateMessages", { query: { minId: 0 } });
    await sendText(a, b, "meanwhile");
    socket.ws.resume();
    await socket.next(isEnd);
    const rows = ids(socket.frames.filter((frame) => frame.data?.content !== "meanwhile"));
    expect(rows).toHaveLength(3_001);
    expect(rows).toEqual(rows.toSorted((x, y) => x - y));
    socket.close();
  });

  test("a client that comes back while its old socket hangs pulls at once, and gets only the new pull", async () => {
    const [a, b] = await registerFriends(server.url);
    const text = "字".repeat(1_000);
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 150 }, () => sendText(a, b, text)));
    const tab = b.tab("same");
    const old = await tab.connect();
    old.ws.pause();
    await tab.ok("pullPrivateMessages", { query: { minId: 0 } });
    const fresh = await tab.connect();
    const rows = ids(await pull(tab, fresh, 0));
    expect(rows).toHaveLength(3_001);
    expect(rows).toEqual(rows.toSorted((x, y) => x - y));
    old.ws.terminate();
    await fresh.flush();
    expect(fresh.of(30).map((frame) => frame.data?.content)).toEqual(["true", "false"]);
    fresh.close();
  });

  test("finished pulls make room in the queue", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    for (let n = 0; n < 6; n++) await pull(person, socket, 0);
    socket.close();
  });

  test("a pull of a connected client is looked up once", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "x");
    const socket = await b.connect();
    const start = vi.spyOn(server.app.store, "startPrivatePull");
    await pull(b, socket, 0);
    expect(start).toHaveBeenCalledOnce();
    start.mockRestore();
    socket.close();
  });

  test("a pull that fails still ends, with the mark `failed`", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    const { store } = server.app;
    const original = store.startPrivatePull;
    store.startPrivatePull = () => Promise.reject(new Error("planted"));
    try {
      expect(await pull(person, socket, 0)).toEqual([
        { cmd: 3, data: { type: 30, sendId: person.id, recvId: person.id, content: "false", failed: true } },
      ]);
    } finally {
      store.startPrivatePull = original;
    }
    socket.close();
  });

  test("two pulls of one client do not mix", async () => {
    const [a, b] = await registerFriends(server.url);
    for (let i = 0; i < 3; i++) await sendText(a, b, String(i));
    const socket = await b.connect();
    await Promise.all([
      b.ok("pullPrivateMessages", { query: { minId: 0 } }),
      b.ok("pullPrivateMessages", { query: { minId: 0 } }),
    ]);
    await socket.next(isEnd);
    await socket.next(isEnd);
    const marks = socket.of(30).map((frame) => frame.data?.content);
    expect(marks).toEqual(["true", "false", "true", "false"]);
    socket.close();
  });

  test("a pull requested before the login does not mix with a pull requested after it", async () => {
    const [a, b] = await registerFriends(server.url);
    for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 150 }, () => sendText(a, b, "x")));
    const tab = b.tab("early");
    const { store } = server.app;
    const original = store.startPrivatePull;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    store.startPrivatePull = (...args) => released.then(() => original(...args));
    await tab.ok("pullPrivateMessages", { query: { minId: 0 } });
    const socket = await tab.connect();
    await tab.ok("pullPrivateMessages", { query: { minId: 0 } });
    store.startPrivatePull = original;
    release();
    await socket.next(isEnd);
    await socket.next(isEnd);
    expect(socket.of(30).map((frame) => frame.data?.content)).toEqual(["true", "false", "true", "false"]);
    socket.close();
  });

  test("a pull requested before the login also sends rows stored while the socket was connecting", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "before");
    const tab = b.tab("early");
    const { store } = server.app;
    const original = store.startPrivatePull;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    store.startPrivatePull = async (...args) => {
      store.startPrivatePull = original;
      const found = await original(...args);
      await released;
      return found;
    };
    await tab.ok("pullPrivateMessages", { query: { minId: 0 } });
    const missed = await sendText(a, b, "meanwhile");
    const socket = await tab.connect();
    release();
    await socket.next(isEnd);
    expect(ids(socket.frames)).toContain(missed.id);
    socket.close();
  });

  test("at most five pulls of one client are queued", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "x");
    const socket = await b.connect();
    const { store } = server.app;
    const original = store.startPrivatePull;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    store.startPrivatePull = (...args) => released.then(() => original(...args));
    const answers = await Promise.all(
      Array.from({ length: 7 }, () => b.call("pullPrivateMessages", { query: { minId: 0 } })),
    );
    store.startPrivatePull = original;
    release();
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(2);
    for (let i = 0; i < 5; i++) await socket.next(isEnd);
    socket.close();
  });

  test("a message that is only for one person is in nobody else's pull", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("deleteFriend", { params: { id: b.id } });
    const keys = async (person: TestPerson) => {
      const rows = await person.ok("loadPrivateMessages", { query: { minId: 0 } });
      return rows.map((row) => row.tip?.key);
    };
    expect(await keys(a)).toEqual(["friend.nowFriends"]);
    expect(await keys(b)).toEqual(["friend.nowFriends", "friend.ended"]);
  });

  test.each(["-1", "x", "", "1.5", "99999999999999999"])("minId=%s is malformed", async (minId) => {
    const person = await registerPerson(server.url);
    const { ENDPOINTS } = await import("@parley/protocol/endpoints/all");
    const answer = await person.send(
      ENDPOINTS.pullPrivateMessages,
      `/message/private/pullOfflineMessage?minId=${minId}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.envelope.code).toBe(500);
    expect(answer.envelope.message).toMatch(/^minId: /);
  });
});

describe("the other pulls", () => {
  test("a pull of somebody without groups ends with a frame of cmd 4", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    await person.ok("pullGroupMessages", { query: { minId: 0 } });
    await socket.next(isEnd);
    expect(socket.frames.slice(1)).toEqual([
      { cmd: 4, data: { type: 30, sendId: person.id, recvId: person.id, content: "false" } },
    ]);
    expect(await person.ok("loadGroupMessages", { query: { minId: 0 } })).toEqual([]);
    socket.close();
  });

  test("a pull of the system chat sends the rows above minSeqNo and those of 30 s before it with cmd 5, so that one whose push was lost comes", async () => {
    const person = await registerPerson(server.url);
    const apply = async (ms: number) => {
      const other = await registerPerson(server.url);
      server.clock.advance(ms);
      await other.ok("applyFriend", { body: { friendId: person.id, source: 1, remark: "" } });
    };
    for (const ms of [0, 1, 30_000, 30_001]) await apply(ms);
    const socket = await person.connect();
    await person.ok("pullSystemMessages", { query: { minSeqNo: 3 } });
    await socket.next(isEnd);
    const frames = socket.frames.slice(1);
    expect(frames.every((frame) => frame.cmd === 5)).toBe(true);
    expect(frames.map((frame) => frame.data?.seqNo ?? frame.data?.content)).toEqual([
      "true",
      2,
      3,
      4,
      "false",
    ]);
    expect(frames[1]?.data).toMatchObject({
      type: 60,
      status: 1,
      title: null,
      isVerifyMessage: true,
      isPermanent: true,
      isTop: true,
    });
    socket.close();
  });

  test("loadOfflineMessage answers the rows of a pull as a list", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    const rows = await b.ok("loadPrivateMessages", { query: { minId: 0 } });
    expect(rows.at(-1)).toEqual(sent);
  });
});

describe("PUT /message/private/readed", () => {
  test("push 11 goes to the reader's other clients, push 12 to the friend, both with maxId", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    const acting = b.tab("acting");
    const [own, otherSocket, friendSocket] = [
      await acting.connect(),
      await b.tab("other").connect(),
      await a.connect(),
    ];
    expect(await acting.ok("readPrivateMessages", { query: { friendId: a.id } })).toBe(null);
    expect(await otherSocket.nextOf(11)).toEqual({
      cmd: 3,
      data: { type: 11, sendId: b.id, recvId: a.id, maxId: sent.id, content: "" },
    });
    expect(await friendSocket.nextOf(12)).toEqual({
      cmd: 3,
      data: {
        type: 12,
        sendId: b.id,
        recvId: a.id,
        maxId: sent.id,
        content: JSON.stringify({ id: sent.id }),
      },
    });
    await own.flush();
    expect(own.of(11)).toEqual([]);
    for (const socket of [own, otherSocket, friendSocket]) socket.close();
  });

  test("reading a thousand messages sends one frame to each client of the friend and each other client of the reader", async () => {
    const [a, b] = await registerFriends(server.url);
    for (let sent = 0; sent < 1_000; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, () => sendText(a, b, "x")));
    }
    const acting = b.tab("acting");
    const sockets = [
      await a.connect(),
      await a.tab("second").connect(),
      await acting.connect(),
      await b.tab("other").connect(),
      await b.tab("third").connect(),
    ];
    await acting.ok("readPrivateMessages", { query: { friendId: a.id } });
    const receivedTypes: string[] = [];
    for (const socket of sockets) {
      await socket.flush();
      receivedTypes.push(socket.frames.map((frame) => frame.data?.type ?? "login").join());
      socket.close();
    }
    expect(receivedTypes).toEqual(["login,12", "login,12", "login", "login,11", "login,11"]);
    const rows = await b.ok("privateHistory", { query: { friendId: a.id, size: 100 } });
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set([3]));
  });

  test("the position moves up, never down, and never beyond the chat's newest row", async () => {
    const [a, b] = await registerFriends(server.url);
    const [first, second] = [await sendText(a, b, "1"), await sendText(a, b, "2")];
    const read = (messageId?: number) =>
      b.ok("readPrivateMessages", {
        query: { friendId: a.id, ...(messageId !== undefined && { messageId }) },
      });
    const maxRead = () => a.ok("maxReadedId", { query: { friendId: b.id } });
    expect(await maxRead()).toBe(-1);
    await read(first.id);
    expect(await maxRead()).toBe(first.id);
    const socket = await a.connect();
    await read(first.id);
    await read(1);
    await socket.flush();
    expect(socket.of(12)).toEqual([]);
    await read(Number.MAX_SAFE_INTEGER);
    expect(await maxRead()).toBe(second.id);
    socket.close();
  });

  test("a message counts as read if it was hidden or cleared just after it was read", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id: hidden } = await sendText(a, b, "hidden");
    const read = (messageId?: number) =>
      b.ok("readPrivateMessages", { query: { friendId: a.id, ...(messageId && { messageId }) } });
    const maxRead = () => a.ok("maxReadedId", { query: { friendId: b.id } });
    await b.ok("deletePrivateMessages", { body: { friendId: a.id, ids: [hidden] } });
    await read();
    expect(await maxRead()).not.toBe(hidden);
    await read(hidden);
    expect(await maxRead()).toBe(hidden);
    const { id: cleared } = await sendText(a, b, "cleared");
    const { id: foreign } = await sendText(b, b, "of another chat");
    await b.ok("flushAllMessages");
    await read();
    await read(foreign);
    expect(await maxRead()).toBe(hidden);
    await read(cleared);
    expect(await maxRead()).toBe(cleared);
  });

  test("reading a chat without rows does nothing, and the stranger gets no push", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const socket = await b.connect();
    expect(await a.ok("readPrivateMessages", { query: { friendId: b.id } })).toBe(null);
    await socket.flush();
    expect(socket.of(12)).toEqual([]);
    socket.close();
  });
});

test("PUT /message/system/readed moves the position; push 11 goes to the reader's other clients with cmd 5", async () => {
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  await a.ok("applyFriend", { body: { friendId: b.id } });
  const [acting, socket] = [b.tab("acting"), await b.tab("other").connect()];
  await acting.ok("readSystemMessages", { query: { maxSeqNo: 99 } });
  expect(await socket.nextOf(11)).toEqual({
    cmd: 5,
    data: { type: 11, sendId: b.id, recvId: b.id, maxId: 1, content: "" },
  });
  await acting.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
  const { read } = await b.ok("loadChanges", { query: {} });
  expect(read).toContainEqual({ type: "SYSTEM", targetId: 0, mine: 1, theirs: -1 });
  socket.close();
});

test("GET /user/changes lists the read positions that moved since its last answer", async () => {
  const [a, b] = await registerFriends(server.url);
  const sent = await sendText(a, b, "x");
  const { next } = await b.ok("loadChanges", { query: { since: "" } });
  expect(await b.ok("loadChanges", { query: { since: next } })).toEqual(noChanges(next));
  await b.ok("readPrivateMessages", { query: { friendId: a.id } });
  const after = await b.ok("loadChanges", { query: { since: next } });
  expect(after.read).toEqual([{ type: "PRIVATE", targetId: a.id, mine: sent.id, theirs: -1 }]);
  expect(after.next).not.toBe(next);
});
