import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { hash } from "@node-rs/argon2";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenPair } from "@parley/protocol/entities";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { DEFAULT_RATE_LIMITS } from "../../adapters/rate-limiter/rate-limits.ts";
import { createRateLimiter, noRateLimiter } from "../../adapters/rate-limiter/memory-rate-limiter.ts";
import type { ApiError } from "../../api/api-error.ts";
import type { RateLimiter, WindowLimit } from "../../ports/rate-limiter.ts";
import type { Tx } from "../../ports/store.ts";
import { pauseRead } from "../../testing/paused-store.ts";
import { PASSWORD, registerPerson, logIn, request } from "../../testing/test-person.ts";
import { type LoginDeps, createLogin } from "./login.ts";
import { createPasswordHasher } from "./password-hasher.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  request(server.url, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const refresh = (token: string) =>
  request(server.url, "/refreshToken", { method: "PUT", headers: { refreshToken: token } });
const self = (token: string) => request(server.url, "/user/self", { headers: { accessToken: token } });
const attempt = (userName: string, password: string) => post("/login", { terminal: 2, userName, password });

const COMPOSED = "Pässwörd-Café1";
const DECOMPOSED = "Pa\u0308sswo\u0308rd-Cafe\u03011";
const FULL_WIDTH = "Ｐässｗörd－Café１";

describe("F14 one password in several forms", () => {
  let nameCount = 0;
  const register = (password: string, confirmPassword: string) => {
    const userName = `forms${++nameCount}`;
    const form = { terminal: 2, userName, nickName: "N", password, confirmPassword };
    return post("/register", form).then(({ envelope }) => ({ userName, envelope }));
  };
  const tokenOf = async (userName: string, password: string) =>
    ((await attempt(userName, password)).envelope.data as TokenPair).accessToken;

  test.each([COMPOSED, DECOMPOSED, FULL_WIDTH])(
    "whoever registers with %j can use each",
    async (password) => {
      const { userName, envelope } = await register(password, DECOMPOSED);
      expect(envelope.code).toBe(200);
      for (const typed of [COMPOSED, DECOMPOSED, FULL_WIDTH])
        expect((await attempt(userName, typed)).envelope.code).toBe(200);
      expect((await attempt(userName, COMPOSED.toLowerCase())).envelope.code).toBe(10_001);
      // A user name typed in full width is the same too.
      const wide = userName.replace("forms", "ｆｏｒｍｓ");
      expect((await attempt(wide, password)).envelope.code).toBe(200);
    },
  );

  test("the password is changed, and the account closed, with either form", async () => {
    const { userName } = await register(COMPOSED, COMPOSED);
    const headers = { accessToken: await tokenOf(userName, DECOMPOSED), "content-type": "application/json" };
    const put = (oldPassword: string, newPassword: string) =>
      request(server.url, "/modifyPwd", {
        method: "PUT",
        headers,
        body: JSON.stringify({ oldPassword, newPassword }),
      });
    expect((await put(DECOMPOSED, `${DECOMPOSED}2`)).envelope.code).toBe(200);
    expect((await put(DECOMPOSED, COMPOSED)).envelope.key).toBe("password.oldWrong");
    const close = (password: string) =>
      request(server.url, "/unregister", { method: "DELETE", headers, body: JSON.stringify({ password }) });
    expect((await close(DECOMPOSED)).envelope.key).toBe("password.wrong");
    expect((await close(`${COMPOSED}2`)).envelope.code).toBe(200);
  });

  test("an account from before stays usable with what it was set with, and afterwards with each form", async () => {
    const { userName } = await register(COMPOSED, COMPOSED);
    const { store } = server.app;
    const { id } = (await store.findUserByName(userName))!;
    const earlier = await hash(DECOMPOSED, { memoryCost: 64, timeCost: 1 });
    await store.write((tx) => tx.setPasswordHash(id, earlier));
    expect((await attempt(userName, COMPOSED)).envelope.code).toBe(10_001);
    expect((await attempt(userName, DECOMPOSED)).envelope.code).toBe(200);
    expect((await attempt(userName, COMPOSED)).envelope.code).toBe(200);
  });

  test("lengths count in the form that is compared", async () => {
    expect((await register("a\u0308".repeat(72), "ä".repeat(72))).envelope.code).toBe(200);
    expect((await register("a\u0308".repeat(7), "ä".repeat(7))).envelope.key).toBe("request.malformed");
  });
});

describe("POST /login", () => {
  test("answers two tokens and their lifetimes in seconds", async () => {
    const { userName } = await registerPerson(server.url);
    const { status, envelope } = await attempt(userName, PASSWORD);
    expect(status).toBe(200);
    expect(envelope).toEqual({
      code: 200,
      message: "成功",
      data: {
        accessToken: expect.any(String),
        accessTokenExpiresIn: 1_800,
        refreshToken: expect.any(String),
        refreshTokenExpiresIn: 604_800,
      },
    });
  });

  test("the case of the user name does not matter", async () => {
    const { userName } = await registerPerson(server.url, { userName: "CaSe1" });
    expect((await attempt(userName.toLowerCase(), PASSWORD)).envelope.code).toBe(200);
  });

  test("an unknown name and a wrong password get the same answer", async () => {
    const { userName } = await registerPerson(server.url);
    const [wrong, unknown] = [await attempt(userName, "wrong-word"), await attempt("nobody99", "wrong-word")];
    expect(wrong.envelope).toMatchObject({ code: 10_001, message: "用户名或密码不正确", data: null });
    expect(unknown.envelope).toEqual(wrong.envelope);
    expect(wrong.status).toBe(200);
  });

  test.each(["zh-TW,en;q=0.5", "en-US"])(
    "the message is in the language of Accept-Language %s",
    async (language) => {
      const { envelope } = await post(
        "/login",
        { terminal: 2, userName: "nobody98", password: "x" },
        { "accept-language": language },
      );
      expect(envelope.message).toBe(
        language.startsWith("en") ? "Wrong username or password" : "使用者名稱或密碼不正確",
      );
    },
  );

  test.each([
    ["no terminal", { userName: "a", password: "b" }, "terminal"],
    ["an unknown terminal", { terminal: 3, userName: "a", password: "b" }, "terminal"],
    ["a number as name", { terminal: 2, userName: 5, password: "b" }, "userName"],
    ["no password", { terminal: 2, userName: "a" }, "password"],
    ["a NUL in the password", { terminal: 2, userName: "a", password: "a\0b" }, "password"],
    ["a list as body", [], "body"],
    ["null as body", null, "body"],
  ])("%s is malformed", async (_name, body, field) => {
    const { status, envelope } = await post("/login", body);
    expect(status).toBe(400);
    expect(envelope).toMatchObject({ code: 500, key: "request.malformed", data: null });
    expect(envelope.message.startsWith(`${field}: `)).toBe(true);
  });

  test("after ten wrong passwords for one name and address even the right one is 429; other names are not affected", async () => {
    await using own = await createTestApp();
    const [a, b] = [await registerPerson(own.url), await registerPerson(own.url)];
    const attemptLogin = (userName: string, password: string) =>
      request(own.url, "/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ terminal: 2, userName, password }),
      });
    // All at once: each is counted before it is checked.
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => attemptLogin(a.userName, "wrong-word")),
    );
    expect(answers.filter((answer) => answer.envelope.code === 10_001)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(5);
    const right = await attemptLogin(a.userName.toUpperCase(), PASSWORD);
    expect(right.status).toBe(429);
    expect(right.envelope).toMatchObject({ code: 429, key: "request.tooMany" });
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(500);
    expect((await attemptLogin(b.userName, PASSWORD)).envelope.code).toBe(200);
  });

  test("an attempt rejected by one of the two limits leaves the other as it was, and an address over its limit no trace of the names", async () => {
    const left = { name: 10, address: 0 };
    const countedNames = new Set<string | number>();
    const countOf = (limit: WindowLimit) => (limit === "wrongPasswordsOfName" ? "name" : "address");
    const rateLimiter: RateLimiter = {
      ...noRateLimiter,
      async consume(limit, key) {
        if (limit === "wrongPasswordsOfName") countedNames.add(key);
        if (left[countOf(limit)] === 0) return 1;
        left[countOf(limit)]--;
        return 0;
      },
      refund: async (limit) => void left[countOf(limit)]++,
    };
    const { store } = server.app;
    // The login fails before it needs the other dependencies.
    const deps = {
      store,
      rateLimiter,
      passwordHasher: createPasswordHasher("low"),
    } as unknown as LoginDeps;
    const body = { terminal: 2, userName: "anybody", password: "wrong-word" };
    const call = { body, ip: "10.0.0.1", header: () => null, now: 0 } as never;
    const tryLogin = async () => createLogin(deps).login(call);
    await expect(tryLogin()).rejects.toMatchObject({ key: "request.tooMany" });
    expect(left).toEqual({ name: 10, address: 0 });
    expect([...countedNames]).toEqual([]);
    left.address = 1;
    await expect(tryLogin()).rejects.toMatchObject({ key: "login.wrongPassword" });
    expect(left).toEqual({ name: 9, address: 0 });
    Object.assign(left, { name: 0, address: 5 });
    await expect(tryLogin()).rejects.toMatchObject({ key: "request.tooMany" });
    expect(left).toEqual({ name: 0, address: 5 });
  });

  test("the addresses of one IPv6 network count as one", async () => {
    const deps = {
      store: server.app.store,
      rateLimiter: createRateLimiter(DEFAULT_RATE_LIMITS),
      passwordHasher: createPasswordHasher("low"),
    } as unknown as LoginDeps;
    const { login } = createLogin(deps);
    const body = { terminal: 2, userName: "anybody", password: "wrong-word" };
    const keyFrom = async (ip: string) => {
      const attempted = Promise.resolve(login({ body, ip, header: () => null, now: 0 } as never));
      return attempted.catch((error: ApiError) => error.key);
    };
    for (let n = 0; n < 10; n++) expect(await keyFrom(`2001:db8:1:2::${n}`)).toBe("login.wrongPassword");
    expect(await keyFrom("2001:db8:1:2:3::4")).toBe("request.tooMany");
    expect(await keyFrom("2001:db8:1:3::1")).toBe("login.wrongPassword");
  });

  test("right passwords are not counted, however many come at once", async () => {
    await using own = await createTestApp();
    const { userName } = await registerPerson(own.url);
    await Promise.all(Array.from({ length: 120 }, () => logIn(own.url, userName)));
  });

  test("a banned or closed account learns the reason, but only after the right password", async () => {
    const [banned, closed] = [await registerPerson(server.url), await registerPerson(server.url)];
    const db = new Database(joinPath(server.dataDir, "parley.sqlite"));
    db.prepare("update user set banReason = ? where id = ?").run("spam", banned.id);
    db.prepare("update user set unregisteredAt = ? where id = ?").run(1, closed.id);
    db.close();
    expect((await attempt(banned.userName, PASSWORD)).envelope).toMatchObject({
      code: 500,
      message: "您的账号因'spam'已被管理员封禁,请联系客服!",
    });
    expect((await attempt(closed.userName, PASSWORD)).envelope).toMatchObject({
      code: 500,
      message: "您的账号已注销",
    });
    for (const { userName } of [banned, closed]) {
      expect((await attempt(userName, "wrong-word")).envelope.code).toBe(10_001);
    }
    expect((await refresh(banned.tokens.refreshToken)).envelope.key).toBe("auth.refreshExpired");
  });

  test("a ban, a closed account or a new password during the password check rejects the login", async () => {
    const { store } = server.app;
    const changes: [(tx: Tx, userId: number) => Promise<unknown>, string][] = [
      [(tx, id) => tx.setBanReason(id, "spam"), "account.banned"],
      [(tx, id) => tx.setUnregistered(id, 1), "account.unregistered"],
      [(tx, id) => tx.setPasswordHash(id, "another"), "login.wrongPassword"],
    ];
    for (const [change, key] of changes) {
      const { id, userName } = await registerPerson(server.url);
      const before = await store.listSessions(id, 0);
      const pausedRead = pauseRead(store, "findUserByName");
      const login = attempt(userName, PASSWORD);
      await pausedRead.reached;
      await store.write((tx) => change(tx, id));
      pausedRead.release();
      expect((await login).envelope.key).toBe(key);
      expect(await store.listSessions(id, 0)).toEqual(before);
    }
  });

  test("a session lasts as long as its refresh token, counted from the login", async () => {
    const { id } = await registerPerson(server.url);
    const [row] = await server.app.store.listSessions(id, 0);
    expect(row).toMatchObject({ createdAt: server.clock.now(), refreshSerial: 0, endedAt: null });
    expect(row?.expiresAt).toBe(server.clock.now() + 604_800_000);
  });

  test("without Accept-Language messages are in zh-CN, whatever DEFAULT_LANGUAGE is", async () => {
    await using own = await createTestApp({ env: { DEFAULT_LANGUAGE: "en" } });
    const messageFor = async (headers: Record<string, string>) =>
      (await request(own.url, "/user/self", { headers })).envelope.message;
    // fetch sends "*" by itself, which names no language.
    expect(await messageFor({})).toBe("未登录");
    expect(await messageFor({ "accept-language": "fr" })).toBe("未登录");
    expect(await messageFor({ "accept-language": "en" })).toBe("You are not logged in");
    expect(await messageFor({ "accept-language": "zh-HK" })).toBe("未登入");
  });

  test("right passwords are not counted", async () => {
    await using own = await createTestApp();
    const { userName } = await registerPerson(own.url);
    for (let i = 0; i < 12; i++) await logIn(own.url, userName);
  });

  test("after 100 wrong passwords from one address the address is limited", async () => {
    await using own = await createTestApp();
    const answers = await Promise.all(
      Array.from({ length: 101 }, (_, i) =>
        request(own.url, "/login", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ terminal: 2, userName: `ghost${i}`, password: "wrong-word" }),
        }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  });
});

describe("access tokens", () => {
  test("no token is code 400 with HTTP 200", async () => {
    const { status, envelope } = await request(server.url, "/user/self");
    expect(status).toBe(200);
    expect(envelope).toMatchObject({ code: 400, message: "未登录", data: null });
    expect((await self("")).envelope.code).toBe(400);
  });

  test("the header may be URI-encoded", async () => {
    const { tokens } = await registerPerson(server.url);
    expect((await self(encodeURIComponent(tokens.accessToken))).envelope.code).toBe(200);
  });

  test("a token is valid for 30 minutes, whether the server has seen it or not", async () => {
    const person = await registerPerson(server.url);
    const unseen = await logIn(server.url, person.userName);
    server.clock.advance(1_799_000);
    expect((await self(person.tokens.accessToken)).envelope.code).toBe(200);
    server.clock.advance(2_000);
    expect((await self(person.tokens.accessToken)).envelope).toMatchObject({ code: 401 });
    expect((await self(unseen.tokens.accessToken)).envelope).toMatchObject({ code: 401 });
  });

  test("garbage, a token with alg none, one of another secret, a changed one and a refresh token are 401", async () => {
    const { tokens } = await registerPerson(server.url);
    const [head = "", payload = "", signature = ""] = tokens.accessToken.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { sub: string };
    const other = encode({ ...claims, sub: "1" });
    const foreign = createHmac("sha256", "another secret").update(`${head}.${payload}`).digest("base64url");
    const secret = await readFile(joinPath(server.dataDir, "secret"), "utf8");
    const hs512 = `${encode({ alg: "HS512" })}.${payload}`;
    const badTokens = [
      "garbage",
      "a.b.c",
      "%",
      `${encode({ alg: "none" })}.${payload}.`,
      `${encode({ alg: "none" })}.${payload}.${signature}`,
      `${head}.${payload}.${foreign}`,
      `${head}.${other}.${signature}`,
      `${head}.${payload}.`,
      `${hs512}.${createHmac("sha512", secret).update(hs512).digest("base64url")}`,
      tokens.refreshToken,
    ];
    for (const token of badTokens) {
      const { status, envelope } = await self(token);
      expect([token, status, envelope.code]).toEqual([token, 200, 401]);
    }
  });

  test("a token of another server with the same secret is 401: its session is unknown here", async () => {
    const secret = await readFile(joinPath(server.dataDir, "secret"), "utf8");
    await using other = await createTestApp({ env: { SECRET: secret } });
    const { tokens } = await registerPerson(server.url);
    const answer = await request(other.url, "/user/self", { headers: { accessToken: tokens.accessToken } });
    expect(answer.envelope.code).toBe(401);
  });
});

describe("POST /logout", () => {
  test("revokes this session at once and closes its sockets with the reason", async () => {
    const person = await registerPerson(server.url, { terminal: 2, deviceNo: "d" });
    const phone = await person.elsewhere({ terminal: 1 });
    const [socket, other] = [await person.connect(), await phone.connect()];
    await person.ok("logout");
    expect((await person.call("self")).envelope.code).toBe(401);
    expect((await refresh(person.tokens.refreshToken)).envelope.code).toBe(500);
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "sessionEnded" });
    server.clock.advance(5_001);
    server.app.sweep();
    expect(await socket.closed).toBe(4001);
    await phone.ok("self");
    await other.flush();
    other.close();
  });
});

describe("PUT /refreshToken", () => {
  const pairOf = async (token: string) => {
    const { envelope } = await refresh(token);
    expect(envelope.code).toBe(200);
    return envelope.data as TokenPair;
  };

  test("answers a new pair; both access tokens are valid", async () => {
    const person = await registerPerson(server.url);
    server.clock.advance(1_000);
    const pair = await pairOf(person.tokens.refreshToken);
    expect(pair.refreshToken).not.toBe(person.tokens.refreshToken);
    expect((await self(pair.accessToken)).envelope.code).toBe(200);
    expect((await person.call("self")).envelope.code).toBe(200);
  });

  test("the previous refresh token is accepted for 60 s", async () => {
    const person = await registerPerson(server.url);
    await pairOf(person.tokens.refreshToken);
    server.clock.advance(60_000);
    const again = await pairOf(person.tokens.refreshToken);
    expect((await self(again.accessToken)).envelope.code).toBe(200);
    await pairOf(again.refreshToken);
  });

  test("reuse after 60 s ends the session, also for the newest pair", async () => {
    const person = await registerPerson(server.url);
    const pair = await pairOf(person.tokens.refreshToken);
    const socket = await person.connect();
    server.clock.advance(60_001);
    const { status, envelope } = await refresh(person.tokens.refreshToken);
    expect(status).toBe(200);
    expect(envelope).toMatchObject({
      code: 500,
      message: "您的登录信息已过期，请重新登录",
      key: "auth.refreshExpired",
    });
    expect((await self(pair.accessToken)).envelope.code).toBe(401);
    expect((await refresh(pair.refreshToken)).envelope.code).toBe(500);
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "sessionEnded" });
    socket.close();
  });

  test("a refresh token from two rotations ago ends the session even within 60 s", async () => {
    const person = await registerPerson(server.url);
    const second = await pairOf(person.tokens.refreshToken);
    await pairOf(second.refreshToken);
    expect((await refresh(person.tokens.refreshToken)).envelope.code).toBe(500);
    expect((await self(second.accessToken)).envelope.code).toBe(401);
  });

  test("a refresh token is valid for 7 days, and each rotation gives 7 more", async () => {
    const person = await registerPerson(server.url);
    server.clock.advance(6 * 24 * 3_600_000);
    const pair = await pairOf(person.tokens.refreshToken);
    server.clock.advance(6 * 24 * 3_600_000);
    const next = await pairOf(pair.refreshToken);
    server.clock.advance(7 * 24 * 3_600_000 + 1_000);
    expect((await refresh(next.refreshToken)).envelope.code).toBe(500);
  });

  test.each(["", "garbage", "%"])("the token %j is code 500, never 401", async (token) => {
    const { status, envelope } = await refresh(token);
    expect([status, envelope.code, envelope.key]).toEqual([200, 500, "auth.refreshExpired"]);
  });

  test("an access token is not accepted as a refresh token", async () => {
    const { tokens } = await registerPerson(server.url);
    expect((await refresh(tokens.accessToken)).envelope.key).toBe("auth.refreshExpired");
  });
});

describe("PUT /modifyPwd", () => {
  test("changes the password, ends the other sessions with the reason, keeps this one", async () => {
    const person = await registerPerson(server.url);
    const other = await person.elsewhere({ terminal: 1 });
    const socket = await other.connect();
    await person.ok("modifyPwd", { body: { oldPassword: PASSWORD, newPassword: "new-password" } });
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "passwordChanged" });
    expect((await other.call("self")).envelope.code).toBe(401);
    await person.ok("self");
    expect((await attempt(person.userName, PASSWORD)).envelope.code).toBe(10_001);
    expect((await attempt(person.userName, "new-password")).envelope.code).toBe(200);
    socket.close();
  });

  test("a wrong old password is refused and counts as a wrong login", async () => {
    await using own = await createTestApp();
    const person = await registerPerson(own.url);
    const body = { oldPassword: "wrong-word", newPassword: "new-password" };
    const { envelope } = await person.call("modifyPwd", { body });
    expect(envelope).toMatchObject({ code: 500, message: "旧密码不正确" });
    for (let i = 0; i < 9; i++) await person.call("modifyPwd", { body });
    await expect(logIn(own.url, person.userName)).rejects.toThrow("429");
  });

  test("another password, a reset or a ban during the check is kept, and this change is refused", async () => {
    const { store } = server.app;
    const changes: [(tx: Tx, userId: number) => Promise<unknown>, string][] = [
      [(tx, id) => tx.setPasswordHash(id, "another"), "password.oldWrong"],
      [(tx, id) => tx.setBanReason(id, "spam"), "auth.tokenInvalid"],
      [
        async (tx, id) => {
          await tx.setPasswordHash(id, "another");
          await tx.endSessions(id, null, "passwordChanged", server.clock.now());
        },
        "auth.tokenInvalid",
      ],
    ];
    for (const [change, key] of changes) {
      const person = await registerPerson(server.url);
      const pausedRead = pauseRead(store, "findUser");
      const body = { oldPassword: PASSWORD, newPassword: "new-password" };
      const changing = person.errorKeyOf("modifyPwd", { body });
      await pausedRead.reached;
      const before = await store.write(async (tx) => {
        await change(tx, person.id);
        return tx.findUser(person.id);
      });
      pausedRead.release();
      expect(await changing).toBe(key);
      expect(await store.findUser(person.id)).toEqual(before);
    }
  });

  test.each(["short12", "x".repeat(73)])(
    "the new password %j is malformed: it needs 8 to 72 characters",
    async (newPassword) => {
      const person = await registerPerson(server.url);
      const { status } = await person.call("modifyPwd", { body: { oldPassword: PASSWORD, newPassword } });
      expect(status).toBe(400);
    },
  );

  test("a request without a token is 400", async () => {
    const { envelope } = await request(server.url, "/modifyPwd", { method: "PUT" });
    expect(envelope.code).toBe(400);
  });
});
