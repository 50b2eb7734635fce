import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, makeApp } from "../../testing/make-app.ts";
import { type Person, befriend, join, logIn, request } from "../../testing/people.ts";

let server: TestApp;
beforeAll(async () => {
  server = await makeApp({ env: { RATE_LIMITS: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const later = (ms: number) => {
  server.clock.advance(ms);
  server.app.sweep();
};
const idOf = async (person: Person) =>
  (await person.ok("listSessions")).find((session) => session.current)?.id ?? "";

describe("GET /user/sessions", () => {
  test("lists mine, with the device as it named itself, and marks the one that asks", async () => {
    const person = await join(server.url);
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
        current: true,
      },
      {
        id: expect.any(String),
        terminal: 1,
        device: "我的手机",
        os: "Linux",
        browser: "Firefox 140",
        lastSeen: now,
        current: false,
      },
    ]);
  });

  test("names neither ended nor expired ones, nor other people's", async () => {
    const person = await join(server.url);
    await join(server.url);
    await (await person.elsewhere({ terminal: 1 })).ok("logout");
    expect(await person.ok("listSessions")).toHaveLength(1);
  });

  test("last seen is the last request or the last sign of life on the socket", async () => {
    const person = await join(server.url);
    const other = await person.elsewhere({ terminal: 1 });
    const otherId = await idOf(other);
    const seen = async () =>
      (await person.ok("listSessions")).find((session) => session.id === otherId)?.lastSeen;
    const login = server.clock.now();
    later(20_000);
    expect(await seen()).toBe(login);
    await other.ok("self");
    expect(await seen()).toBe(server.clock.now());
    const socket = await other.connect();
    later(20_000);
    await socket.flush();
    const beat = server.clock.now();
    socket.close();
    await socket.closed;
    later(30_000);
    expect(await seen()).toBe(beat);
    // It goes to the disk within a minute.
    later(60_000);
    await vi.waitFor(async () =>
      expect((await server.app.store.findSession(otherId))?.lastSeenAt).toBe(beat),
    );
    expect(await seen()).toBe(beat);
  });
});

describe("who is kicked by a login on another device", () => {
  test("is logged out: the tokens are dead and the session is in no list; other terminals stay", async () => {
    const older = await join(server.url, { deviceNo: "old" });
    const phone = await older.elsewhere({ terminal: 1, deviceNo: "phone" });
    const socket = await older.connect();
    const newer = await older.elsewhere({ deviceNo: "new" });
    await older.ok("self");
    const newSocket = await newer.connect();
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "kicked" });
    await vi.waitFor(async () => expect((await older.call("self")).envelope.code).toBe(401));
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

  test("a second tab of the same device is not", async () => {
    const person = await join(server.url, { deviceNo: "same" });
    const socket = await person.connect();
    const again = await person.elsewhere({ deviceNo: "same" });
    const other = await again.connect();
    await socket.flush();
    await person.ok("self");
    expect(await person.ok("listSessions")).toHaveLength(2);
    for (const each of [socket, other]) each.close();
  });
});

describe("sessions that are over", () => {
  test("are forgotten a day later, those of a socket that is still there not", async () => {
    const person = await join(server.url);
    const gone = await person.elsewhere({ terminal: 1 });
    const id = await idOf(gone);
    await gone.ok("logout");
    const { store } = server.app;
    later(3_600_000);
    await vi.waitFor(async () => expect((await store.findSession(id))?.endedAt).not.toBe(null));
    for (let hour = 0; hour < 25; hour++) later(3_600_000);
    await vi.waitFor(async () => {
      later(3_600_000);
      expect(await store.findSession(id)).toBeUndefined();
    });
    expect(await store.listSessions(person.id, 0)).toHaveLength(1);
  });
});

describe("DELETE /user/sessions", () => {
  test("ends one of mine: cmd 2 with the reason, then 4001; its token is dead", async () => {
    const person = await join(server.url);
    const [phone, tablet] = [
      await person.elsewhere({ terminal: 1, deviceNo: "p" }),
      await person.elsewhere({ terminal: 1, deviceNo: "t" }),
    ];
    const socket = await phone.connect();
    await person.ok("endSession", { query: { id: await idOf(phone) } });
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "sessionEnded" });
    later(5_001);
    expect(await socket.closed).toBe(4001);
    expect((await phone.call("self")).envelope.code).toBe(401);
    await tablet.ok("self");
  });

  test("without an id ends all but this one", async () => {
    const person = await join(server.url);
    const others = [await person.elsewhere(), await person.elsewhere({ terminal: 1 })];
    await person.send(ENDPOINTS.endSession, "/user/sessions");
    for (const other of others) expect((await other.call("self")).envelope.code).toBe(401);
    expect(await person.ok("listSessions")).toHaveLength(1);
  });

  test("does nothing to somebody else's, nor for one that is unknown", async () => {
    const [person, stranger] = [await join(server.url), await join(server.url)];
    const id = await idOf(stranger);
    await person.ok("endSession", { query: { id } });
    await person.ok("endSession", { query: { id: "unknown" } });
    await stranger.ok("self");
  });
});

describe("DELETE /unregister", () => {
  test("type 54 to all terminals, then cmd 2 and 4001; tokens dead; login refused after the right password only", async () => {
    const person = await join(server.url);
    const phone = await person.elsewhere({ terminal: 1 });
    const sockets = [await person.connect(), await phone.connect()];
    await person.ok("unregister");
    for (const socket of sockets) {
      await vi.waitFor(() => expect(socket.frames).toHaveLength(3));
      expect(socket.frames[1]).toMatchObject({ cmd: 5, data: { type: 54 } });
      expect(socket.frames[2]).toMatchObject({ cmd: 2, reason: "unregistered" });
    }
    later(5_001);
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([4001, 4001]);
    for (const one of [person, phone]) expect((await one.call("self")).envelope.code).toBe(401);
    const refused = async (password: string) => {
      const answer = await request(server.url, "/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ terminal: 2, userName: person.userName, password }),
      });
      return answer.envelope.key;
    };
    expect(await refused("password-1")).toBe("account.unregistered");
    expect(await refused("password-2")).toBe("login.wrongPassword");
  });

  test("the name stays taken, and nobody finds the person", async () => {
    const [person, seeker] = [await join(server.url, { userName: "Leaver1" }), await join(server.url)];
    await person.ok("unregister");
    await expect(join(server.url, { userName: "leaver1" })).rejects.toThrow("register.userNameTaken");
    expect(await seeker.ok("findUsersByName", { query: { name: "Leaver1" } })).toEqual([]);
    expect(await seeker.refusal("findUser", { params: { id: person.id } })).toBe("user.notFound");
    expect(await seeker.refusal("applyFriend", { body: { friendId: person.id } })).toBe("user.notFound");
  });

  test("friends hear 81, see a deleted person, and can no longer write", async () => {
    const [person, friend] = [await join(server.url), await join(server.url)];
    await befriend(person, friend);
    const socket = await friend.connect();
    await person.ok("unregister");
    expect((await socket.nextOf(81)).data).toMatchObject({ sendId: person.id, recvId: friend.id });
    expect(await friend.ok("listFriends")).toMatchObject([{ id: person.id, isDeleted: true, online: false }]);
    expect(
      await friend.refusal("sendPrivateMessage", { body: { recvId: person.id, type: 0, content: "x" } }),
    ).toBe("message.notFriend");
    socket.close();
  });

  test("open requests of both directions are closed for the others", async () => {
    const [person, asked, asking] = [await join(server.url), await join(server.url), await join(server.url)];
    await person.ok("applyFriend", { body: { friendId: asked.id } });
    await asking.ok("applyFriend", { body: { friendId: person.id } });
    const [askedSocket, askingSocket] = [await asked.connect(), await asking.connect()];
    await person.ok("unregister");
    expect(JSON.parse((await askedSocket.nextOf(73)).data?.content ?? "")).toMatchObject({ status: 4 });
    expect(JSON.parse((await askedSocket.nextOf(60)).data?.content ?? "")).toMatchObject({ status: 4 });
    expect(JSON.parse((await askingSocket.nextOf(72)).data?.content ?? "")).toMatchObject({ status: 3 });
    expect(await asked.ok("listFriendRequests")).toEqual([]);
    expect(await asking.ok("listFriendRequests")).toEqual([]);
    askedSocket.close();
    askingSocket.close();
  });

  test("a login that was under way meanwhile gets no session", async () => {
    const person = await join(server.url);
    const logins = Array.from({ length: 8 }, () =>
      logIn(server.url, person.userName).then(
        (again) => again.call("self").then(({ envelope }) => envelope.code),
        () => "refused",
      ),
    );
    await person.ok("unregister");
    for (const outcome of await Promise.all(logins)) expect([401, "refused"]).toContain(outcome);
  });
});
