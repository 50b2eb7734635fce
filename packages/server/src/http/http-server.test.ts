import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Endpoint } from "@parley/protocol/endpoint";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import { type TestPerson, registerPerson, request, registerFriends } from "../testing/test-person.ts";

let server: TestApp;
let web: string;
beforeAll(async () => {
  web = await mkdtemp(joinPath(tmpdir(), "parley-web-"));
  await mkdir(joinPath(web, "assets"));
  await writeFile(joinPath(web, "index.html"), "<!doctype html><title>Parley</title>");
  await writeFile(joinPath(web, "assets/index-abc.js"), "export {};");
  await writeFile(joinPath(web, "assets/index-abc.js.gz"), "zipped");
  await mkdir(joinPath(web, "emoticons"));
  await writeFile(joinPath(web, "emoticons/0.gif"), "GIF89a");
  await writeFile(joinPath(web, "icon.svg"), "<svg/>");
  await writeFile(joinPath(web, "service-worker.js"), "worker");
  server = await createTestApp({
    env: { CORS_ORIGINS: "https://chat.example.org", RATE_LIMITS: "off" },
    webFolder: web,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(web, { recursive: true });
});

/** Sends raw bytes and returns everything that the server sends until it closes. */
async function sendRaw(bytes: string, port = server.app.port): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (part: string) => (text += part));
  socket.on("error", () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.on("close", resolve));
  return text;
}

const endpoints = Object.entries<Endpoint>(ENDPOINTS);
const sample = (endpoint: Endpoint) => endpoint.path.replace(/:\w+/, "1");

/** Somebody who may call the endpoint. */
async function callerOf({ auth }: Endpoint): Promise<TestPerson> {
  const person = await registerPerson(server.url);
  if (auth === "admin") await server.app.store.write((tx) => tx.setAdmin(person.id, true));
  return person;
}

describe("every endpoint", () => {
  test.each(endpoints.filter(([, endpoint]) => endpoint.auth === "token" || endpoint.auth === "admin"))(
    "%s needs a token: without one the code is 400, with a bad one 401, both with HTTP 200",
    async (_name, endpoint) => {
      const method = endpoint.method;
      const none = await request(server.url, sample(endpoint), { method });
      expect([none.status, none.envelope.code, none.envelope.message]).toEqual([200, 400, "未登录"]);
      const bad = await request(server.url, sample(endpoint), { method, headers: { accessToken: "bad" } });
      expect([bad.status, bad.envelope.code]).toEqual([200, 401]);
    },
  );

  test("a body that is not UTF-8 is malformed", async () => {
    const [a, b] = await registerFriends(server.url);
    const [start = "", end = ""] = JSON.stringify({ recvId: b.id, type: 0, content: "?" }).split("?");
    const answer = await request(server.url, "/message/private/send", {
      method: "POST",
      headers: { accessToken: a.tokens.accessToken, "content-type": "application/json" },
      body: Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0xc3]), Buffer.from(end)]),
    });
    expect([answer.status, answer.envelope.message]).toEqual([400, "body: is not UTF-8"]);
  });

  test("a HEAD request is 405 and does not run the handler of GET", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 0, content: "x" } });
    const answer = await fetch(`${server.url}/api/user/flushAllMessage`, {
      method: "HEAD",
      headers: { accessToken: encodeURIComponent(a.tokens.accessToken) },
    });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    expect(await a.ok("loadPrivateMessages", { query: { minId: 0 } })).toHaveLength(2);
  });

  test.each(endpoints.filter(([, endpoint]) => endpoint.body !== undefined))(
    "%s: a body that is missing, empty, not JSON or not an object is malformed, unless nothing is needed in it",
    async (_name, endpoint) => {
      const { tokens } = await callerOf(endpoint);
      const valueOf = (body: string | undefined): unknown => (body ? JSON.parse(body) : undefined);
      const bodies = ["[]", "null", "5", '"text"', "", "{}", undefined].filter(
        (body) => endpoint.body?.safeParse(valueOf(body)).success === false,
      );
      for (const body of ["{", ...bodies]) {
        const answer = await request(server.url, sample(endpoint), {
          method: endpoint.method,
          headers: { accessToken: tokens.accessToken, "content-type": "application/json" },
          ...(body !== undefined && { body }),
        });
        expect([body, answer.status, answer.envelope.code, answer.envelope.key]).toEqual([
          body,
          400,
          500,
          "request.malformed",
        ]);
        expect(answer.envelope.message).toMatch(/^\w+: .+/);
      }
    },
  );

  test.each(endpoints.filter(([, endpoint]) => endpoint.query !== undefined))(
    "%s: a query with invalid values is malformed",
    async (_name, endpoint) => {
      const { tokens } = await callerOf(endpoint);
      const names = Object.keys((endpoint.query as unknown as { shape: object }).shape);
      for (const value of ["%00", "-1", "1e9", "%F0", "a&b", "x".repeat(500)]) {
        const query = names.map((name) => `${name}=${value}&${name}=twice`).join("&");
        const answer = await request(server.url, `${sample(endpoint)}?${query}`, {
          method: endpoint.method,
          headers: { accessToken: tokens.accessToken },
        });
        expect([answer.status, answer.envelope.code]).toEqual([400, 500]);
      }
    },
  );
});

describe("requests that match no endpoint", () => {
  test("an unknown path under /api is 404, in an envelope", async () => {
    const { status, envelope } = await request(server.url, "/none");
    expect(status).toBe(404);
    expect(envelope).toEqual({ code: 500, message: "请求的资源不存在", data: null, key: "request.notFound" });
  });

  test("a wrong method is 405, and the answer names the right one", async () => {
    const { status, headers, envelope } = await request(server.url, "/login", { method: "DELETE" });
    expect([status, headers.get("allow"), envelope.code]).toEqual([405, "POST", 500]);
  });

  test("a body over 64 KiB is 413", async () => {
    const { status, envelope, headers } = await request(server.url, "/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ terminal: 2, userName: "a", password: "x".repeat(65_536) }),
    });
    expect([status, envelope.code, envelope.key]).toEqual([413, 500, "request.tooLarge"]);
    expect(headers.get("x-request-id")).toMatch(/./);
  });

  test("a chunked body over 64 KiB is 413 as well", async () => {
    const chunk = `${(4_096).toString(16)}\r\n${"x".repeat(4_096)}\r\n`;
    const answer = await sendRaw(
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "a body of type %s is 415",
    async (type) => {
      const { status, envelope } = await request(server.url, "/login", {
        method: "POST",
        headers: { "content-type": type },
        body: "terminal=2",
      });
      expect([status, envelope.code]).toEqual([415, 500]);
    },
  );

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded"])(
    "an empty body of type %s counts as no body",
    async (type) => {
      const { tokens } = await registerPerson(server.url);
      const { envelope } = await request(server.url, "/user/manualApprove?enabled=true", {
        method: "PUT",
        headers: { accessToken: tokens.accessToken, "content-type": type },
      });
      expect(envelope.code).toBe(200);
    },
  );

  test("an HTTP/2 upgrade offer is ignored", async () => {
    const answer = await sendRaw(
      "GET /api/globalSetting/load HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["GET", "/none"],
    ["POST", "/none"],
    ["POST", "/login"],
    ["DELETE", "/login"],
    ["GET", "/openapi.json"],
  ])("the answer to %s %s forbids browsers to guess its type", async (method, path) => {
    const { headers } = await fetch(`${server.url}/api${path}`, { method });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("an unexpected error is 500 with the request's id, and only the log contains the details", async () => {
    const person = await registerPerson(server.url);
    const { store } = server.app;
    const original = store.findUser;
    store.findUser = () => Promise.reject(new Error("planted secret detail"));
    const before = server.logs.length;
    try {
      const { status, envelope, headers } = await person.call("self");
      expect([status, envelope.code, envelope.key]).toEqual([500, 500, "server.error"]);
      const requestId = headers.get("x-request-id") ?? "";
      expect(envelope.message).toContain(requestId);
      expect(JSON.stringify(envelope)).not.toContain("planted");
      const line = server.logs.slice(before).join("");
      expect(line).toContain("planted secret detail");
      expect(line).toContain(requestId);
      const posted = await person.call("updateUser", { body: { id: person.id } });
      expect(posted.status).toBe(500);
      expect(server.logs.slice(before).join("")).toContain(posted.headers.get("x-request-id"));
    } finally {
      store.findUser = original;
    }
  });

  test.each([
    ["bytes that are not HTTP", "hello\r\n\r\n", 400],
    ["a broken escape in the path", "GET /api/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["a request without a host", "GET /api/user/self HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    [
      "a request that expects what nobody knows",
      "GET /api/none HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n",
      404,
    ],
    ["a header over 16 KiB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    [
      "a malformed body on a connection that closes",
      "POST /api/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{x",
      400,
    ],
  ])("%s is answered with an error envelope", async (_name, bytes, status) => {
    const answer = await sendRaw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toMatch(/^\{"code":500,"message":".*"data":null/);
  });

  test("a request is answered once, even if its body turns out to be broken afterwards", async () => {
    // The server answers at the end of the headers and learns a moment later that the body cannot be read.
    const answer = await sendRaw(
      "POST /api/group/request/approve HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    );
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test("of several hundred requests that come at once on a connection the later ones are refused, and all are answered", async () => {
    const text = (headers: string) => `GET /api/globalSetting/load HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const answer = await sendRaw(text("").repeat(299) + text("Connection: close\r\n"));
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toHaveLength(300);
    expect(new Set(statuses)).toEqual(new Set(["200", "429"]));
    expect(statuses.slice(0, 50)).not.toContain("429");
  });

  test("a connection may send any number of requests one after another", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses = new Set<number | undefined>();
    for (let n = 0; n < 120; n++) {
      const [response] = await once(get({ port: server.app.port, path: "/healthz", agent }), "response");
      statuses.add((response as IncomingMessage).resume().statusCode);
      await once(response as IncomingMessage, "end");
    }
    agent.destroy();
    expect([...statuses]).toEqual([200]);
  });

  test("HTML in a path or a query is never returned as HTML", async () => {
    const answer = await fetch(`${server.url}/api/<script>alert(1)</script>?x=<b>`);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

describe("health", () => {
  test("/healthz and /readyz answer 200; /readyz 503 when the store does not work", async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { store } = server.app;
    const original = store.isReady;
    store.isReady = () => Promise.resolve(false);
    const down = await fetch(`${server.url}/readyz`);
    store.isReady = original;
    expect([down.status, await down.json()]).toMatchObject([503, { code: 500, key: "server.unavailable" }]);
  });

  test("/api/openapi.json describes every endpoint", async () => {
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toMatch(/^3\.1/);
    const described = Object.values(document.paths).flatMap((path) => Object.keys(path));
    expect(described.length).toBeGreaterThanOrEqual(endpoints.length);
  });
});

describe("other origins", () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/api/login`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "accesstoken,content-type",
      },
    });

  test.each(["https://chat.example.org", "app://parley"])("pages of %s may call", async (origin) => {
    const answer = await preflight(origin);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(", ") ?? [];
    for (const name of [
      "accesstoken",
      "refreshtoken",
      "content-type",
      "accept-language",
      "clientid",
      "terminal",
    ]) {
      expect(allowed).toContain(name);
    }
    const get = await fetch(`${server.url}/api/globalSetting/load`, { headers: { origin } });
    expect(get.headers.get("access-control-allow-origin")).toBe(origin);
    const refused = await fetch(`${server.url}/api/user/self`, { headers: { origin } });
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
    expect(refused.headers.get("access-control-expose-headers")).toBe(
      "Retry-After, Date, X-Request-Id, X-Node",
    );
    // No cache may return the answer for one origin to another.
    for (const { headers } of [answer, get, refused]) {
      expect(headers.get("vary") ?? "").toMatch(/\borigin\b/i);
    }
  });

  test.each(["https://evil.example", "null", "https://chat.example.org.evil.example"])(
    "pages of %s may not call",
    async (origin) => {
      expect((await preflight(origin)).headers.get("access-control-allow-origin")).toBe(null);
      const get = await fetch(`${server.url}/api/globalSetting/load`, { headers: { origin } });
      expect(get.headers.get("access-control-allow-origin")).toBe(null);
    },
  );
});

describe("the web client", () => {
  test("screen paths return index.html uncached with a strict content security policy", async () => {
    for (const path of ["/", "/login", "/home/chat"]) {
      const answer = await fetch(`${server.url}${path}`);
      expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html><title>Parley</title>"]);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      const policy = answer.headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy.split(";")).toContain(part);
      }
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("pages have a cross-origin opener policy where browsers support it: over https and on localhost", async () => {
    const policy = async (host: string, port = server.app.port) => {
      const answer = await sendRaw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, port);
      return /cross-origin-opener-policy: (.*)\r/.exec(answer)?.[1];
    };
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:80", "chat.localhost"]) {
      expect([host, await policy(host)]).toEqual([host, "same-origin"]);
    }
    for (const host of ["192.168.1.7:8080", "chat.lan", "localhost.example.org"]) {
      expect([host, await policy(host)]).toEqual([host, undefined]);
    }
    await using own = await createTestApp({ env: { PUBLIC_URL: "https://chat.example.org" } });
    expect(await policy("192.168.1.7", own.app.port)).toBe("same-origin");
  });

  test("hashed assets are cached for a year and served precompressed", async () => {
    const answer = await fetch(`${server.url}/assets/index-abc.js`, {
      headers: { "accept-encoding": "identity" },
    });
    expect([answer.status, await answer.text()]).toEqual([200, "export {};"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const zipped = await sendRaw(
      "GET /assets/index-abc.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
    );
    expect(zipped).toMatch(/content-encoding: gzip/i);
    expect(zipped).toMatch(/zipped$/);
  });

  test("other files are revalidated", async () => {
    expect((await fetch(`${server.url}/icon.svg`)).headers.get("cache-control")).toBe("no-cache");
  });

  test("W6 the file of the service worker is asked for each time; if there is none, no page is in its place", async () => {
    const worker = await fetch(`${server.url}/service-worker.js`);
    expect([worker.status, await worker.text()]).toEqual([200, "worker"]);
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(worker.headers.get("content-type")).toMatch(/javascript/);
    expect(worker.headers.get("content-security-policy")).toContain("script-src 'self'");
    const folder = await mkdtemp(joinPath(tmpdir(), "parley-web-"));
    await writeFile(joinPath(folder, "index.html"), "<!doctype html>");
    await using without = await createTestApp({ webFolder: folder });
    expect((await fetch(`${without.url}/service-worker.js`)).status).toBe(404);
    expect((await fetch(`${without.url}/other.js`)).status).toBe(404);
    await rm(folder, { recursive: true });
  });

  test("W6 with OFFLINE_APP=off the service worker is one that removes itself and all that was kept", async () => {
    await using off = await createTestApp({ env: { OFFLINE_APP: "off" }, webFolder: web });
    const worker = await fetch(`${off.url}/service-worker.js`);
    expect(worker.headers.get("content-type")).toMatch(/javascript/);
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    const text = await worker.text();
    for (const call of ["skipWaiting()", "caches.delete(", "unregister()"]) expect(text).toContain(call);
  });

  test("W11 what an app shares leads to the first screen if there is no service worker, and is not read", async () => {
    const body = new FormData();
    body.set("text", "secret");
    const answer = await fetch(`${server.url}/share`, { method: "POST", body, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  });

  test("emoticons are cached for a week", async () => {
    const answer = await fetch(`${server.url}/emoticons/0.gif`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=604800");
    expect(answer.headers.get("content-type")).toBe("image/gif");
  });

  test("the screens of the client, and no other paths, get its page", async () => {
    const screens = [
      "/",
      "/?a=1",
      "/login",
      "/register?code=x",
      "/home",
      "/home/chat/PRIVATE:1",
      "/admin/people",
      "/share",
    ];
    for (const path of screens) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await fetch(server.url + path, { method });
        expect([path, method, answer.status]).toEqual([path, method, 200]);
        expect(answer.headers.get("content-type")).toMatch(/html/);
        expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
      }
    }
    const others = [
      "/favicon.ico",
      "/wp-login.php",
      "/.env",
      "/.well-known/security.txt",
      "/homes",
      "/loginx",
      "/other",
    ];
    const encoded = [
      "/home/%2e%2e/%2e%2e/etc/passwd",
      "/%2e%2e/secret",
      "/%2Fhome",
      "//home",
      "/admin/..%2f.env/../../x",
    ];
    for (const path of [...others, ...encoded]) {
      const answer = await sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAccept-Language: en\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.slice(0, 12)]).toEqual([path, "HTTP/1.1 404"]);
      expect(answer).toContain("There is no such page.");
      expect(answer).toContain("default-src 'self'");
      expect(answer).not.toContain("<title>Parley");
      const head = await sendRaw(`HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([path, head.slice(0, 12), head.endsWith("\r\n\r\n")]).toEqual([path, "HTTP/1.1 404", true]);
    }
    // Programs get an envelope, also for a path that leads out of theirs.
    for (const path of ["/api/../admin/people", "/api/%2e%2e/admin", "/files/../home"]) {
      const answer = await sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.slice(0, 12)]).toEqual([path, "HTTP/1.1 404"]);
      expect(answer).toContain('"key":"request.notFound"');
    }
    const envelope = await fetch(`${server.url}/wp-login.php`);
    expect(await envelope.json()).toMatchObject({ key: "request.notFound" });
  });

  test("robots are kept out", async () => {
    const answer = await fetch(`${server.url}/robots.txt`);
    expect([answer.status, await answer.text()]).toEqual([200, "User-agent: *\nDisallow: /\n"]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test.each(["/api/none", "/assets/none.js", "/emoticons/99.gif", "/files/none", "/im", "/files/../secret"])(
    "%s does not return the page of the web client",
    async (path) => {
      const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).not.toContain("Parley</title>");
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    },
  );
});

test("HTML in every text field is kept exactly", async () => {
  const [a, b] = await registerFriends(server.url);
  const html = `<img src=x onerror="a('&')">`;
  await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 0, content: html, tmpId: html } });
  const rows = await b.ok("loadPrivateMessages", { query: { minId: 0 } });
  expect(rows.at(-1)).toMatchObject({ content: html, tmpId: html });
  await a.ok("updateUser", { body: { id: a.id, signature: html } });
  expect((await b.ok("findUser", { params: { id: a.id } })).signature).toBe(html);
});

test.each([
  ["content", "a\0b"],
  ["content", "\ud83d"],
  ["content", 5],
  ["content", null],
  ["content", ["x"]],
  ["tmpId", "t".repeat(65)],
  ["tmpId", "\udc00"],
  ["tmpId", 7],
  ["recvId", -1],
  ["recvId", 1.5],
  ["recvId", 2 ** 53],
  ["recvId", "1"],
  ["type", "0"],
  ["type", null],
  ["quoteMessageId", "x"],
])("a message whose %s is %j is malformed", async (field, value) => {
  const a = await registerPerson(server.url);
  const body = { recvId: a.id, type: 0, content: "x", [field]: value };
  const { status, envelope } = await a.send(ENDPOINTS.sendPrivateMessage, "/message/private/send", body);
  expect([status, envelope.code]).toEqual([400, 500]);
  expect(envelope.message.startsWith(`${field}: `)).toBe(true);
});

test("none of these requests logs anything worse than a warning", () => {
  const errors = server.logs.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  expect(errors.filter((line) => !line.includes("planted"))).toEqual([]);
});
