import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAdmin } from "./testing/admin-process.ts";
import { eventually } from "./testing/eventually.ts";
import { startCluster } from "./testing/postgres-cluster.ts";
import { runServer, startServer } from "./testing/server-process.ts";
import { isPostgresMissing, POSTGRES } from "./testing/test-postgres.ts";
import { logIn, makeGroup, registerFriends, sendText } from "./testing/test-person.ts";

describe.skipIf(isPostgresMissing)(`a server on ${POSTGRES}`, () => {
  test("stores and delivers messages, refuses them while the database is away, goes on afterwards, and finds everything after its own restart", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-main-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const cluster = await startCluster();
    onTestFinished(() => cluster.dispose());
    const env = { DATA_DIR: dataDir, DATABASE_URL: cluster.url("postgres") };
    const server = await startServer(env);
    onTestFinished(() => server.kill("SIGKILL"));

    const [a, b] = await registerFriends(server.url);
    const socket = await b.connect();
    const first = await sendText(a, b, "今天下午");
    await eventually(() => expect(JSON.stringify(socket.frames)).toContain("今天下午"));
    await makeGroup(a, [b]);
    const { hits } = await b.ok("searchMessages", { query: { q: "午" } });
    expect(hits.map(({ message }) => message.id)).toEqual([first.id]);

    await cluster.stop("fast");
    const body = { recvId: b.id, type: 0, content: "while it is away", tmpId: "away" };
    const refused = await a.call("sendPrivateMessage", { body });
    expect([refused.status, refused.envelope.key]).toEqual([503, "server.unavailable"]);
    const statusOf = async (path: string) => (await fetch(server.url + path)).status;
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 503]);
    await cluster.start();
    const sent = await a.ok("sendPrivateMessage", { body });
    await eventually(async () => expect(await statusOf("/readyz")).toBe(200));
    expect(await a.ok("sendPrivateMessage", { body })).toMatchObject({ id: sent.id });
    expect((await runAdmin(env, "stats")).out).toMatch(/people\t2 .*\n(.*\n)*database\t[1-9]/);
    expect(await runAdmin(env, "doctor")).toEqual({ code: 0, out: "No problems found.", err: "" });

    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    const restarted = await startServer(env);
    onTestFinished(() => restarted.kill("SIGKILL"));
    const again = await logIn(restarted.url, b.userName);
    const rows = await again.ok("loadPrivateMessages", { query: { minId: 0 } });
    expect(rows.map(({ content }) => content)).toEqual(
      expect.arrayContaining(["今天下午", "while it is away"]),
    );
    restarted.kill("SIGTERM");
    expect(await restarted.exited).toBe(0);

    await cluster.stop("fast");
    const failed = await runServer(env);
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("cannot be opened: ")]);
  });
});
