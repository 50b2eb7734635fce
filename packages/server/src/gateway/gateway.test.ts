import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenPair } from "@parley/protocol/entities";
import { SOCKET_BUFFER_MAX_BYTES } from "@parley/protocol/limits";
import { eventually } from "../testing/eventually.ts";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import {
  type Device,
  type TestPerson,
  befriend,
  registerPerson,
  request,
  sendText,
  registerFriends,
} from "../testing/test-person.ts";
import { TestSocket } from "../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { CORS_ORIGINS: "https://chat.example.org", RATE_LIMITS: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const advance = (ms: number) => {
  server.clock.advance(ms);
  server.app.sweep();
};

describe("login", () => {
  test("a valid token is answered with the store's epoch", async () => {
    const a = await registerPerson(server.url);
    const socket = await TestSocket.open(server.url);
    socket.login({ accessToken: a.tokens.accessToken });
    expect(await socket.next()).toEqual({ cmd: 0, data: { epoch: server.app.store.epoch } });
    socket.close();
    expect(await socket.closed).toBe(3000);
  });

  test("the token may be URI-encoded; devId, clientId and caps may be null", async () => {
    const a = await registerPerson(server.url);
    const socket = await TestSocket.open(server.url);
    const accessToken = encodeURIComponent(a.tokens.accessToken);
    socket.login({ accessToken, devId: null, clientId: null, caps: null });
    expect((await socket.next()).cmd).toBe(0);
    socket.close();
  });

  test.each(["", "nonsense", "a.b.c"])("the invalid token %j closes with 4002", async (accessToken) => {
    const socket = await TestSocket.open(server.url);
    socket.login({ accessToken });
    expect(await socket.closed).toBe(4002);
  });

  test("an expired token closes with 4002", async () => {
    const a = await registerPerson(server.url);
    server.clock.advance(1_800_001);
    const socket = await TestSocket.open(server.url);
    socket.login({ accessToken: a.tokens.accessToken });
    expect(await socket.closed).toBe(4002);
  });

  test("a socket that never logs in closes with 4003 after 10 s, with or without heartbeats", async () => {
    const silent = await TestSocket.open(server.url);
    const beating = await TestSocket.open(server.url);
    advance(9_000);
    beating.send({ cmd: 1, data: {} });
    (await TestSocket.open(server.url)).close();
    advance(1_500);
    expect(await silent.closed).toBe(4003);
    expect(await beating.closed).toBe(4003);
  });

  test("after the clock is set back, a socket without a login and a silent one are still closed", async () => {
    const a = await registerPerson(server.url);
    const [silent, idle] = [await TestSocket.open(server.url), await a.connect()];
    const back = 3_600_000;
    advance(-back);
    advance(10_000);
    expect(await silent.closed).toBe(4003);
    expect(idle.ws.readyState).toBe(idle.ws.OPEN);
    advance(50_000);
    expect(await idle.closed).toBe(1001);
    advance(back - 60_000);
  });

  test("a second login frame is answered again", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    socket.login({ accessToken: a.tokens.accessToken });
    expect((await socket.next()).cmd).toBe(0);
    socket.close();
  });

  test("a second login frame with a newer token of the session is answered again", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    server.clock.advance(1_000);
    const { envelope } = await request(server.url, "/refreshToken", {
      method: "PUT",
      headers: { refreshToken: a.tokens.refreshToken },
    });
    socket.login({ accessToken: (envelope.data as TokenPair).accessToken });
    expect((await socket.next()).cmd).toBe(0);
    expect(socket.frames).toHaveLength(2);
    socket.close();
  });

  test("a second login frame with an invalid token closes with 4002", async () => {
    const socket = await (await registerPerson(server.url)).connect();
    socket.login({ accessToken: "nonsense" });
    expect(await socket.closed).toBe(4002);
  });

  test("a second login frame with the token of another session, one's own or a stranger's, closes with 4002", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    for (const { tokens } of [b, await a.elsewhere({ terminal: 1 })]) {
      const socket = await a.connect();
      socket.login({ accessToken: tokens.accessToken });
      expect(await socket.closed).toBe(4002);
    }
  });
});

describe("invalid frames", () => {
  test.each([
    ["no JSON", "{"],
    ["no object", '"text"'],
    ["an unknown cmd", '{"cmd":3,"data":{}}'],
    ["a login without token", '{"cmd":0,"data":{}}'],
    ["a wrong type", '{"cmd":0,"data":{"accessToken":5}}'],
    [
      "a device number of 65 characters",
      JSON.stringify({ cmd: 0, data: { accessToken: "x", devId: "d".repeat(65) } }),
    ],
    ["a NUL in the client id", JSON.stringify({ cmd: 0, data: { accessToken: "x", clientId: "a\0" } })],
  ])("%s closes with 4009", async (_name, text) => {
    const socket = await TestSocket.open(server.url);
    socket.send(text);
    expect(await socket.closed).toBe(4009);
  });

  test("a binary frame closes with 4009", async () => {
    const socket = await TestSocket.open(server.url);
    socket.ws.send(Buffer.from('{"cmd":1,"data":{}}'));
    expect(await socket.closed).toBe(4009);
  });

  test("a frame of more than 64 KiB closes with 4009", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    socket.send({ cmd: 1, data: "x".repeat(65_536) });
    expect(await socket.closed).toBe(4009);
  });

  test("a frame of endless fragments closes with 4009", async () => {
    const socket = await TestSocket.open(server.url);
    for (let i = 0; i < 20_000; i++) socket.ws.send("x", { fin: false });
    expect(await socket.closed).toBe(4009);
  });

  test("text that is not UTF-8 closes with 4009", async () => {
    const socket = await TestSocket.open(server.url);
    socket.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await socket.closed).toBe(4009);
  });

  test("a frame with chat content closes with 4009", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    socket.send({ cmd: 3, data: { type: 0, content: "hi", recvId: a.id } });
    expect(await socket.closed).toBe(4009);
  });
});

describe("heartbeat and presence", () => {
  test("every heartbeat is answered", async () => {
    const socket = await (await registerPerson(server.url)).connect();
    let replies = 0;
    socket.ws.on("message", (data: Buffer) => {
      if (data.toString() === '{"cmd":1,"data":null}') replies++;
    });
    for (let i = 0; i < 3; i++) await socket.flush();
    expect(replies).toBe(3);
    socket.close();
  });

  test("a socket without a frame for 60 s is closed; the pong of a ping counts as a frame", async () => {
    const dead = await TestSocket.open(server.url, { autoPong: false });
    const alive = await TestSocket.open(server.url);
    for (const socket of [dead, alive]) {
      socket.login({ accessToken: (await registerPerson(server.url)).tokens.accessToken });
      await socket.next();
    }
    const pinged = new Promise((resolve) => alive.ws.once("ping", resolve));
    advance(26_000);
    await pinged;
    // There is no answer to a pong, but frames that are sent after it on another socket are answered after it.
    const witness = await (await registerPerson(server.url)).connect();
    for (let i = 0; i < 3; i++) await witness.flush();
    witness.close();
    advance(35_000);
    expect(await dead.closed).toBe(1001);
    await alive.flush();
    alive.close();
  });

  test("a person is online from the first socket to the last", async () => {
    const [a, b] = await registerFriends(server.url);
    const online = () => a.ok("findOnlineTerminals", { query: { userIds: [b.id] } });
    expect(await online()).toEqual([]);
    const [one, two] = [await b.connect(), await b.connect()];
    expect(await online()).toEqual([{ userId: b.id, terminals: [2] }]);
    one.close();
    await one.closed;
    expect(await online()).toHaveLength(1);
    two.close();
    await two.closed;
    await expect.poll(online).toEqual([]);
  });
});

describe("an older socket of another device is kicked", () => {
  /** The device of the older socket, that of the newer one, and whether the older one is kicked. */
  const cases: [title: string, older: Device, newer: Device, isKicked: boolean][] = [
    ["another device number", { deviceNo: "d1" }, { deviceNo: "d2" }, true],
    ["a newer one without device number", { deviceNo: "d1" }, {}, true],
    ["an older one without device number", {}, { deviceNo: "d1" }, true],
    ["both without device number", {}, {}, true],
    ["the same device in another session", { deviceNo: "d1" }, { deviceNo: "d1" }, false],
    ["another terminal", { terminal: 2, deviceNo: "d1" }, { terminal: 1, deviceNo: "d2" }, false],
    [
      "an older web client counts as web",
      { terminal: 0, deviceNo: "d1" },
      { terminal: 2, deviceNo: "d2" },
      true,
    ],
  ];
  test.each(cases)("%s", async (_name, first, second, isKicked) => {
    const person = await registerPerson(server.url, first);
    const older = await person.connect();
    const newer = await (await person.elsewhere(second)).connect();
    if (isKicked) {
      expect(await older.next()).toMatchObject({
        cmd: 2,
        reason: "kicked",
        data: "您已在其他地方登录，将被强制下线",
      });
      advance(4_000);
      await newer.flush();
      expect(older.ws.readyState).toBe(1);
      advance(1_500);
      expect(await older.closed).toBe(4001);
    } else {
      expect((await older.flush()).some((frame) => frame.cmd === 2)).toBe(false);
      older.close();
    }
    expect((await newer.flush()).some((frame) => frame.cmd === 2)).toBe(false);
    newer.close();
  });

  test("a second socket of the same session kicks nobody, with or without a device number", async () => {
    const person = await registerPerson(server.url);
    const sockets = [await person.connect(), await person.connect(), await person.connect({ devId: "late" })];
    for (const socket of sockets) {
      expect((await socket.flush()).some((frame) => frame.cmd === 2)).toBe(false);
    }
    for (const socket of sockets) socket.close();
  });

  test("the devId of the login frame has priority over the device number of the login call", async () => {
    const person = await registerPerson(server.url, { deviceNo: "d1" });
    const older = await person.connect({ devId: "frame" });
    const newer = await (await person.elsewhere({ deviceNo: "d2" })).connect({ devId: "frame" });
    expect((await older.flush()).some((frame) => frame.cmd === 2)).toBe(false);
    older.close();
    newer.close();
  });

  test("a kicked socket receives no further frame", async () => {
    const [a, b] = await registerFriends(server.url);
    const older = await b.connect();
    const newer = await (await b.elsewhere()).connect();
    await older.next((frame) => frame.cmd === 2);
    await sendText(a, b, "secret of the new device");
    await newer.nextOf(0);
    advance(6_000);
    await older.closed;
    expect(older.of(0)).toEqual([]);
    newer.close();
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "follows Accept-Language",
      { "accept-language": "en-GB,zh;q=0.5" },
      "You have been logged in elsewhere and will be forced offline",
    ],
    ["is zh-CN without it, whatever DEFAULT_LANGUAGE is", {}, "您已在其他地方登录，将被强制下线"],
  ])("the message %s", async (_, headers, sentence) => {
    await using own = await createTestApp({ env: { DEFAULT_LANGUAGE: "en" } });
    const person = await registerPerson(own.url);
    const older = await TestSocket.open(own.url, { headers });
    older.login({ accessToken: person.tokens.accessToken });
    await older.next();
    const newer = await (await person.elsewhere()).connect();
    expect((await older.next()).data).toBe(sentence);
    for (const socket of [older, newer]) socket.close();
  });
});

describe("origins", () => {
  const open = (origin: string | undefined) =>
    TestSocket.open(server.url, origin === undefined ? {} : { origin }).then(
      (socket) => {
        socket.close();
        return "open";
      },
      (error: Error) => error.message,
    );

  test.each([
    ["a client without an origin", undefined, "open"],
    ["a configured origin", "https://chat.example.org", "open"],
    ["the desktop wrapper", "app://parley", "open"],
    ["a foreign origin", "https://evil.example", "Unexpected server response: 403"],
    ["a sandboxed page", "null", "Unexpected server response: 403"],
  ])("%s", async (_name, origin, answer) => {
    expect(await open(origin)).toBe(answer);
  });

  test("the server's own origin", async () => {
    expect(await open(server.url)).toBe("open");
  });

  test("another path than /im is 404", async () => {
    await expect(TestSocket.open(server.url, {}, "/other")).rejects.toThrow("404");
  });
});

describe("slow readers", () => {
  test("a client that does not read is closed with 4008 once 4 MiB are buffered, and other clients are not slowed down", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const slow = await b.connect();
    const fast = await c.connect();
    slow.ws.pause();
    const text = "字".repeat(1_024);
    // The kernel takes some megabytes before the server has to keep any.
    for (let sent = 0; sent < 6 * SOCKET_BUFFER_MAX_BYTES;) {
      const batch = Array.from({ length: 100 }, () => sendText(a, b, text));
      sent += (await Promise.all(batch)).length * text.length * 3;
      if ((await online(a, b)) === 0) break;
    }
    expect(await online(a, b)).toBe(0);
    await sendText(a, c, "still here");
    await fast.nextOf(0);
    slow.ws.resume();
    expect(await slow.closed).toBe(4008);
    fast.close();
  });

  const online = async (asker: TestPerson, of: TestPerson) =>
    (await asker.ok("findOnlineTerminals", { query: { userIds: [of.id] } })).length;
});

test("the number of sockets without a login is limited for each address", async () => {
  await using small = await createTestApp();
  const sockets: TestSocket[] = [];
  let refused = "";
  while (refused === "" && sockets.length < 2_100) {
    const opened = await Promise.allSettled(Array.from({ length: 100 }, () => TestSocket.open(small.url)));
    for (const result of opened) {
      if (result.status === "fulfilled") sockets.push(result.value);
      else refused = String(result.reason);
    }
  }
  expect(refused).toContain("429");
  expect(sockets).toHaveLength(2_000);
  // A socket that logs in, leaves, or is closed for a malformed frame makes room for one more.
  const { accessToken } = (await registerPerson(small.url)).tokens;
  const ways: ((socket: TestSocket | undefined) => void)[] = [
    (socket) => socket?.close(),
    (socket) => socket?.send("{"),
    (socket) => socket?.login({ accessToken }),
  ];
  const isAccepted = async () => {
    try {
      sockets.push(await TestSocket.open(small.url));
      return true;
    } catch {
      return false;
    }
  };
  for (const [index, free] of ways.entries()) {
    free(sockets[index]);
    await expect.poll(isAccepted).toBe(true);
    expect(await isAccepted()).toBe(false);
  }
  // A socket that was closed and does not answer the close frame is still connected.
  const [stubborn, witness] = [sockets[ways.length], sockets[ways.length - 1]];
  stubborn?.ws.pause();
  stubborn?.send("{");
  for (let i = 0; i < 3; i++) await witness?.flush();
  expect(await isAccepted()).toBe(false);
  stubborn?.ws.terminate();
  await expect.poll(isAccepted, { timeout: 10_000 }).toBe(true);
  for (const socket of sockets) socket.ws.terminate();
});

test("of one terminal and device 100 sockets are connected however many log in at once, and a new device still comes in", async () => {
  await using small = await createTestApp();
  const person = await registerPerson(small.url, { deviceNo: "d1" });
  const again = await person.elsewhere({ deviceNo: "d1" });
  const logIn = async ({ tokens }: TestPerson) => {
    const socket = await TestSocket.open(small.url);
    socket.login({ accessToken: tokens.accessToken });
    const code = await Promise.race([socket.next().then(() => null), socket.closed]);
    return { socket, code };
  };
  const all = await Promise.all(Array.from({ length: 130 }, (_, n) => logIn(n % 2 === 0 ? person : again)));
  const connected = all.filter(({ code }) => code === null);
  expect(connected).toHaveLength(100);
  expect(all.filter(({ code }) => code === 4010)).toHaveLength(30);

  const app = await person.elsewhere({ terminal: 1, deviceNo: "d2" });
  expect((await logIn(app)).code).toBeNull();
  connected[0]?.socket.close();
  await expect.poll(async () => (await logIn(person)).code, { timeout: 10_000 }).toBeNull();
  expect((await logIn(person)).code).toBe(4010);

  const moved = await logIn(await person.elsewhere({ deviceNo: "d3" }));
  expect(moved.code).toBeNull();
  expect(await connected[99]?.socket.next()).toMatchObject({ cmd: 2, reason: "kicked" });
  expect((await moved.socket.flush()).some(({ cmd }) => cmd === 2)).toBe(false);
});

test("connections that are being closed and do not end count too: at 300 of a person each login is refused", async () => {
  await using small = await createTestApp();
  const [person, friend] = await registerFriends(small.url);
  const online = () => friend.ok("findOnlineTerminals", { query: { userIds: [person.id] } });
  const logIn = async () => {
    const socket = await TestSocket.open(small.url);
    socket.login({ accessToken: person.tokens.accessToken });
    return { socket, code: await Promise.race([socket.next().then(() => null), socket.closed]) };
  };
  const stubborn: TestSocket[] = [];
  for (let round = 0; round < 3; round++) {
    const all = await Promise.all(Array.from({ length: 100 }, logIn));
    expect(all.filter(({ code }) => code !== null)).toEqual([]);
    for (const { socket } of all) {
      socket.ws.pause();
      socket.send("{");
      stubborn.push(socket);
    }
    await expect.poll(online).toEqual([]);
  }
  expect((await logIn()).code).toBe(4010);
  for (const { ws } of stubborn) ws.terminate();
  await expect.poll(async () => (await logIn()).code).toBeNull();
});

test("a stop of the server closes many sockets one after another, so that their clients do not come back all at once", async () => {
  const ending = await createTestApp();
  const person = await registerPerson(ending.url);
  const order: number[] = [];
  for (let n = 0; n < 50; n++) {
    const socket = await person.tab(`tab ${n}`).connect();
    void socket.closed.then((code) => {
      expect(code).toBe(1012);
      order.push(n);
    });
  }
  await ending[Symbol.asyncDispose]();
  await eventually(() => expect(order).toHaveLength(50));
  const last = Math.max(...Array.from({ length: 20 }, (_, n) => order.indexOf(n)));
  expect(last).toBeLessThan(order.indexOf(49));
});

test("a stop of the server closes sockets with 1012", async () => {
  const small = await createTestApp();
  const socket = await (await registerPerson(small.url)).connect();
  const fresh = await TestSocket.open(small.url);
  await small[Symbol.asyncDispose]();
  expect(await socket.closed).toBe(1012);
  expect(await fresh.closed).toBe(1012);
});

test("bytes that are not an upgrade request are rejected without affecting the server", async () => {
  const raw = connect(server.app.port, "127.0.0.1");
  raw.write("GET /im HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  const answer = await new Promise<string>((resolve) => raw.once("data", (data) => resolve(data.toString())));
  expect(answer).toContain("400");
  raw.destroy();
  const socket = await (await registerPerson(server.url)).connect();
  await socket.flush();
  socket.close();
});
