/** Two processes on one PostgreSQL and one Redis, as an operator runs them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "./testing/eventually.ts";
import { isRedisMissing, REDIS, type RedisServer, startRedis } from "./testing/redis-server.ts";
import { runServer, type ServerProcess, startServer } from "./testing/server-process.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "./testing/test-postgres.ts";
import { makeGroup, registerFriends, sendText, TestPerson } from "./testing/test-person.ts";
import type { Frame } from "./testing/test-socket.ts";

const on = ({ url }: ServerProcess, { id, userName, tokens, device }: TestPerson): TestPerson =>
  new TestPerson(url, id, userName, tokens, device);
const textOf = (frame: Frame) => frame.data?.content;

describe.skipIf(isPostgresMissing || isRedisMissing)(`two servers on ${POSTGRES} and ${REDIS}`, () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  const running = new Set<ServerProcess>();

  const start = async (name: string): Promise<ServerProcess> => {
    const server = await startServer({ ...env, DATA_DIR: join(folder, name) });
    running.add(server);
    return server;
  };

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
    folder = await mkdtemp(join(tmpdir(), "parley-nodes-"));
    env = { DATABASE_URL: database.url, REDIS_URL: redis.url, SECRET: "s".repeat(32), RATE_LIMITS: "off" };
  });
  afterAll(async () => {
    for (const server of running) server.kill("SIGKILL");
    await Promise.all([...running].map(({ exited }) => exited));
    await redis.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test("deliver to each other and answer each other's pulls; what one cannot push, because Redis is away or it has died, the other finds", async () => {
    const [a, b] = [await start("a"), await start("b")];
    const [ann, ben] = await registerFriends(a.url);
    const benOnB = on(b, ben);
    const socket = await benOnB.connect({ caps: ["changes"] });
    const group = await makeGroup(ann, [ben]);
    await sendText(ann, ben, "by Redis");
    await socket.next((frame) => textOf(frame) === "by Redis");
    await ben.ok("pullPrivateMessages", { query: { minId: 0 } });
    await socket.next(({ data }) => data?.type === 30 && data.content === "false");

    await redis.stop();
    await sendText(ann, ben, "while Redis is away");
    await ann.ok("sendGroupMessage", { body: { groupId: group, type: 0, content: "in the group" } });
    await socket.next((frame) => textOf(frame) === "while Redis is away");
    await socket.next((frame) => textOf(frame) === "in the group");
    await redis.start();
    await eventually(async () => {
      await ben.ok("pullPrivateMessages", { query: { minId: 0 } });
    });

    a.kill("SIGKILL");
    await a.exited;
    const annOnB = on(b, ann);
    await sendText(annOnB, ben, "after the death of one");
    await socket.next((frame) => textOf(frame) === "after the death of one");
    socket.close();
  });

  test("exclude a third one without REDIS_URL; each needs the common secret", async () => {
    const server = await start("c");
    onTestFinished(() => server.kill("SIGKILL"));
    const { REDIS_URL: _, ...alone } = env;
    const refused = await runServer({ ...alone, DATA_DIR: join(folder, "alone") });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining("is in use by another Parley server"),
    ]);
    const { SECRET: _secret, ...open } = env;
    const secretless = await runServer({ ...open, DATA_DIR: join(folder, "secretless") });
    expect([secretless.code, secretless.output]).toEqual([1, expect.stringMatching(/^SECRET must be set/)]);
  });

  test("hand their sockets over when they are told to end", async () => {
    const [c, d] = [await start("d"), await start("e")];
    const [ann, ben] = await registerFriends(c.url);
    const socket = await ben.connect();
    c.kill("SIGTERM");
    expect(await socket.closed).toBe(1012);
    const back = await on(d, ben).connect();
    await sendText(on(d, ann), ben, "hello");
    await back.next((frame) => textOf(frame) === "hello");
    expect(await c.exited).toBe(0);
    back.close();
  });
});
