import type { IncomingMessage } from "node:http";
import { connect as connectPlain } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "@parley/server/config/config";
import { createAddressResolver } from "@parley/server/config/environment";
import { addFile } from "@parley/server/testing/contracts/store-fixtures";
import { type TestApp, createTestApp } from "@parley/server/testing/test-app";
import {
  type TestPerson,
  PASSWORD,
  befriend,
  registerPerson,
  makeGroup,
  request,
} from "@parley/server/testing/test-person";

let server: TestApp;
let a: TestPerson;
let b: TestPerson;
beforeAll(async () => {
  server = await createTestApp({ env: { LOG_LEVEL: "debug" } });
  [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  await befriend(a, b);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Sends these bytes over TCP and returns everything that came back. */
function sendRaw(bytes: string, port = server.app.port): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    connectPlain(port, "127.0.0.1")
      .on("data", (data: Buffer) => (answer += data.toString("latin1")))
      .on("close", () => resolve(answer))
      .on("error", reject)
      .end(bytes);
  });
}

const json = { "content-type": "application/json" };
/** Sends a JSON body with exactly these characters. */
const post = (person: TestPerson, method: string, path: string, body: string) =>
  request(server.url, path, {
    method,
    headers: { ...json, accessToken: person.tokens.accessToken },
    body,
  });
const logInAs = (url: string, userName: string, password: string, headers: Record<string, string> = {}) =>
  request(url, "/login", {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ terminal: 2, userName, password }),
  });

describe("the address for rate limits", () => {
  test("is the one that the proxy adds, even if the caller sends the header as well", async () => {
    await using own = await createTestApp({ env: { TRUST_PROXY: "on" } });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const headers = { "x-forwarded-for": `10.0.0.${i}, 203.0.113.7` };
      statuses.push((await logInAs(own.url, "nobody", "wrong-password", headers)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    const other = await logInAs(own.url, "nobody", "wrong-password", { "x-forwarded-for": "203.0.113.8" });
    expect(other.status).toBe(200);
  });

  test("is the address of the connection if there is no proxy", async () => {
    await using own = await createTestApp();
    let status = 0;
    for (let i = 0; i < 11; i++) {
      const headers = { "x-forwarded-for": `203.0.113.${i}` };
      status = (await logInAs(own.url, "nobody", "wrong-password", headers)).status;
    }
    expect(status).toBe(429);
  });

  test.each([
    ["off", "1.1.1.1, 2.2.2.2", "9.9.9.9"],
    ["on", "1.1.1.1, 2.2.2.2", "2.2.2.2"],
    ["2", "1.1.1.1, 2.2.2.2, 3.3.3.3", "2.2.2.2"],
    ["2", "3.3.3.3", "3.3.3.3"],
    ["on", "", "9.9.9.9"],
    ["on", undefined, "9.9.9.9"],
  ])("of a socket with TRUST_PROXY=%s and X-Forwarded-For %s is %s", (setting, forwarded, address) => {
    const rule = createAddressResolver(loadConfig({ TRUST_PROXY: setting }));
    const upgrade = { socket: { remoteAddress: "9.9.9.9" }, headers: { "x-forwarded-for": forwarded } };
    expect(rule(upgrade as unknown as IncomingMessage)).toBe(address);
  });
});

describe("headers", () => {
  const PATHS = ["/", "/api/globalSetting/load", "/api/nothing", "/files/a/b.html", "/healthz", "/api/docs"];

  test("no answer sets a cookie or names the server software, and every answer forbids sniffing", async () => {
    for (const path of PATHS) {
      const { headers } = await fetch(`${server.url}${path}`);
      expect([path, headers.getSetCookie(), headers.get("server"), headers.get("x-powered-by")]).toEqual([
        path,
        [],
        null,
        null,
      ]);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    }
  });

  test("every answer has HSTS for a year if the public address is https, otherwise none has", async () => {
    await using own = await createTestApp({ env: { PUBLIC_URL: "https://chat.example.org" } });
    for (const path of PATHS) {
      const [secure, plain] = [await fetch(`${own.url}${path}`), await fetch(`${server.url}${path}`)];
      expect([path, secure.headers.get("strict-transport-security")]).toEqual([path, "max-age=31536000"]);
      expect([path, plain.headers.get("strict-transport-security")]).toEqual([path, null]);
    }
  });

  test("TRACE is refused and does not echo the request", async () => {
    const answer = await sendRaw(
      "TRACE / HTTP/1.1\r\nHost: x\r\nX-Sentinel: sentinel\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).not.toContain("sentinel");
  });

  test("a request with two lengths, or with a length and chunks, is refused", async () => {
    const head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    for (const framing of [
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]) {
      expect(await sendRaw(head + framing)).toMatch(/^HTTP\/1.1 400 /);
    }
  });
});

test("a request that names two hosts is refused, because a proxy may go by the other one", async () => {
  const head = "GET /api/globalSetting/load HTTP/1.1\r\nHost: x\r\n";
  expect(await sendRaw(`${head}hOST: x\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 400 [^]*is there twice/,
  );
  expect(await sendRaw(`${head}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
});

describe("requests that a page of another site can make a browser send", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "a body of type %s is refused",
    async (type) => {
      const { status } = await request(server.url, "/login", {
        method: "POST",
        headers: { "content-type": type, origin: "https://evil.example" },
        body: JSON.stringify({ terminal: 2, userName: a.userName, password: PASSWORD }),
      });
      expect(status).toBe(415);
    },
  );

  test("a token in a cookie, query or authorization header does not log in", async () => {
    const token = a.tokens.accessToken;
    const answer = await request(server.url, `/user/self?accessToken=${token}`, {
      headers: { cookie: `accessToken=${token}`, authorization: `Bearer ${token}` },
    });
    expect(answer.envelope.key).toBe("auth.notLoggedIn");
  });
});

describe("bodies", () => {
  test("keys such as __proto__ and constructor do not change any object of the server", async () => {
    const groupId = await makeGroup(a, [b]);
    const attributes = '{"__proto__":"x","constructor":"y","toString":"z"}';
    const { envelope } = await post(
      a,
      "PUT",
      "/group/modify",
      `{"id":${groupId},"attributes":${attributes}}`,
    );
    expect([200, 500]).toContain(envelope.code);
    for (const body of [
      `{"id":${a.id},"__proto__":{"isBanned":true,"nickName":"polluted"}}`,
      `{"id":${a.id},"constructor":{"prototype":{"isBanned":true}}}`,
    ]) {
      expect((await post(a, "PUT", "/user/update", body)).envelope.code).toBe(200);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { isBanned?: unknown }).isBanned).toBe(undefined);
    expect(await a.ok("self")).toMatchObject({ isBanned: false, nickName: `N ${a.userName}` });
    const [group] = await b.ok("listGroups");
    expect(typeof group?.attributes).toBe("object");
    expect((await a.ok("listGroups")).length).toBeGreaterThan(0);
  });

  test("fields that the caller may not set are ignored", async () => {
    const made = await post(
      a,
      "POST",
      "/group/create",
      JSON.stringify({
        name: "G",
        memberIds: [b.id],
        id: 1,
        ownerId: b.id,
        role: 1,
        isBanned: true,
        isLarge: true,
      }),
    );
    expect(made.envelope.data).toMatchObject({ ownerId: a.id, role: 3, isBanned: false });
    const { id } = made.envelope.data as { id: number };
    expect(id).not.toBe(1);
    const fields = { id, ownerId: b.id, role: 3, isMuted: false, isAllMuted: true, joinApproval: false };
    await post(b, "PUT", "/group/modify", JSON.stringify({ ...fields, remarkGroupName: "mine" }));
    const [seen] = (await b.ok("listGroups")).filter((group) => group.id === id);
    expect(seen).toMatchObject({
      ownerId: a.id,
      role: 1,
      isAllMuted: false,
      joinApproval: true,
      remarkGroupName: "mine",
    });
    const forged = {
      id: 1,
      sendId: b.id,
      sendTime: 1,
      status: 3,
      isEdited: true,
      sendNickName: "x",
      tip: {},
    };
    const sent = await post(
      a,
      "POST",
      "/message/private/send",
      JSON.stringify({ recvId: b.id, type: 0, content: "x", ...forged }),
    );
    expect(sent.envelope.data).toMatchObject({
      sendId: a.id,
      status: 1,
      isEdited: false,
      sendNickName: `N ${a.userName}`,
      tip: null,
    });
    const grouped = await post(
      b,
      "POST",
      "/message/group/send",
      JSON.stringify({ groupId: id, type: 0, content: "x", ...forged, sendId: a.id, sendRole: 3 }),
    );
    expect(grouped.envelope.data).toMatchObject({ sendId: b.id, sendRole: 1 });
  });

  test("a parameter that is given twice is refused", async () => {
    const { status } = await post(a, "PUT", `/message/private/readed?friendId=${b.id}&friendId=1`, "");
    expect(status).toBe(400);
  });
});

describe("paths", () => {
  test.each([
    "/../../../../etc/passwd",
    "/assets/../../../../etc/passwd",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/files/..%2f..%2fsecret/secret",
    "/files/../secret",
    "/files/..%5c..%5csecret/x",
    "/files/%2e%2e/secret",
    "/files/a/..%00secret",
    "/.git/config",
    "/assets/",
  ])("%s does not give access to files outside", async (path) => {
    const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).not.toMatch(/root:|"name"|repositoryformatversion|Index of/);
    if (path.startsWith("/files/") || path.startsWith("/assets/"))
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
  });

  test.each(["page.html", "picture.svg", "code.js", "a.constructor", "a.__proto__", "x.xhtml"])(
    "a stored %s is served as an attachment, never as a page",
    async (name) => {
      const folder = joinPath(server.dataDir, "files", "0123456789abcdef");
      await mkdir(folder, { recursive: true });
      const page = "<script>alert(1)</script>";
      await writeFile(joinPath(folder, name), page);
      const url = `/files/0123456789abcdef/${name}`;
      // Only a file that has a row is served.
      await server.app.store.write((tx) =>
        addFile(tx, { url, userId: null, bytes: page.length, createdAt: Date.now() }),
      );
      const { status, headers } = await fetch(server.url + url);
      expect([
        status,
        headers.get("content-type"),
        headers.get("content-disposition"),
        headers.get("content-security-policy"),
      ]).toEqual([200, "application/octet-stream", "attachment", "default-src 'none'; sandbox"]);
    },
  );
});

describe("the log", () => {
  test("has one line of JSON for each event, even if a caller sends line breaks", async () => {
    const before = server.logs.length;
    const forged = 'x\n{"level":60,"msg":"forged"}\r\n';
    await logInAs(server.url, forged, forged, { "accept-language": "en" });
    await sendRaw(
      `GET /api/${encodeURIComponent(forged)} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: a%0ab\r\nConnection: close\r\n\r\n`,
    );
    const lines = server.logs.slice(before);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.trimEnd()).not.toContain("\n");
      expect(JSON.parse(line)).not.toHaveProperty("msg", "forged");
    }
  });

  test("has the address of a wrong password, but not the typed name", async () => {
    const before = server.logs.length;
    await logInAs(server.url, "typedapassword", "wrong-password");
    const lines = server.logs.slice(before).map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(
      expect.objectContaining({ refused: "login.wrongPassword", address: "127.0.0.1", route: "/api/login" }),
    );
    expect(JSON.stringify(lines)).not.toContain("typedapassword");
  });
});

describe("TLS", () => {
  /** A certificate only for this test. */
  const fileOf = (name: string) => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));
  let own: TestApp;
  beforeAll(async () => {
    own = await createTestApp({ env: { TLS_CERT: fileOf("cert"), TLS_KEY: fileOf("key") } });
  });
  afterAll(() => own[Symbol.asyncDispose]());

  const handshake = (options: object): Promise<string> =>
    new Promise((resolve) => {
      const socket = connectTls(
        { port: own.app.port, host: "127.0.0.1", rejectUnauthorized: false, ...options },
        () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.destroy();
        },
      );
      socket.on("error", () => resolve("refused"));
    });

  test("1.3 and 1.2 with forward secrecy are accepted, nothing older or weaker", async () => {
    expect(await handshake({})).toBe("TLSv1.3 TLS_AES_256_GCM_SHA384");
    expect(await handshake({ maxVersion: "TLSv1.2" })).toBe("TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384");
    expect(
      await handshake({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }),
    ).toBe("refused");
    expect(await handshake({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256:AES128-SHA" })).toBe(
      "refused",
    );
  });
});
