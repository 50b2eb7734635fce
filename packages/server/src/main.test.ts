import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { type Server, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  PASSWORD,
  TestPerson,
  registerPerson,
  logIn,
  makeGroup,
  request,
  sendText,
  registerFriends,
} from "./testing/test-person.ts";
import { runAdmin } from "./testing/admin-process.ts";
import { runServer, startServer } from "./testing/server-process.ts";
import { uploadPicture } from "./testing/upload.ts";

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(joinPath(tmpdir(), "parley-main-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const mode = async (name: string) => ((await stat(joinPath(dataDir, name))).mode & 0o777).toString(8);

const adminIn = (folder: string, ...args: string[]) => runAdmin({ DATA_DIR: folder }, ...args);
const admin = (...args: string[]) => adminIn(dataDir, ...args);

describe("a running server", () => {
  test("prints its address on one line; SIGTERM closes sockets with 1012, keeps acknowledged messages and exits with 0", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    expect(server.output()).toMatch(/^Parley is ready: http:\/\/localhost:\d+$/m);
    const [a, b] = await registerFriends(server.url);
    const socket = await b.connect();
    const sends = Array.from({ length: 50 }, (_, i) =>
      a
        .call("sendPrivateMessage", { body: { recvId: b.id, type: 0, content: `${i}`, tmpId: `${i}` } })
        .catch(() => undefined),
    );
    await sends[0];
    server.kill("SIGTERM");
    const answers = await Promise.all(sends);
    expect(await socket.closed).toBe(1012);
    expect(await server.exited).toBe(0);

    const restarted = await startServer({ DATA_DIR: dataDir });
    // The secret is stored in the folder, so tokens survive a restart.
    const rows = await (
      await logIn(restarted.url, b.userName)
    ).ok("loadPrivateMessages", { query: { minId: 0 } });
    const self = await request(restarted.url, "/user/self", {
      headers: { accessToken: a.tokens.accessToken },
    });
    expect(self.envelope.code).toBe(200);
    const ids = new Set(rows.map((row) => row.id));
    for (const answer of answers) {
      if (answer?.envelope.code === 200) expect(ids.has(answer.envelope.data.id)).toBe(true);
    }
    restarted.kill("SIGINT");
    expect(await restarted.exited).toBe(0);
  });

  test("idle connections do not delay shutdown, and neither do clients that keep their side of a refused socket open", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const port = Number(new URL(server.url).port);
    const partialRequests = [
      "",
      "GET /healthz HTT",
      "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ];
    for (const bytes of partialRequests)
      connect(port, "127.0.0.1")
        .on("error", () => {})
        .write(bytes);
    const refused = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
    onTestFinished(() => void refused.destroy());
    refused.write("GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(String((await once(refused, "data"))[0])).toMatch(/^HTTP\/1.1 404 /);
    await request(server.url, "/globalSetting/load");
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("creates its files readable by its own account only", async () => {
    const folder = joinPath(dataDir, "made");
    const server = await startServer({ DATA_DIR: folder });
    expect([await mode("made"), await mode("made/secret"), await mode("made/admin.sock")]).toEqual([
      "700",
      "600",
      "600",
    ]);
    server.kill("SIGTERM");
    await server.exited;
  });

  test("writes no token, password or text of a message to its log at any level", async () => {
    const server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: "trace" });
    const [a, b] = await registerFriends(server.url);
    const socket = await a.connect();
    await sendText(a, b, "sentinel-text-4711");
    await a.call("modifyPwd", {
      body: { oldPassword: "sentinel-old-password", newPassword: "sentinel-new-password" },
    });
    await request(server.url, `/user/findByName?name=sentinel-query`, {
      headers: { accessToken: a.tokens.accessToken },
    });
    await request(server.url, "/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"password":"sentinel-cut',
    });
    await request(server.url, "/refreshToken", {
      method: "PUT",
      headers: { refreshToken: a.tokens.refreshToken },
    });
    const body = new FormData();
    body.set("file", new Blob(["sentinel-file"]), "sentinel-name.png");
    const headers = { accessToken: a.tokens.accessToken };
    await request(server.url, "/image/upload", { method: "POST", body, headers });
    socket.close();
    server.kill("SIGTERM");
    await server.exited;
    const log = server.output();
    for (const secret of [
      "sentinel",
      PASSWORD,
      a.tokens.accessToken,
      a.tokens.refreshToken,
      b.tokens.accessToken,
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

test("doctor checks the data folder while a server runs and names each problem", async () => {
  const server = await startServer({ DATA_DIR: dataDir });
  const [a, b] = await registerFriends(server.url);
  await sendText(a, b, "hello");
  expect(await admin("doctor")).toEqual({ code: 0, out: "No problems found.", err: "" });
  server.kill("SIGTERM");
  await server.exited;
  await writeFile(joinPath(dataDir, "secret"), "cut");
  const database = joinPath(dataDir, "parley.sqlite");
  const bytes = await readFile(database);
  await writeFile(database, bytes.fill(0, 4_096, 8_192));
  const { code, out } = await admin("doctor");
  expect(code).toBe(1);
  expect(out).toMatch(/database/i);
  expect(out).toContain(`The secret ${joinPath(dataDir, "secret")} is cut.`);
  expect(out).toContain("restore a backup");
});

test("L80 doctor names each file that is gone, cut, changed or unknown, and knows files without a hash by their length", async () => {
  const server = await startServer({ DATA_DIR: dataDir });
  const [a, b] = await registerFriends(server.url);
  const urls: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { originUrl, thumbUrl, width, height } = await uploadPicture(a);
    const content = JSON.stringify({ originUrl, thumbUrl, width, height });
    await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 1, content } });
    urls.push(originUrl);
  }
  // A thumbnail that nothing names may be missing: its upload may still run.
  const idle = await uploadPicture(a);
  await rm(joinPath(dataDir, idle.thumbUrl));
  expect(await admin("doctor")).toEqual({ code: 0, out: "No problems found.", err: "" });
  const [gone = "", cut = "", changed = "", older = ""] = urls;
  await rm(joinPath(dataDir, gone));
  const bytes = await readFile(joinPath(dataDir, cut));
  await writeFile(joinPath(dataDir, cut), bytes.subarray(1));
  for (const url of [changed, older]) {
    const data = await readFile(joinPath(dataDir, url));
    data[20] = (data[20] ?? 0) ^ 1;
    await writeFile(joinPath(dataDir, url), data);
  }
  server.kill("SIGTERM");
  await server.exited;
  const db = new Database(joinPath(dataDir, "parley.sqlite"));
  db.prepare("update file set sha256 = null where url = ?").run(older);
  db.close();
  await mkdir(joinPath(dataDir, "files", "0123"));
  await writeFile(joinPath(dataDir, "files", "0123", "stray.png"), "x");
  const { code, out } = await admin("doctor");
  expect(code).toBe(1);
  expect(out.split("\n").slice(0, -1).toSorted()).toEqual(
    [
      `The file ${gone} is gone.`,
      `The file ${cut} has ${bytes.length - 1} of ${bytes.length} bytes.`,
      `The file ${changed} was changed: its SHA-256 is another.`,
      "The database does not know the file /files/0123/stray.png.",
    ].toSorted(),
  );
});

describe("a server that cannot start prints one sentence and exits with 1", () => {
  test("because a variable is wrong", async () => {
    expect(await runServer({ DATA_DIR: dataDir, PORT: "http" })).toEqual({
      code: 1,
      output: "PORT must be a whole number from 0 to 65535.\n",
    });
  });

  test("because its port is in use", async () => {
    const blocker: Server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    const { port } = blocker.address() as { port: number };
    const { code, output } = await runServer({ DATA_DIR: dataDir, PORT: String(port) });
    expect([code, output]).toEqual([
      1,
      `Port ${port} is in use; stop what listens there or set another PORT.\n`,
    ]);
    blocker.close();
  });

  test("because another server uses the data folder", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const { code, output } = await runServer({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output).toMatch(/^The data folder .* is in use by another Parley server; .*\.\n$/);
    await registerPerson(server.url);
    server.kill("SIGTERM");
    await server.exited;
  });

  test("because the data folder cannot be created", async () => {
    await writeFile(joinPath(dataDir, "file"), "");
    const { code, output } = await runServer({ DATA_DIR: joinPath(dataDir, "file", "inside") });
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR .* cannot be made: .*\.\n$/);
  });

  test.each(["/proc/parley", "/proc/parley/data", "/proc"])(
    "because nothing can be created at the data folder %s",
    async (folder) => {
      const { code, output } = await runServer({ DATA_DIR: folder });
      expect(code).toBe(1);
      expect(output).toMatch(/^DATA_DIR \/proc.* cannot be made: .*\.\n$/);
    },
  );

  test("because the certificate cannot be read", async () => {
    const missing = joinPath(dataDir, "none.pem");
    const { code, output } = await runServer({ DATA_DIR: dataDir, TLS_CERT: missing, TLS_KEY: missing });
    expect(code).toBe(1);
    expect(output).toMatch(/^TLS_CERT .* cannot be read: .*\.\n$/);
  });

  test("because the certificate file is not a certificate", async () => {
    const path = joinPath(dataDir, "cert.pem");
    await writeFile(path, "no certificate");
    const { code, output } = await runServer({ DATA_DIR: dataDir, TLS_CERT: path, TLS_KEY: path });
    expect(code).toBe(1);
    expect(output).toMatch(/^TLS_CERT and TLS_KEY cannot be used: .*\.\n$/);
  });

  test("because a file has the name of a folder that it needs", async () => {
    await writeFile(joinPath(dataDir, "files"), "");
    const { code, output } = await runServer({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR .*files cannot be made: .*\.\n$/);
  });
});

describe("npm run admin", () => {
  test("reset-password ends the sessions of a running server immediately", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const person = await registerPerson(server.url, { userName: "Admin1" });
    const socket = await person.connect();
    expect((await admin("users")).out).toMatch(/\tAdmin1\tN Admin1\t.*\n1 users$/);
    const { out } = await admin("reset-password", "admin1");
    const password = /: (\S{16})$/.exec(out)?.[1] ?? "";
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "passwordChanged" });
    expect((await person.call("self")).envelope.code).toBe(401);
    await logIn(server.url, "Admin1", {}, password);
    expect(await admin("reset-password", "nobody")).toMatchObject({
      code: 1,
      err: "Nobody has the user name nobody.",
    });
    server.kill("SIGTERM");
    await server.exited;
  });

  test("without a running server it works on the store itself", async () => {
    const { code, out } = await admin("invite-code", "create", "--uses", "2", "--days", "3");
    expect([code, out]).toEqual([0, expect.stringMatching(/^[a-z2-9]{12}$/)]);
    expect((await admin("users")).out).toBe("0 users");
    const server = await startServer({ DATA_DIR: dataDir, INVITE_CODE_REQUIRED: "on" });
    const register = (userName: string) =>
      request(server.url, "/register", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ userName, nickName: "n", password: PASSWORD, spreadCode: out }),
      });
    expect((await register("One1")).envelope.code).toBe(200);
    expect((await register("Two2")).envelope.code).toBe(200);
    expect((await register("Three3")).envelope.key).toBe("register.inviteCodeWrong");
    server.kill("SIGTERM");
    await server.exited;
  });

  test("groups are banned, unbanned and enlarged while their members are connected", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const [a, b] = await registerFriends(server.url);
    const id = await makeGroup(a, [b], "Traders");
    const socket = await b.connect();
    const groupOf = async () =>
      JSON.parse((await socket.nextOf(90)).data?.content ?? "null") as { isBanned: boolean; reason: unknown };
    const sendToGroup = () => b.call("sendGroupMessage", { body: { groupId: id, type: 0, content: "x" } });
    expect(await admin("ban-group", String(id), "--reason", "spam")).toEqual({
      code: 0,
      out: "The group Traders is banned.",
      err: "",
    });
    expect(await groupOf()).toMatchObject({ isBanned: true, reason: "spam" });
    expect((await sendToGroup()).envelope.key).toBe("group.banned");
    expect((await admin("unban-group", String(id))).code).toBe(0);
    expect(await groupOf()).toMatchObject({ isBanned: false, reason: null });
    expect((await sendToGroup()).envelope.code).toBe(200);
    expect((await admin("enlarge-group", String(id))).out).toMatch(/^The group Traders takes \d+ people\.$/);
    expect((await admin("unban-group", String(id))).code).toBe(1);
    socket.close();
    server.kill("SIGTERM");
    await server.exited;
  });

  test("a notice from a file, a ban and a closed account that were made without a server are in effect when it starts", async () => {
    const first = await startServer({ DATA_DIR: dataDir });
    const [a, b] = await registerFriends(first.url);
    const banned = await registerPerson(first.url);
    first.kill("SIGTERM");
    await first.exited;

    const file = joinPath(dataDir, "notice.html");
    await writeFile(file, "<h1>News</h1><script>x</script>");
    const sent = await admin(
      "notice",
      "--title",
      "T",
      "--html-file",
      file,
      "--to",
      `${a.userName}, ${b.userName}`,
    );
    expect(sent).toEqual({ code: 0, out: "The notice went to 2 people.", err: "" });
    expect((await admin("ban", banned.userName, "--reason", "spam")).code).toBe(0);
    expect((await admin("unregister", b.userName)).code).toBe(0);
    expect((await admin("stats")).out).toMatch(
      /^server\tnot running\npeople\t3 \(1 banned, 1 unregistered\)\n/,
    );

    const server = await startServer({ DATA_DIR: dataDir });
    const member = await logIn(server.url, a.userName);
    expect(await member.ok("listFriends")).toMatchObject([{ id: b.id, isDeleted: true }]);
    const socket = await member.connect();
    await member.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
    const { data } = await socket.nextOf(53);
    expect(await member.ok("systemContent", { query: { id: data?.id ?? 0 } })).toMatchObject({
      richText: "<h1>News</h1>",
    });
    await expect(logIn(server.url, banned.userName)).rejects.toThrow("account.banned");
    await expect(logIn(server.url, b.userName)).rejects.toThrow("account.unregistered");
    socket.close();
    server.kill("SIGTERM");
    await server.exited;
  });

  test("K34 the command restored gives a restored backup a new epoch, and a running server refuses the command", async () => {
    const first = await startServer({ DATA_DIR: dataDir });
    const [a, b] = await registerFriends(first.url);
    const saved = await sendText(a, b, "saved");
    const stop = async (server: typeof first) => {
      server.kill("SIGTERM");
      await server.exited;
    };
    await stop(first);
    const backup = `${dataDir}-backup`;
    await cp(dataDir, backup, { recursive: true });

    const second = await startServer({ DATA_DIR: dataDir });
    const receiverOn = (url: string) => new TestPerson(url, b.id, b.userName, b.tokens, b.device);
    const epochOf = async (url: string) => {
      const socket = await receiverOn(url).connect();
      socket.close();
      return socket.frames.find((frame) => frame.cmd === 0)?.data?.epoch;
    };
    const before = await epochOf(second.url);
    const lost = await sendText(new TestPerson(second.url, a.id, a.userName, a.tokens, a.device), b, "lost");
    expect(await admin("restored")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Stop the server/),
    });
    expect(await epochOf(second.url)).toBe(before);
    await stop(second);

    await rm(dataDir, { recursive: true });
    await rename(backup, dataDir);
    expect((await admin("restored")).code).toBe(0);
    const third = await startServer({ DATA_DIR: dataDir });
    expect(await epochOf(third.url)).not.toBe(before);
    // The next message gets the id of a lost one, so a client that kept its cursor would never see it.
    const next = await sendText(new TestPerson(third.url, a.id, a.userName, a.tokens, a.device), b, "next");
    expect(next.id).toBe(lost.id);
    const rows = await receiverOn(third.url).ok("loadPrivateMessages", { query: { minId: 0 } });
    expect(rows.slice(-2).map((row) => row.content)).toEqual([saved.content, "next"]);
    await stop(third);
  });

  test("a wrong option is reported", async () => {
    const { code, err } = await admin("invite-code", "create", "--uses", "none");
    expect(code).toBe(1);
    expect(err).toContain("whole number");
    expect((await admin("invite-code", "create", "--days", "9007199254740991")).code).toBe(1);
    const notice = await admin("notice", "--title", "T", "--html-file", joinPath(dataDir, "none.html"));
    expect([notice.code, notice.err]).toEqual([1, expect.stringContaining("ENOENT")]);
    expect((await admin("ban", "somebody")).err).toContain("--reason");
  });

  test("a data folder below a file is reported in one sentence", async () => {
    const file = joinPath(dataDir, "file");
    await writeFile(file, "");
    const { code, err } = await adminIn(joinPath(file, "none"), "users");
    expect([code, err]).toEqual([1, expect.stringMatching(/^DATA_DIR .+ cannot be made: .+$/)]);
  });
});
