import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import type { Tx } from "../../ports/store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { pauseRead } from "../../testing/paused-store.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  PASSWORD,
  type TestPerson,
  befriend,
  registerPerson,
  logIn,
  request,
} from "../../testing/test-person.ts";
import { createSessionCache } from "./session-cache.ts";
import { createTokens } from "./tokens.ts";
import { eventually } from "../../testing/eventually.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const advance = (ms: number) => {
  server.clock.advance(ms);
  server.app.sweep();
};
const idOf = async (person: TestPerson) =>
  (await person.ok("listSessions")).find((session) => session.current)?.id ?? "";

describe("GET /user/sessions", () => {
  test("lists my sessions with the names that the devices sent, and marks the current one", async () => {
    const person = await registerPerson(server.url);
    person.headers["device"] = encodeURIComponent("我的手机");
    const { envelope } = await request(server.url, "/login", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        device: encodeURIComponent("我的手机"),
        os: "Linux",
        browser: "Firefox 140",
      },
      body: JSON.stringify({ terminal: 1, userName: person.userName, password: "password-1" }),
    });
    expect(envelope.code).toBe(200);
    const now = server.clock.now();
    expect(await person.ok("listSessions")).toEqual([
      {
        id: expect.any(String),
        terminal: 2,
        device: null,
        os: null,
        browser: null,
        lastSeen: now,
        address: "127.0.0.1",
        current: true,
      },
      {
        id: expect.any(String),
        terminal: 1,
        device: "我的手机",
        os: "Linux",
        browser: "Firefox 140",
        lastSeen: now,
        address: "127.0.0.1",
        current: false,
      },
    ]);
  });

  test("does not list ended or expired sessions, or sessions of other people", async () => {
    const person = await registerPerson(server.url);
    await registerPerson(server.url);
    await (await person.elsewhere({ terminal: 1 })).ok("logout");
    expect(await person.ok("listSessions")).toHaveLength(1);
  });

  test("last seen is the last request or the last sign of life on the socket", async () => {
    const person = await registerPerson(server.url);
    const other = await person.elsewhere({ terminal: 1 });
    const otherId = await idOf(other);
    const seen = async () =>
      (await person.ok("listSessions")).find((session) => session.id === otherId)?.lastSeen;
    const loginAt = server.clock.now();
    advance(20_000);
    expect(await seen()).toBe(loginAt);
    await other.ok("self");
    expect(await seen()).toBe(server.clock.now());
    const socket = await other.connect();
    advance(20_000);
    await socket.flush();
    const heartbeatAt = server.clock.now();
    socket.close();
    await socket.closed;
    advance(30_000);
    expect(await seen()).toBe(heartbeatAt);
    // It is stored within a minute.
    advance(60_000);
    await eventually(async () =>
      expect((await server.app.store.findSession(otherId))?.lastSeenAt).toBe(heartbeatAt),
    );
    expect(await seen()).toBe(heartbeatAt);
  });
});

describe("a session that is kicked by a login on another device", () => {
  test("is logged out: its tokens are rejected and it is in no list; other terminals stay", async () => {
    const older = await registerPerson(server.url, { deviceNo: "old" });
    const phone = await older.elsewhere({ terminal: 1, deviceNo: "phone" });
    const socket = await older.connect();
    const newer = await older.elsewhere({ deviceNo: "new" });
    await older.ok("self");
    const newSocket = await newer.connect();
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "kicked" });
    await eventually(async () => expect((await older.call("self")).envelope.code).toBe(401));
    const { envelope } = await request(server.url, "/refreshToken", {
      method: "PUT",
      headers: { refreshToken: older.tokens.refreshToken },
    });
    expect(envelope.key).toBe("auth.refreshExpired");
    expect((await newer.ok("listSessions")).map((session) => session.terminal)).toEqual([1, 2]);
    await phone.ok("self");
    expect((await newSocket.flush()).some((frame) => frame.cmd === 2)).toBe(false);
    newSocket.close();
  });

  test("stays if the login is a second tab of the same device", async () => {
    const person = await registerPerson(server.url, { deviceNo: "same" });
    const socket = await person.connect();
    const again = await person.elsewhere({ deviceNo: "same" });
    const other = await again.connect();
    await socket.flush();
    await person.ok("self");
    expect(await person.ok("listSessions")).toHaveLength(2);
    for (const each of [socket, other]) each.close();
  });
});

describe("ended and expired sessions", () => {
  test("are deleted a day later unless a socket still uses them", async () => {
    const person = await registerPerson(server.url);
    const ended = await person.elsewhere({ terminal: 1 });
    const id = await idOf(ended);
    await ended.ok("logout");
    const { store } = server.app;
    advance(3_600_000);
    await eventually(async () => expect((await store.findSession(id))?.endedAt).not.toBe(null));
    for (let hour = 0; hour < 25; hour++) advance(3_600_000);
    await eventually(async () => {
      advance(3_600_000);
      expect(await store.findSession(id)).toBeUndefined();
    });
    expect(await store.listSessions(person.id, 0)).toHaveLength(1);
  });
});

describe("DELETE /user/sessions", () => {
  test("ends one of my sessions: cmd 2 with the reason, then close code 4001; its token is rejected", async () => {
    const person = await registerPerson(server.url);
    const [phone, tablet] = [
      await person.elsewhere({ terminal: 1, deviceNo: "p" }),
      await person.elsewhere({ terminal: 1, deviceNo: "t" }),
    ];
    const socket = await phone.connect();
    await person.ok("endSession", { query: { id: await idOf(phone) } });
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "sessionEnded" });
    advance(5_001);
    expect(await socket.closed).toBe(4001);
    expect((await phone.call("self")).envelope.code).toBe(401);
    await tablet.ok("self");
  });

  test("without an id ends all sessions but this one", async () => {
    const person = await registerPerson(server.url);
    const others = [await person.elsewhere(), await person.elsewhere({ terminal: 1 })];
    await person.send(ENDPOINTS.endSession, "/user/sessions");
    for (const other of others) expect((await other.call("self")).envelope.code).toBe(401);
    expect(await person.ok("listSessions")).toHaveLength(1);
  });

  test("does nothing for an unknown session or one of somebody else", async () => {
    const [person, stranger] = [await registerPerson(server.url), await registerPerson(server.url)];
    const id = await idOf(stranger);
    await person.ok("endSession", { query: { id } });
    await person.ok("endSession", { query: { id: "unknown" } });
    await stranger.ok("self");
  });
});

describe("a session that began while the disk was full", () => {
  const minute = () => advance(60_001);
  const logInWithFullDisk = async (person: TestPerson) => {
    vi.spyOn(server.app.store, "write").mockRejectedValueOnce(new StoreUnavailableError("full", null));
    const other = await person.elsewhere({ terminal: 1 });
    vi.restoreAllMocks();
    return other;
  };
  const code = async (person: TestPerson) => (await person.call("self")).envelope.code;
  const password = { oldPassword: "password-1", newPassword: "password-2" };

  const WAYS_TO_END: [what: string, end: (person: TestPerson, otherId: string) => Promise<unknown>][] = [
    ["all my other sessions end", (person) => person.ok("endSession", { query: {} })],
    ["it is ended by its id", (person, id) => person.ok("endSession", { query: { id } })],
    ["the password is changed", (person) => person.ok("modifyPwd", { body: password })],
  ];
  test.each(WAYS_TO_END)("S102 ends for good when %s, and its socket is notified", async (_what, end) => {
    const person = await registerPerson(server.url);
    const other = await logInWithFullDisk(person);
    const socket = await other.connect();
    const { sid } = JSON.parse(
      Buffer.from(other.tokens.accessToken.split(".")[1] ?? "", "base64url").toString(),
    ) as { sid: string };
    await end(person, sid);
    expect(await socket.next()).toMatchObject({ cmd: 2 });
    expect(await code(other)).toBe(401);
    expect(await code(person)).toBe(200);
    minute();
    await eventually(async () => expect(await server.app.store.findSession(sid)).toBeUndefined());
    expect(await code(other)).toBe(401);
    socket.close();
  });

  test("S102 does not end when another unsaved session ends", async () => {
    const person = await registerPerson(server.url);
    const other = await logInWithFullDisk(person);
    await (await person.elsewhere()).ok("logout");
    expect(await code(other)).toBe(200);
    minute();
    await eventually(async () => expect(await other.ok("listSessions")).toHaveLength(2));
  });

  test("S102 ends with a ban that is lifted before the session is stored", async () => {
    const person = await registerPerson(server.url);
    const other = await logInWithFullDisk(person);
    await sendAdminCommand(server.dataDir, { name: "ban", userName: person.userName, reason: "spam" });
    await sendAdminCommand(server.dataDir, { name: "unban", userName: person.userName });
    expect(await code(other)).toBe(401);
    minute();
    expect(await code(other)).toBe(401);
  });

  test("S102 ends if the call that ends it does not find it because it is being stored at that moment", async () => {
    const { store } = server.app;
    const person = await registerPerson(server.url);
    const bus = createMemoryBus(() => {});
    const tokens = createTokens("a secret of thirty-two characters");
    const sessions = createSessionCache({ tokens, store, bus });
    const now = server.clock.now();
    const user = await store.findUser(person.id);
    const [row] = await store.listSessions(person.id, now);
    if (user === undefined || row === undefined) throw new Error("the person or their session was not found");
    sessions.addUnsaved({ ...row, id: "late" }, user);
    await sessions.saveLastSeen(now);
    const session = { userId: person.id, sessionId: "late", terminal: 2, deviceNo: null };
    const { pair } = await tokens.issue(session, 0, now);
    expect(await sessions.find(pair.accessToken, now)).toEqual(session);
    bus.publish({
      kind: "endSessions",
      userId: person.id,
      sessionIds: [],
      reason: "passwordChanged",
      allBut: row.id,
    });
    expect(await sessions.find(pair.accessToken, now)).toBeUndefined();
    await sessions.saveLastSeen(now + 1);
    expect(await store.findSession("late")).toMatchObject({
      endedAt: now + 1,
      endReason: "passwordChanged",
    });
    expect(await sessions.find(pair.accessToken, now)).toBeUndefined();
  });
});

test("a login that cannot be stored for another reason than a full disk is refused", async () => {
  const { userName } = await registerPerson(server.url);
  const write = vi.spyOn(server.app.store, "write");
  for (const reason of ["busy", "unreachable"] as const) {
    write.mockRejectedValueOnce(new StoreUnavailableError(reason, null));
    await expect(logIn(server.url, userName)).rejects.toThrow("server.unavailable");
  }
  vi.restoreAllMocks();
});

test("S103 signs of life that could not be stored are stored the next time", async () => {
  const { store } = server.app;
  const person = await registerPerson(server.url);
  const other = await person.elsewhere({ terminal: 1 });
  const otherId = await idOf(other);
  advance(1_000);
  await other.ok("self");
  const at = server.clock.now();
  const write = vi.spyOn(store, "write").mockRejectedValue(new StoreUnavailableError("busy", null));
  advance(60_001);
  await eventually(() => expect(write).toHaveBeenCalled());
  vi.restoreAllMocks();
  advance(60_001);
  await eventually(async () => expect((await store.findSession(otherId))?.lastSeenAt).toBe(at));
});

describe("a rejected refresh", () => {
  const rejectedRefresh = async ({ tokens }: TestPerson) => {
    const headers = { refreshToken: tokens.refreshToken };
    const { envelope } = await request(server.url, "/refreshToken", { method: "PUT", headers });
    expect(envelope).toMatchObject({ code: 500, key: "auth.refreshExpired" });
    return envelope.params;
  };

  test("S101 names the reason why the session ended: kicked, password changed, ended, banned with the reason", async () => {
    const older = await registerPerson(server.url, { deviceNo: "old" });
    const socket = await older.connect();
    const newer = await older.elsewhere({ deviceNo: "new" });
    const newSocket = await newer.connect();
    await eventually(async () => expect(await rejectedRefresh(older)).toEqual({ reason: "kicked" }));
    const phone = await newer.elsewhere({ terminal: 1 });
    await newer.ok("endSession", { query: {} });
    expect(await rejectedRefresh(phone)).toEqual({ reason: "sessionEnded" });
    const tablet = await newer.elsewhere({ terminal: 1 });
    await newer.ok("modifyPwd", { body: { oldPassword: "password-1", newPassword: "password-2" } });
    expect(await rejectedRefresh(tablet)).toEqual({ reason: "passwordChanged" });
    await sendAdminCommand(server.dataDir, { name: "ban", userName: newer.userName, reason: "spam" });
    expect(await rejectedRefresh(newer)).toEqual({ reason: "banned", text: "spam" });
    for (const one of [socket, newSocket]) one.close();
  });

  test("S101 names a closed account as the reason, and no reason for an invalid token", async () => {
    const person = await registerPerson(server.url);
    await person.ok("unregister", { body: { password: PASSWORD } });
    expect(await rejectedRefresh(person)).toEqual({ reason: "unregistered" });
    expect(await rejectedRefresh({ tokens: { refreshToken: "none" } } as TestPerson)).toBeUndefined();
  });
});

describe("DELETE /unregister", () => {
  test("a wrong password closes nothing and counts as a wrong login", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "logins=2/10m" } });
    const person = await registerPerson(own.url);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await person.errorKeyOf("unregister", { body: { password: "password-2" } })).toBe(
        "password.wrong",
      );
    expect(await person.errorKeyOf("unregister", { body: { password: PASSWORD } })).toBe("request.tooMany");
    expect(await person.ok("self")).toMatchObject({ id: person.id });
  });

  test("without a password, as older clients ask: closed within five minutes after the login, later refused", async () => {
    await using own = await createTestApp();
    const [person, other] = [await registerPerson(own.url), await registerPerson(own.url)];
    own.clock.advance(299_000);
    expect((await person.send(ENDPOINTS.unregister, "/unregister")).envelope.code).toBe(200);
    expect((await person.call("self")).envelope.code).toBe(401);
    own.clock.advance(1_000);
    expect((await other.send(ENDPOINTS.unregister, "/unregister")).envelope.key).toBe("password.wrong");
    expect(await other.errorKeyOf("unregister", { body: { password: null } })).toBe("password.wrong");
    expect(await other.ok("self")).toMatchObject({ id: other.id });
  });

  test("another password, or the end of the session, while the password is checked closes nothing", async () => {
    const { store } = server.app;
    const now = () => server.clock.now();
    const changes: [(tx: Tx, userId: number) => Promise<unknown>, string | null, string][] = [
      [(tx, id) => tx.setPasswordHash(id, "another"), PASSWORD, "password.wrong"],
      [(tx, id) => tx.endSessions(id, null, "passwordChanged", now()), PASSWORD, "auth.tokenInvalid"],
      [(tx, id) => tx.endSessions(id, null, "sessionEnded", now()), null, "auth.tokenInvalid"],
    ];
    for (const [change, password, key] of changes) {
      const person = await registerPerson(server.url);
      const pausedRead = pauseRead(store, password === null ? "findSession" : "findUser");
      const closing = person.errorKeyOf("unregister", { body: { password } });
      await pausedRead.reached;
      await store.write((tx) => change(tx, person.id));
      pausedRead.release();
      expect(await closing).toBe(key);
      expect(await store.findUser(person.id)).toMatchObject({ unregisteredAt: null });
    }
  });

  test("all terminals get type 54, then cmd 2 and close code 4001; tokens are rejected; a login with the right password learns the reason", async () => {
    const person = await registerPerson(server.url);
    const phone = await person.elsewhere({ terminal: 1 });
    const sockets = [await person.connect(), await phone.connect()];
    await person.ok("unregister", { body: { password: PASSWORD } });
    for (const socket of sockets) {
      await eventually(() => expect(socket.frames).toHaveLength(3));
      expect(socket.frames[1]).toMatchObject({ cmd: 5, data: { type: 54 } });
      expect(socket.frames[2]).toMatchObject({ cmd: 2, reason: "unregistered" });
    }
    advance(5_001);
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([4001, 4001]);
    for (const one of [person, phone]) expect((await one.call("self")).envelope.code).toBe(401);
    const loginKey = async (password: string) => {
      const answer = await request(server.url, "/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ terminal: 2, userName: person.userName, password }),
      });
      return answer.envelope.key;
    };
    expect(await loginKey("password-1")).toBe("account.unregistered");
    expect(await loginKey("password-2")).toBe("login.wrongPassword");
  });

  test("the name stays taken, and nobody finds the person", async () => {
    const [person, seeker] = [
      await registerPerson(server.url, { userName: "Leaver1" }),
      await registerPerson(server.url),
    ];
    await person.ok("unregister", { body: { password: PASSWORD } });
    await expect(registerPerson(server.url, { userName: "leaver1" })).rejects.toThrow(
      "register.userNameTaken",
    );
    expect(await seeker.ok("findUsersByName", { query: { name: "Leaver1" } })).toEqual([]);
    expect(await seeker.errorKeyOf("findUser", { params: { id: person.id } })).toBe("user.notFound");
    expect(await seeker.errorKeyOf("applyFriend", { body: { friendId: person.id } })).toBe("user.notFound");
  });

  test("friends get push 81, see a deleted person, and can no longer write", async () => {
    const [person, friend] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(person, friend);
    const socket = await friend.connect();
    await person.ok("unregister", { body: { password: PASSWORD } });
    expect((await socket.nextOf(81)).data).toMatchObject({ sendId: person.id, recvId: friend.id });
    expect(await friend.ok("listFriends")).toMatchObject([{ id: person.id, isDeleted: true, online: false }]);
    expect(
      await friend.errorKeyOf("sendPrivateMessage", { body: { recvId: person.id, type: 0, content: "x" } }),
    ).toBe("message.notFriend");
    socket.close();
  });

  test("open requests of both directions are closed for the others", async () => {
    const [person, receiver, requester] = [
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
    ];
    await person.ok("applyFriend", { body: { friendId: receiver.id } });
    await requester.ok("applyFriend", { body: { friendId: person.id } });
    const [receiverSocket, requesterSocket] = [await receiver.connect(), await requester.connect()];
    await person.ok("unregister", { body: { password: PASSWORD } });
    expect(JSON.parse((await receiverSocket.nextOf(73)).data?.content ?? "")).toMatchObject({ status: 4 });
    expect(JSON.parse((await receiverSocket.nextOf(60)).data?.content ?? "")).toMatchObject({ status: 4 });
    expect(JSON.parse((await requesterSocket.nextOf(72)).data?.content ?? "")).toMatchObject({ status: 3 });
    expect(await receiver.ok("listFriendRequests")).toEqual([]);
    expect(await requester.ok("listFriendRequests")).toEqual([]);
    receiverSocket.close();
    requesterSocket.close();
  });

  test("a login that runs at the same time gets no session", async () => {
    const person = await registerPerson(server.url);
    const logins = Array.from({ length: 8 }, () => logIn(server.url, person.userName).catch(() => null));
    await person.ok("unregister", { body: { password: PASSWORD } });
    for (const again of await Promise.all(logins))
      if (again !== null) expect((await again.call("self")).envelope.code).toBe(401);
  });
});
