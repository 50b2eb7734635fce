import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { type TestAppOptions, createTestApp } from "../testing/test-app.ts";
import { createTestCluster } from "../testing/test-cluster.ts";
import {
  PASSWORD,
  TestPerson,
  befriend,
  logIn,
  makeGroup,
  registerPerson,
  request,
  sendText,
} from "../testing/test-person.ts";
import { isPostgresMissing, POSTGRES } from "../testing/test-postgres.ts";
import { type ReadMetrics, readMetrics } from "../testing/read-metrics.ts";
import { uploadFile, uploadPicture } from "../testing/upload.ts";

const TOKEN = "token-of-prometheus";

async function startApp(env: Record<string, string>, options: TestAppOptions = {}) {
  const app = await createTestApp({ env: { RATE_LIMITS: "off", ...env }, ...options });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

const statusOf = async (url: string, headers: Record<string, string> = {}, path = "/metrics") =>
  (await fetch(`${url}${path}`, { headers })).status;
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });
const ownUrl = (port: number | undefined) => `http://127.0.0.1:${port}`;

describe("/metrics", () => {
  test("is 404 without METRICS_PORT and METRICS_TOKEN, also with a web client that has a page for other paths", async () => {
    const webFolder = await mkdtemp(join(tmpdir(), "parley-web-"));
    onTestFinished(() => rm(webFolder, { recursive: true }));
    await writeFile(join(webFolder, "index.html"), "<!doctype html><title>Parley</title>");
    const { url, app } = await startApp({}, { webFolder });
    expect(await statusOf(url, {}, "/home/chat")).toBe(200);
    expect([await statusOf(url), await statusOf(url, withToken(TOKEN))]).toEqual([404, 404]);
    expect(app.metricsPort).toBe(undefined);
  });

  test("is 401 on the main port without the token or with another one, of any length", async () => {
    const { url } = await startApp({ METRICS_TOKEN: TOKEN });
    const wrong = [{}, withToken(""), withToken(`${TOKEN}x`), withToken(TOKEN.replace("t", "T"))];
    for (const headers of [...wrong, { authorization: TOKEN }, { authorization: `Basic ${TOKEN}` }])
      expect([headers, await statusOf(url, headers)]).toEqual([headers, 401]);
    const refused = await fetch(`${url}/metrics`);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await refused.text()).not.toContain("parley_");
    expect((await readMetrics(url, TOKEN)).names).toContain("parley_messages_sent_total");
  });

  test("has a port of its own with METRICS_PORT, which serves nothing else, and then is 404 on the main one", async () => {
    const { url, app } = await startApp({ METRICS_PORT: "0" });
    const own = ownUrl(app.metricsPort);
    expect(own).not.toBe(url);
    const answer = await fetch(`${own}/metrics`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    expect(await statusOf(url)).toBe(404);
    for (const path of ["/", "/api/login", "/healthz", "/metrics/more"])
      expect([path, await statusOf(own, {}, path)]).toEqual([path, 404]);
    expect((await fetch(`${own}/metrics`, { method: "POST" })).status).toBe(404);
  });

  test("needs the token on its own port too if there is one", async () => {
    const { url, app } = await startApp({ METRICS_PORT: "0", METRICS_TOKEN: TOKEN });
    const own = ownUrl(app.metricsPort);
    expect([await statusOf(own), await statusOf(own, withToken(TOKEN))]).toEqual([401, 200]);
    expect(await statusOf(url, withToken(TOKEN))).toBe(404);
  });

  test("a METRICS_PORT that is in use keeps the server from starting, with a sentence that names it", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await expect(createTestApp({ env: { METRICS_PORT: String(port) } })).rejects.toThrow(
      `Port ${port} is in use; stop what listens there or set another METRICS_PORT.`,
    );
  });
});

/** What a test does and then looks for in the metrics. */
async function act(url: string) {
  const anna = await registerPerson(url, { userName: "annaUnique1", nickName: "Nick-Anna-1" });
  const bert = await registerPerson(url, { userName: "bertUnique2", nickName: "Nick-Bert-2" });
  await befriend(anna, bert);
  const groupId = await makeGroup(anna, [bert], "Group-Name-3");
  const socket = await bert.connect({ clientId: "client-unique-4" });
  return { anna, bert, groupId, socket };
}

describe("the counters", () => {
  test("equal what people did, and each begins at 0 so that the first event is an increase", async () => {
    const { url } = await startApp({ METRICS_TOKEN: TOKEN });
    const { anna, bert, groupId, socket } = await act(url);
    const before = await readMetrics(url, TOKEN);
    for (let i = 0; i < 5; i++) await sendText(anna, bert, `private ${i}`);
    // The same message again is answered, and not stored.
    for (let i = 0; i < 2; i++) await sendText(anna, bert, "repeated", "tmp-1");
    for (let i = 0; i < 3; i++)
      await anna.ok("sendGroupMessage", { body: { groupId, type: 0, content: `group ${i}` } });
    await logIn(url, anna.userName);
    expect((await request(url, "/login", loginBody(anna.userName, "wrong-password"))).envelope.key).toBe(
      "login.wrongPassword",
    );
    expect(await anna.errorKeyOf("findUser", { params: { id: 9_999 } })).toBe("user.notFound");
    const data = Buffer.alloc(5_000, 7);
    const fileUrl = await uploadFile(anna, data);
    await uploadPicture(anna);
    expect((await (await fetch(`${url}${fileUrl}`)).arrayBuffer()).byteLength).toBe(data.length);
    await bert.ok("pullPrivateMessages", { query: { minId: 0 } });
    const isEnd = (frame: { cmd: number; data: { type?: number; content?: string } | null }) =>
      frame.cmd === 3 && frame.data?.type === 30 && frame.data.content === "false";
    await socket.next(isEnd, "the end of the pull");
    socket.close();
    await socket.closed;
    const grown = await eventually(async () => {
      const after = await readMetrics(url, TOKEN);
      expect(after.value("parley_sockets")).toBe(0);
      return growthOf(before, after);
    });

    expect({
      private: grown("parley_messages_sent_total", { chat: "private" }),
      group: grown("parley_messages_sent_total", { chat: "group" }),
      acknowledgedPrivate: grown("parley_message_acknowledge_seconds_count", { chat: "private" }),
      acknowledgedGroup: grown("parley_message_acknowledge_seconds_count", { chat: "group" }),
      privateCalls: grown("parley_api_calls_total", { endpoint: "sendPrivateMessage" }),
      logins: grown("parley_logins_total"),
      wrongPasswords: grown("parley_errors_total", { key: "login.wrongPassword" }),
      unknownPeople: grown("parley_errors_total", { key: "user.notFound" }),
      otherErrors: grown("parley_errors_total", { key: "server.error" }),
      files: grown("parley_api_calls_total", { endpoint: "uploadFile" }),
      pictures: grown("parley_api_calls_total", { endpoint: "uploadImage" }),
      servedBytes: grown("parley_blob_served_bytes_total"),
      reads: grown("parley_blob_seconds_count", { operation: "read" }),
      failures: grown("parley_blob_failures_total", { operation: "put" }),
      pulls: grown("parley_pull_seconds_count", { chat: "private" }),
      cutPulls: grown("parley_pulls_incomplete_total"),
      pushLags: grown("parley_push_lag_seconds_count"),
      closed: grown("parley_sockets_closed_total", { code: "3000" }),
      lostPushes: grown("parley_lost_pushes_total"),
      interruptions: grown("parley_bus_interruptions_total"),
    }).toEqual({
      private: 6,
      group: 3,
      acknowledgedPrivate: 7,
      acknowledgedGroup: 3,
      privateCalls: 7,
      logins: 1,
      wrongPasswords: 1,
      unknownPeople: 1,
      otherErrors: 0,
      files: 1,
      pictures: 1,
      servedBytes: data.length,
      reads: 1,
      failures: 0,
      pulls: 1,
      cutPulls: 0,
      pushLags: 9,
      closed: 1,
      lostPushes: 0,
      interruptions: 0,
    });
    expect(grown("parley_pulled_messages_total", { chat: "private" })).toBeGreaterThanOrEqual(6);
    expect(grown("parley_blob_stored_bytes_total")).toBeGreaterThan(data.length);
    expect(grown("parley_store_seconds_count", { operation: "write" })).toBeGreaterThan(0);
    expect(grown("parley_commit_writes_count")).toBe(grown("parley_commit_seconds_count"));
    expect(grown("parley_commit_seconds_count")).toBeGreaterThan(0);
    expect(grown("parley_bus_events_total", { kind: "push" })).toBeGreaterThanOrEqual(9);
    expect(before.value("parley_sockets")).toBe(1);
    expect(before.value("parley_connected_people")).toBe(1);
    for (const queue of ["writes", "passwords", "pictures", "web_pushes", "background"])
      expect(before.value("parley_queue_depth", { queue })).toBeGreaterThanOrEqual(0);
    expect(before.value("parley_data_folder_free_bytes")).toBeGreaterThan(0);
    expect(before.value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(before.names).toContain("nodejs_eventloop_lag_p99_seconds");
  });

  test("count a close code that only a client invents as other, so that there are never more series", async () => {
    const { url } = await startApp({ METRICS_TOKEN: TOKEN });
    const { socket } = await act(url);
    const before = await readMetrics(url, TOKEN);
    socket.ws.close(4_777);
    const after = await eventually(async () => {
      const read = await readMetrics(url, TOKEN);
      expect(read.value("parley_sockets")).toBe(0);
      return read;
    });
    expect(growthOf(before, after)("parley_sockets_closed_total", { code: "other" })).toBe(1);
    expect(after.text).not.toContain("4777");
  });

  test("hold nothing of people: no names, contents, tokens, ids of devices, addresses or paths of files", async () => {
    const { url } = await startApp({ METRICS_TOKEN: TOKEN, TRUST_PROXY: "on", LOG_LEVEL: "silent" });
    const { anna, bert, groupId, socket } = await act(url);
    anna.headers = { "x-forwarded-for": "203.0.113.77", "user-agent": "Agent-Unique-5" };
    await sendText(anna, bert, 'Content-Unique-6 "sendTime":1', "tmp-unique-7");
    await anna.ok("sendGroupMessage", { body: { groupId, type: 0, content: "Content-Unique-8" } });
    const fileUrl = await uploadFile(anna, Buffer.from("Bytes-Unique-9"));
    await fetch(`${url}${fileUrl}?name=Name-Unique-10`);
    await fetch(`${url}/api/Path-Unique-11?query=Query-Unique-12`);
    await request(url, "/login", loginBody("missingUnique13", "Password-Unique-14"));
    await bert.ok("pullPrivateMessages", { query: { minId: 0 } });
    await socket.flush();
    const { text } = await readMetrics(url, TOKEN);
    const personal = [
      /unique/i,
      /nick-/i,
      /group-name/i,
      /203\.0\.113|127\.0\.0\.1/,
      ...[anna, bert].flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]),
      fileUrl.split("/")[2] ?? "no file",
      PASSWORD,
      TOKEN,
    ];
    for (const one of personal) expect(text).not.toMatch(one);
    // The words of every label are known before anybody does anything.
    const fresh = await startApp({ METRICS_TOKEN: TOKEN });
    const seriesOf = (page: string) =>
      page.split("\n").flatMap((line) => (line.startsWith("parley_") ? line.split(" ", 1) : []));
    expect(seriesOf(text)).toEqual(seriesOf((await readMetrics(fresh.url, TOKEN)).text));
    socket.close();
  });
});

describe.skipIf(isPostgresMissing)(`two nodes on ${POSTGRES}`, () => {
  test("count each for themselves", async () => {
    await using cluster = await createTestCluster({ env: { METRICS_TOKEN: TOKEN, WEB_PUSH: "off" } });
    const { anna, bert, socket } = await act(cluster.a.url);
    socket.close();
    const there = new TestPerson(cluster.b.url, bert.id, bert.userName, bert.tokens, bert.device);
    const listening = await there.connect();
    const [a, b] = [await readMetrics(cluster.a.url, TOKEN), await readMetrics(cluster.b.url, TOKEN)];
    for (let i = 0; i < 4; i++) await sendText(anna, bert, `message ${i}`);
    await listening.flush();
    const grownA = growthOf(a, await readMetrics(cluster.a.url, TOKEN));
    const grownB = growthOf(b, await readMetrics(cluster.b.url, TOKEN));
    const counts = (grown: typeof grownA) => [
      grown("parley_messages_sent_total", { chat: "private" }),
      grown("parley_push_lag_seconds_count"),
      grown("parley_bus_events_total", { kind: "push" }),
    ];
    // One node stores and publishes, the other one has the socket.
    expect([counts(grownA), counts(grownB)]).toEqual([
      [4, 0, 4],
      [0, 4, 0],
    ]);
    listening.close();
  });
});

function loginBody(userName: string, password: string) {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ terminal: 2, userName, password }),
  };
}

function growthOf(before: ReadMetrics, after: ReadMetrics) {
  return (name: string, labels?: Record<string, string>) =>
    after.value(name, labels) - before.value(name, labels);
}
