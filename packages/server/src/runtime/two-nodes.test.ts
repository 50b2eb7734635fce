import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "redis";
import { describe, expect, onTestFinished, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { eventually } from "../testing/eventually.ts";
import { readMetrics } from "../testing/read-metrics.ts";
import { REDIS, isRedisMissing, startRedis } from "../testing/redis-server.ts";
import { type TestCertificate, canMakeCertificates, makeCertificate } from "../testing/reverse-proxy.ts";
import { type ServerProcess, runServer, startServer } from "../testing/server-process.ts";
import {
  TestPerson,
  logIn,
  makeGroup,
  registerFriends,
  registerPerson,
  request,
  sendText,
} from "../testing/test-person.ts";
import { POSTGRES, createTestDatabase, isPostgresMissing } from "../testing/test-postgres.ts";

interface Node extends ServerProcess {
  admin(...args: string[]): Promise<string>;
}

/** Starts two servers on one new database and one new Redis, which does not run yet if it is late. */
async function startNodes({
  isRedisLate = false,
  env = {},
  certificate,
}: {
  isRedisLate?: boolean;
  env?: Record<string, string>;
  /** Redis takes connections by TLS alone. */
  certificate?: TestCertificate;
} = {}) {
  const redis = await startRedis({
    password: "between-nodes",
    ...(certificate !== undefined && { certificate }),
  });
  onTestFinished(() => redis.stop());
  if (isRedisLate) await redis.stop();
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const newEnv = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-node-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    return {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      SECRET: "the same secret for both of the nodes",
      LOG_LEVEL: "info",
      ...env,
    };
  };
  const start = async (): Promise<Node> => {
    const all = await newEnv();
    const server = await startServer(all);
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await server.exited;
    });
    return { ...server, admin: (...args) => runAdmin(all, args) };
  };
  const [a, b] = [await start(), await start()];
  return { redis, a, b, newEnv, adminElsewhere: async (...args: string[]) => runAdmin(await newEnv(), args) };
}

async function runAdmin(env: Record<string, string>, args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("../cli/admin.ts", import.meta.url)), ...args],
    {
      env,
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  await once(child, "close");
  return output;
}

/** The same session at another node. */
function at(node: Node, { id, userName, tokens, device }: TestPerson): TestPerson {
  return new TestPerson(node.url, id, userName, tokens, device);
}

/** The commands that this Redis has carried out. */
async function commandsOf(url: string): Promise<string[]> {
  const client = await createClient({ url }).connect();
  const stats = await client.info("commandstats");
  client.destroy();
  return [...new Set(Array.from(stats.matchAll(/^cmdstat_(\w+)/gm), ([, name = ""]) => name.toUpperCase()))];
}

/** The commands in the table of decision 21. */
async function listedCommands(): Promise<string[]> {
  const text = await readFile(new URL("../../../../docs/decisions/0021-redis.md", import.meta.url), "utf8");
  const rows = text.split("\n").filter((line) => /^\| `[A-Z]+`/.test(line));
  return rows.flatMap((row) =>
    Array.from(row.split("|")[1]?.matchAll(/`([A-Z]+)`/g) ?? [], ([, name = ""]) => name),
  );
}

/** The status of a login with a wrong password. */
async function tryWrong(node: Node, userName: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ terminal: 2, userName, password: "not-the-one" });
  return (await request(node.url, "/login", { method: "POST", headers, body })).status;
}

const isNodesMissing = isRedisMissing || isPostgresMissing;

describe.skipIf(isNodesMissing)(`two servers on ${POSTGRES} and ${REDIS}`, () => {
  test("a message reaches a person at the other server, who is seen online there until the socket closes", async () => {
    const { redis, a, b } = await startNodes();
    const [ann, bob] = await registerFriends(a.url);
    const [annSocket, bobSocket] = [await ann.connect(), await at(b, bob).connect()];

    await sendText(ann, bob, "to the other server");
    expect((await bobSocket.nextOf(MessageType.TEXT)).data?.content).toBe("to the other server");
    await sendText(at(b, bob), ann, "and back");
    expect((await annSocket.nextOf(MessageType.TEXT)).data?.content).toBe("and back");

    const onlineAt = (person: TestPerson) =>
      person.ok("findOnlineTerminals", { query: { userIds: [ann.id, bob.id] } });
    for (const person of [ann, at(b, ann)]) {
      await eventually(async () =>
        expect(await onlineAt(person)).toEqual(
          expect.arrayContaining([
            { userId: ann.id, terminals: [2] },
            { userId: bob.id, terminals: [2] },
          ]),
        ),
      );
    }
    bobSocket.close();
    await eventually(async () => expect(await onlineAt(ann)).toEqual([{ userId: ann.id, terminals: [2] }]));
    await a.admin("grant-admin", ann.userName);
    await eventually(async () => {
      const { nodes, people } = await ann.ok("loadOverview");
      expect({ nodes: nodes.length, online: people.online }).toEqual({ nodes: 2, online: 1 });
    });
    annSocket.close();

    // Rate limits and the overview too have asked Redis by now.
    const used = await commandsOf(redis.url);
    expect(used).toEqual(expect.arrayContaining(["PUBLISH", "EVAL", "INCRBY", "HSCAN"]));
    const listed = await listedCommands();
    expect(used.filter((command) => !listed.includes(command))).toEqual([]);
  });

  test.skipIf(!canMakeCertificates())(
    "a message reaches a person at the other server through a Redis with TLS, whose authority is named by NODE_EXTRA_CA_CERTS",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "parley-redis-tls-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const certificate = await makeCertificate(folder);
      const env = { NODE_EXTRA_CA_CERTS: certificate.cert };
      const { a, b } = await startNodes({ certificate, env });
      const [ann, bob] = await registerFriends(a.url);
      const bobSocket = await at(b, bob).connect();
      // Without Redis it would come with the next look for lost pushes.
      for (const node of [a, b]) expect(node.output()).not.toContain("Redis is away");
      await sendText(ann, bob, "encrypted on the way");
      expect((await bobSocket.nextOf(MessageType.TEXT)).data?.content).toBe("encrypted on the way");
      bobSocket.close();
    },
  );

  test("a logout, a newer device and a ban at one server close the sockets of the other and end their tokens there", async () => {
    const { a, b } = await startNodes();
    const [ended, kicked, banned] = [
      await registerPerson(a.url, { deviceNo: "d1" }),
      await registerPerson(a.url, { deviceNo: "d1" }),
      await registerPerson(a.url, { deviceNo: "d1" }),
    ];
    const people = [ended, kicked, banned].map((person) => at(b, person));
    // Their tokens are in the cache of the other server then.
    const sockets = await Promise.all(people.map((person) => person.connect()));

    const elsewhere = await ended.elsewhere({ terminal: 1 });
    await elsewhere.ok("endSession", { query: {} });
    const newer = await (await kicked.elsewhere({ deviceNo: "d2" })).connect();
    await a.admin("ban", banned.userName, "--reason", "spam");

    for (const [n, reason] of ["sessionEnded", "kicked", "banned"].entries()) {
      expect(await sockets[n]?.next(({ cmd }) => cmd === 2)).toMatchObject({ reason });
    }
    for (const person of people) {
      await eventually(async () => expect((await person.call("self")).envelope.code).toBe(401));
    }
    expect(await Promise.all(sockets.map((socket) => socket.closed))).toEqual([4001, 4001, 4001]);
    expect((await newer.flush()).some(({ cmd }) => cmd === 2)).toBe(false);
    newer.close();
  });

  test("if two devices log in at different servers without Redis, the newer one stays when Redis is back", async () => {
    const { redis, a, b } = await startNodes();
    const [first, second] = [
      await registerPerson(a.url, { deviceNo: "d1" }),
      await registerPerson(b.url, { deviceNo: "d1" }),
    ];
    // One is connected before Redis goes, the other logs in while it is away.
    const connected = await first.connect();
    await redis.stop();
    const newer = await (await logIn(b.url, first.userName, { deviceNo: "d2" })).connect();
    const older = await second.connect();
    const newest = await (await logIn(a.url, second.userName, { deviceNo: "d2" })).connect();
    for (const socket of [connected, newer, older, newest])
      expect((await socket.flush()).some(({ cmd }) => cmd === 2)).toBe(false);
    await redis.start();
    for (const socket of [connected, older])
      expect(await socket.next(({ cmd }) => cmd === 2)).toMatchObject({ reason: "kicked" });
    for (const node of [a, b]) await eventually(() => expect(node.output()).toContain("Redis is back"));
    for (const socket of [newer, newest]) {
      expect((await socket.flush()).some(({ cmd }) => cmd === 2)).toBe(false);
      socket.close();
    }
  });

  test("a command of the administration without a server of its own reaches the servers", async () => {
    const { a, adminElsewhere } = await startNodes();
    const ann = await registerPerson(a.url);
    const socket = await ann.connect();
    expect(await adminElsewhere("ban", ann.userName, "--reason", "spam")).toContain(ann.userName);
    expect(await socket.next(({ cmd }) => cmd === 2)).toMatchObject({ reason: "banned" });
    expect((await ann.call("self")).envelope.code).toBe(401);
  });

  test("wrong passwords are counted by both servers together", async () => {
    const { a, b } = await startNodes({ env: { RATE_LIMITS: "logins=2/h" } });
    const { userName } = await registerPerson(a.url);
    expect([await tryWrong(a, userName), await tryWrong(b, userName)]).toEqual([200, 200]);
    expect([await tryWrong(a, userName), await tryWrong(b, userName)]).toEqual([429, 429]);
  });

  test("without Redis, messages are stored and a server works for its own people; when Redis is back, pushes flow on the same sockets and nothing stale is left", async () => {
    const { redis, a, b } = await startNodes({ env: { METRICS_TOKEN: "token-of-prometheus" } });
    const [ann, bob] = await registerFriends(a.url);
    const [annSocket, bobSocket] = [await ann.connect(), await at(b, bob).connect()];
    // Both servers know now that the two may write to each other.
    await sendText(ann, bob, "before");
    await sendText(at(b, bob), ann, "before");
    await bobSocket.nextOf(MessageType.TEXT);
    await annSocket.nextOf(MessageType.TEXT);
    const other = await ann.elsewhere({ terminal: 1 });
    const otherSocket = await at(b, other).connect();

    const bobHere = await (await bob.elsewhere({ terminal: 1 })).connect();

    const readiness = async ({ url }: Node) => {
      const answer = await fetch(`${url}/readyz`);
      const { data } = (await answer.json()) as { data: unknown };
      const metrics = await readMetrics(url, "token-of-prometheus");
      return [answer.status, data, metrics.value("parley_bus_connected")];
    };
    for (const node of [a, b]) expect(await readiness(node)).toEqual([200, "ready", 1]);
    await redis.stop();
    for (const node of [a, b])
      await eventually(async () => expect(await readiness(node)).toEqual([200, "ready without Redis", 0]));
    const unheard = await sendText(ann, bob, "while it is away");
    expect((await bobHere.nextOf(MessageType.TEXT)).data?.content).toBe("while it is away");
    await ann.ok("addToBlacklist", { query: { userId: bob.id } });
    await ann.ok("endSession", { query: {} });
    await redis.start();
    for (const node of [a, b]) {
      await eventually(() => expect(node.output()).toContain("Redis is back"));
      expect(await readiness(node)).toEqual([200, "ready", 1]);
    }

    expect(await otherSocket.next(({ cmd }) => cmd === 2)).toMatchObject({ reason: "sessionEnded" });
    expect((await at(b, other).call("self")).envelope.code).toBe(401);
    const blocked = { body: { recvId: ann.id, type: 0, content: "stale" } };
    await eventually(async () =>
      expect(await at(b, bob).errorKeyOf("sendPrivateMessage", blocked)).toBe("message.blockedYou"),
    );
    await ann.ok("removeFromBlacklist", { query: { userId: bob.id } });
    await sendText(ann, bob, "after");
    expect((await bobSocket.next(({ data }) => data?.content === "after")).data?.id).toBeGreaterThan(
      unheard.id,
    );
    const rows = await at(b, bob).ok("loadPrivateMessages", { query: { minId: 0 } });
    expect(rows.map(({ content }) => content)).toContain("while it is away");
    for (const node of [a, b]) expect(node.output()).not.toContain("between-nodes");
    for (const socket of [annSocket, bobSocket, bobHere]) socket.close();
  });

  test("servers that start without Redis serve their own people, and reach each other when it has come", async () => {
    const { redis, a, b } = await startNodes({ isRedisLate: true });
    const [ann, bob] = await registerFriends(a.url);
    const [here, there] = [await bob.connect(), await at(b, bob).connect()];
    await sendText(ann, bob, "before Redis");
    expect((await here.nextOf(MessageType.TEXT)).data?.content).toBe("before Redis");
    await redis.start();
    for (const node of [a, b]) await eventually(() => expect(node.output()).toContain("Redis is back"));
    // The other server may have found the first one in the database by now.
    await sendText(ann, bob, "for both");
    for (const socket of [here, there]) await socket.next(({ data }) => data?.content === "for both");
    for (const socket of [here, there]) socket.close();
  });

  test("a pull is answered through the server that has the socket, and what cannot be pushed while Redis is away is found there", async () => {
    const { redis, a, b } = await startNodes();
    const [ann, bob] = await registerFriends(a.url);
    const socket = await at(b, bob).connect({ caps: ["changes"] });
    const groupId = await makeGroup(ann, [bob]);
    await bob.ok("pullPrivateMessages", { query: { minId: 0 } });
    await socket.next(({ data }) => data?.type === 30 && data.content === "false");

    await redis.stop();
    await sendText(ann, bob, "while Redis is away");
    await ann.ok("sendGroupMessage", { body: { groupId, type: 0, content: "in the group" } });
    await socket.next(({ data }) => data?.content === "while Redis is away");
    await socket.next(({ data }) => data?.content === "in the group");
    await redis.start();
    await eventually(() => bob.ok("pullPrivateMessages", { query: { minId: 0 } }));

    a.kill("SIGKILL");
    await a.exited;
    await sendText(at(b, ann), bob, "after the death of one");
    await socket.next(({ data }) => data?.content === "after the death of one");
    socket.close();
  });

  test("a third one without REDIS_URL or without the common secret does not start", async () => {
    const { newEnv } = await startNodes();
    const { REDIS_URL: _, ...alone } = await newEnv();
    const refused = await runServer(alone);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining("is in use by another Parley server"),
    ]);
    const { SECRET: _secret, ...open } = await newEnv();
    const secretless = await runServer(open);
    expect([secretless.code, secretless.output]).toEqual([1, expect.stringMatching(/^SECRET must be set/)]);
  });

  test("a server that is told to end hands its sockets over", async () => {
    const { a, b } = await startNodes();
    const [ann, bob] = await registerFriends(a.url);
    const socket = await bob.connect();
    a.kill("SIGTERM");
    expect(await socket.closed).toBe(1012);
    const back = await at(b, bob).connect();
    await sendText(at(b, ann), bob, "hello");
    expect((await back.nextOf(MessageType.TEXT)).data?.content).toBe("hello");
    expect(await a.exited).toBe(0);
    back.close();
  });
});
