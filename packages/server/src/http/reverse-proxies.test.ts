import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SOCKET_IDLE_MS, SOCKET_PING_MS } from "@parley/protocol/limits";
import { type Config, loadConfig } from "../config/config.ts";
import { checkPublicUrl } from "../doctor/check-public-url.ts";
import { eventually } from "../testing/eventually.ts";
import { BODY_END, partHead, startUpload } from "../testing/raw-upload.ts";
import {
  PROXIES,
  type ProxyName,
  type Replacement,
  type TestCertificate,
  isProxyMissing,
  makeCertificate,
  readProxyFile,
  startReverseProxy,
} from "../testing/reverse-proxy.ts";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import { createTestCluster } from "../testing/test-cluster.ts";
import { logIn, registerFriends, sendText } from "../testing/test-person.ts";
import { isPostgresMissing } from "../testing/test-postgres.ts";

const LARGE = randomBytes(20_000_000);
const FIRST_PART = 4_000_000;
/** How long the doctor waits for a proxy that lets it wait. */
const IMPATIENT_MS = 2_000;

/** Requests after which each server was chosen once, if it can be chosen. */
const NOTICED_AFTER = 20;

const isMissing = PROXIES.every(isProxyMissing);
let folder: string;
let certificate: TestCertificate;
const trusted = tls.getCACertificates("default");
beforeAll(async () => {
  if (isMissing) return;
  folder = await mkdtemp(join(tmpdir(), "parley-proxies-"));
  certificate = await makeCertificate(folder);
  await writeFile(join(folder, "index.html"), "<title>Parley</title>");
  tls.setDefaultCACertificates([...trusted, certificate.pem]);
});
afterAll(async () => {
  if (isMissing) return;
  tls.setDefaultCACertificates(trusted);
  await rm(folder, { recursive: true, force: true });
});

const startApp = (env: Record<string, string> = {}) =>
  createTestApp({ webFolder: folder, env: { TRUST_PROXY: "on", RATE_LIMITS: "logins=3/10m", ...env } });

async function startProxy(
  name: ProxyName,
  servers: readonly string[],
  changes?: readonly Replacement[],
): Promise<string> {
  const proxy = await startReverseProxy(name, certificate, servers, changes);
  onTestFinished(() => proxy.stop());
  return proxy.url;
}

const configFor = (url: string, env: Record<string, string> = {}): Config =>
  loadConfig({ PUBLIC_URL: url, ...env });

/** Sends a wrong password from this address, with a header that a client can write. Returns the key of the error. */
async function guess(url: string, userName: string, localAddress: string, forged: string): Promise<unknown> {
  const body = JSON.stringify({ userName, password: "wrong-password", terminal: 0 });
  const headers = { "content-type": "application/json", "x-forwarded-for": forged };
  const outgoing = request(`${url}/api/login`, {
    method: "POST",
    agent: false,
    localAddress,
    headers,
    family: 4,
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return (JSON.parse(await readText(response)) as { key?: string }).key;
}

async function uploadSlowly(app: TestApp, person: Awaited<ReturnType<typeof logIn>>): Promise<string> {
  const upload = startUpload(person, "/file/upload");
  await upload.write(partHead());
  await upload.write(LARGE.subarray(0, FIRST_PART));
  // The server has got it although the upload has not ended.
  const incoming = join(app.dataDir, "files", "~incoming");
  await eventually(async () => {
    const sizes = await Promise.all(
      (await readdir(incoming)).map(async (name) => (await stat(join(incoming, name))).size),
    );
    expect(Math.max(0, ...sizes)).toBeGreaterThan(FIRST_PART / 2);
  });
  await upload.write(LARGE.subarray(FIRST_PART));
  await upload.write(BODY_END);
  upload.end();
  return (await upload.answer).envelope.data as string;
}

describe.each(PROXIES)("behind %s with its file of deploy/", (name) => {
  test.skipIf(isProxyMissing(name))(
    "the web client, calls, pushes, streamed uploads and ranges work over TLS; addresses cannot be forged, /metrics is hidden, and doctor finds nothing",
    async () => {
      await using app = await startApp();
      const url = await startProxy(name, [app.url]);
      expect(await (await fetch(url)).text()).toContain("<title>Parley</title>");

      const [a, b] = await registerFriends(url);
      const socket = await b.connect();
      await sendText(a, b, "through the proxy");
      expect((await socket.nextOf(0)).data?.content).toBe("through the proxy");
      socket.close();

      const file = await uploadSlowly(app, a);
      const range = await fetch(url + file, { headers: { range: "bytes=1000-1999" } });
      expect([range.status, range.headers.get("content-range")]).toEqual([
        206,
        `bytes 1000-1999/${LARGE.length}`,
      ]);
      expect(LARGE.subarray(1_000, 2_000).equals(Buffer.from(await range.arrayBuffer()))).toBe(true);

      const keys: unknown[] = [];
      for (const n of [1, 2, 3, 4]) keys.push(await guess(url, a.userName, "127.0.0.1", `192.0.2.${n}`));
      expect(keys).toEqual([...Array(3).fill("login.wrongPassword"), "request.tooMany"]);
      expect(await guess(url, a.userName, "127.0.0.2", "192.0.2.9"), "another address").toBe(
        "login.wrongPassword",
      );

      for (const path of ["/metrics", "/%6detrics", "/metrics/", "/metrics?a"])
        expect((await fetch(url + path)).status, path).toBe(404);
      expect(await checkPublicUrl(configFor(url))).toEqual([]);
    },
  );
});

describe.skipIf(isMissing || isPostgresMissing)("two servers behind a proxy", () => {
  test.each(PROXIES.filter((name) => !isProxyMissing(name)))(
    "%s lets people of both talk, and leads everybody to the other one when one ends",
    async (name) => {
      await using cluster = await createTestCluster({ env: { TRUST_PROXY: "on" } });
      const url = await startProxy(name, [cluster.a.url, cluster.b.url]);
      const [a, b] = await registerFriends(url);
      const sockets = [await b.connect(), await (await b.elsewhere({ terminal: 1 })).connect()];
      await sendText(a, b, "to both");
      for (const socket of sockets) await socket.nextOf(0);
      for (const socket of sockets) socket.close();

      await cluster.a.app.stop();
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
      // Proxies notice it by what they ask the servers, at the latest. Until then they may close a connection of ours with that of the server.
      for (let n = 0; n < NOTICED_AFTER; n++) await fetch(`${url}/readyz`).catch(() => undefined);
      const again = await (await eventually(() => logIn(url, b.userName))).connect();
      await eventually(() => sendText(a, b, "to the one that is left"));
      expect((await again.nextOf(0)).data?.content).toBe("to the one that is left");
      again.close();
    },
  );
});

const seconds = (text: string, name: string): number =>
  Number(new RegExp(`^\\s*${name} (\\d+)s;?$`, "m").exec(text)?.[1] ?? Number.NaN);

test("no proxy closes a socket that Parley would leave open: their times for silence are longer than ours", async () => {
  const nginx = await readProxyFile("nginx");
  const haproxy = await readProxyFile("haproxy");
  const times = [
    ...["proxy_read_timeout", "proxy_send_timeout"].map((name) => seconds(nginx, name)),
    ...["timeout client", "timeout server", "timeout tunnel"].map((name) => seconds(haproxy, name)),
  ];
  for (const time of times)
    expect(time * 1_000).toBeGreaterThan(Math.max(SOCKET_IDLE_MS, 2 * SOCKET_PING_MS));
  // It has no such limit unless one is set.
  expect(await readProxyFile("caddy")).not.toMatch(/stream_timeout|read_timeout|write_timeout|idle_timeout/);
});

test("the limit of nginx lets the largest upload of the default configuration pass", async () => {
  const { UPLOAD_MAX_MB } = loadConfig({});
  expect(await readProxyFile("nginx")).toContain(`client_max_body_size ${UPLOAD_MAX_MB + 21}m;`);
});

test.skipIf(isProxyMissing("nginx"))(
  "nginx logs requests, but no link to a person's own data, however it is written",
  async () => {
    await using app = await startApp();
    const proxy = await startReverseProxy("nginx", certificate, [app.url]);
    onTestFinished(() => proxy.stop());
    const [a] = await registerFriends(proxy.url);
    const { url } = await a.ok("exportData");
    for (const link of [url.replace("/export/", "/%65xport/"), url])
      await (await fetch(proxy.url + link)).arrayBuffer();
    await fetch(`${proxy.url}/readyz?last`);
    await eventually(async () => expect(await readFile(proxy.accessLog, "utf8")).toContain("/readyz?last"));
    const log = await readFile(proxy.accessLog, "utf8");
    expect(log).toContain("POST /api/user/export ");
    expect(log).not.toContain("token=");
  },
);

describe.skipIf(isProxyMissing("nginx"))("doctor finds what is wrong with a proxy", () => {
  test.each<[string, Replacement[], Record<string, string>, string]>([
    [
      "it drops the headers of the WebSocket",
      [["proxy_set_header Upgrade $http_upgrade;", ""]],
      {},
      "must pass on the headers Upgrade and Connection",
    ],
    ["it collects uploads", [["proxy_request_buffering off;", ""]], {}, "collects uploads before it passes"],
    [
      "it limits bodies",
      [["client_max_body_size 121m;", ""]],
      {},
      "refuses uploads of 121 MiB: let it pass bodies that large (nginx: client_max_body_size 121m)",
    ],
    ["UPLOAD_MAX_MB was raised", [], { UPLOAD_MAX_MB: "200" }, "refuses uploads of 221 MiB"],
    [
      "it shows the metrics to everybody",
      [["return 404;", 'default_type text/plain; return 200 "# HELP a b\\n";']],
      {},
      "/metrics: block it at the proxy",
    ],
    [
      "it leads to something else",
      [["proxy_pass http://parley;", 'return 200 "welcome";']],
      {},
      "does not lead to this server: /healthz is answered with status 200",
    ],
    [
      "it leads nowhere",
      [["proxy_pass http://parley;", "proxy_pass http://127.0.0.1:1;"]],
      {},
      "does not reach this server (status 502)",
    ],
  ])("%s", async (_fault, changes, env, found) => {
    await using app = await startApp();
    const url = await startProxy("nginx", [app.url], changes);
    const problems = await checkPublicUrl(configFor(url, env), IMPATIENT_MS);
    expect(problems).toEqual([expect.stringContaining(found)]);
  });

  test("its certificate is for another name and of nobody that is trusted; then nothing is there", async () => {
    await using app = await startApp();
    const other = await makeCertificate(await mkdtemp(join(folder, "other-")), "chat.example.org");
    const proxy = await startReverseProxy("nginx", other, [app.url]);
    const found = await checkPublicUrl(configFor(proxy.url));
    await proxy.stop();
    expect(found).toEqual([
      "The certificate of PUBLIC_URL is not for localhost: get one that names it.",
      expect.stringContaining("is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)"),
    ]);
    expect(await checkPublicUrl(configFor(proxy.url))).toEqual([
      expect.stringContaining("cannot be reached from this machine"),
    ]);
  });
});
