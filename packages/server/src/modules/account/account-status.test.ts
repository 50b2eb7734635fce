import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { PASSWORD, befriend, registerPerson, logIn, request } from "../../testing/test-person.ts";
import { eventually } from "../../testing/eventually.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const ban = (userName: string, reason = "spam") =>
  sendAdminCommand(server.dataDir, { name: "ban", userName, reason });
const unban = (userName: string) => sendAdminCommand(server.dataDir, { name: "unban", userName });
const unregister = (userName: string) => sendAdminCommand(server.dataDir, { name: "unregister", userName });
const attemptLogin = async (userName: string, password = "password-1") =>
  (
    await request(server.url, "/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ terminal: 2, userName, password }),
    })
  ).envelope;

describe("a ban", () => {
  test("all terminals get type 50 with the reason, then cmd 2 and close code 4001; every request is 401 at once", async () => {
    const person = await registerPerson(server.url);
    const phone = await person.elsewhere({ terminal: 1 });
    const sockets = [await person.connect(), await phone.connect()];
    expect(await ban(person.userName.toUpperCase())).toEqual({
      text: `${person.userName.toUpperCase()} is banned.`,
    });
    for (const one of [person, phone]) expect((await one.call("self")).envelope.code).toBe(401);
    for (const socket of sockets) {
      await eventually(() => expect(socket.frames).toHaveLength(3));
      expect(socket.frames[1]).toMatchObject({ cmd: 5, data: { type: 50, content: "spam" } });
      expect(socket.frames[2]).toMatchObject({ cmd: 2, reason: "banned" });
    }
    server.clock.advance(5_001);
    server.app.sweep();
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([4001, 4001]);
    const refreshed = await request(server.url, "/refreshToken", {
      method: "PUT",
      headers: { refreshToken: person.tokens.refreshToken },
    });
    expect(refreshed.envelope.key).toBe("auth.refreshExpired");
  });

  test("reaches a socket whose session has expired since it logged in", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    server.clock.advance(8 * 24 * 3_600_000);
    await ban(person.userName);
    await socket.nextOf(50);
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "banned" });
    socket.close();
  });

  test("login is refused with the reason, after the right password only; unban brings the person back", async () => {
    const { userName } = await registerPerson(server.url);
    await ban(userName, "rude words");
    expect(await attemptLogin(userName)).toMatchObject({
      code: 500,
      key: "account.banned",
      params: { reason: "rude words" },
    });
    expect(await attemptLogin(userName, "wrong-word")).toMatchObject({ code: 10_001 });
    expect(await unban(userName)).toEqual({ text: `${userName} is no longer banned.` });
    await (await logIn(server.url, userName)).ok("self");
    expect(await unban(userName)).toEqual({ error: `${userName} is not banned.` });
  });

  test("P111 friends see the person offline at once and keep the friendship; a search finds nobody", async () => {
    const [person, friend] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(person, friend);
    const [socket, ownSocket] = [await friend.connect(), await person.connect()];
    const online = () => friend.ok("findOnlineTerminals", { query: { userIds: [person.id] } });
    expect(await online()).toHaveLength(1);
    await ban(person.userName);
    expect(await online()).toEqual([]);
    const pushed = JSON.parse((await socket.nextOf(80)).data?.content ?? "") as object;
    const banned = { isBanned: true, reason: "spam" };
    expect(pushed).toMatchObject({ id: person.id, online: false, isDeleted: false, ...banned });
    expect(await friend.ok("findUser", { params: { id: person.id } })).toMatchObject(banned);
    expect(await friend.ok("findUsersByName", { query: { name: person.userName } })).toEqual([]);
    expect(await friend.ok("listFriends")).toMatchObject([{ id: person.id, isDeleted: false, ...banned }]);
    await unban(person.userName);
    const pushedAgain = JSON.parse((await socket.nextOf(80)).data?.content ?? "") as object;
    expect(pushedAgain).toMatchObject({ id: person.id, isBanned: false, reason: null });
    socket.close();
    ownSocket.close();
  });

  test("a login that runs during the ban gets no session", async () => {
    const { userName } = await registerPerson(server.url);
    const logins = Array.from({ length: 8 }, () =>
      logIn(server.url, userName).then(
        async (again) => (await again.call("self")).envelope.code,
        () => "refused",
      ),
    );
    await ban(userName);
    await Promise.allSettled(logins);
    expect(
      await server.app.store.listSessions((await server.app.store.findUserByName(userName))?.id ?? 0, 0),
    ).toEqual([]);
  });

  test.each(["", " ", "x".repeat(101)])("needs a reason of 1 to 100 characters, not %j", async (reason) => {
    const { userName } = await registerPerson(server.url);
    expect(await ban(userName, reason)).toEqual({ error: "The reason must have 1 to 100 characters." });
  });
});

describe("an administrator closes an account", () => {
  test("has the same effect as closing it as the owner", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    expect(await unregister(person.userName)).toEqual({
      text: `The account of ${person.userName} is closed.`,
    });
    await socket.nextOf(54);
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "unregistered" });
    expect((await person.call("self")).envelope.code).toBe(401);
    expect(await attemptLogin(person.userName)).toMatchObject({ key: "account.unregistered" });
    socket.close();
  });

  test("afterwards no other command accepts the account", async () => {
    const { userName } = await registerPerson(server.url);
    await unregister(userName);
    const closed = { error: `The account of ${userName} is closed.` };
    expect(await unregister(userName)).toEqual(closed);
    expect(await ban(userName)).toEqual(closed);
    expect(await unban(userName)).toEqual(closed);
    expect(await sendAdminCommand(server.dataDir, { name: "resetPassword", userName })).toEqual(closed);
    expect(await ban("nobody")).toEqual({ error: "Nobody has the user name nobody." });
  });
});

test("users are listed with their state and the device they registered on, and counted", async () => {
  await using own = await createTestApp();
  const [a, b, c] = [
    await registerPerson(own.url),
    await registerPerson(own.url),
    await registerPerson(own.url),
  ];
  await sendAdminCommand(own.dataDir, { name: "ban", userName: b.userName, reason: "spam" });
  await c.ok("unregister", { body: { password: PASSWORD } });
  const sockets = [await a.connect(), await a.connect({ devId: "d" })];
  await a.ok("sendPrivateMessage", { body: { recvId: a.id, type: 0, content: "note" } });
  const users = async () => {
    let lines = "";
    await sendAdminCommand(own.dataDir, { name: "users" }, async (text) => void (lines += `${text}\n`));
    return lines;
  };
  const states = (await users()).split("\n").map((line) => line.split("\t")[5]);
  expect(states).toEqual([undefined, "banned: spam", "unregistered", undefined]);
  const body = {
    userName: "device",
    nickName: "D",
    password: "password-1",
    registerDevice: "Linux\tChrome 1",
  };
  const headers = { "content-type": "application/json" };
  await request(own.url, "/register", { method: "POST", headers, body: JSON.stringify(body) });
  expect(await users()).toContain("\tLinux Chrome 1\n");
  const stats = await sendAdminCommand(own.dataDir, { name: "stats" });
  const text = stats !== undefined && "text" in stats ? stats.text : "";
  expect(text).toContain("people\t4 (1 banned, 1 unregistered)\n");
  expect(text).toContain("online\t1\n");
  expect(text).toContain("messages\t1\n");
  expect(text).toMatch(/database\t\d+\.\d MiB\nfiles\t0, 0\.0 MiB$/);
  for (const socket of sockets) socket.close();
});
