import { randomBytes } from "node:crypto";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Presence } from "../../ports/presence.ts";
import { presenceContract } from "../../testing/contracts/presence-contract.ts";
import { eventually } from "../../testing/eventually.ts";
import { REDIS, type RedisServer, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { type RedisConnection, createRedisConnection } from "../redis/redis-connection.ts";
import { createRedisPresence } from "./redis-presence.ts";

const NOON = 1_700_000_000_000;
const socketOf = (userId: number, terminal: number, device = `device of ${userId}`) => ({
  userId,
  terminal,
  device,
});
const newKey = () => `test:${randomBytes(6).toString("hex")}`;

interface PresenceNode {
  presence: Presence;
  connection: RedisConnection;
  logs: string[];
  stop(): Promise<void>;
}

async function startNode(url: string, key: string, leaseMs?: number): Promise<PresenceNode> {
  const logs: string[] = [];
  const log = (data: object, text: string) => void logs.push(`${text} ${JSON.stringify(data)}`);
  const connection = createRedisConnection({ url, log: { info: log, warn: log }, pingMs: 200 });
  const presence = createRedisPresence({ connection, key, ...(leaseMs !== undefined && { leaseMs }) });
  await connection.start();
  const stop = async () => {
    await presence.close();
    await connection.close();
  };
  return { presence, connection, logs, stop };
}

describe.skipIf(isRedisMissing)(`presence of ${REDIS}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  const start = async (url: string, key: string, leaseMs?: number) => {
    const node = await startNode(url, key, leaseMs);
    onTestFinished(node.stop);
    return node;
  };
  const online = async ({ presence }: PresenceNode, ...ids: number[]) =>
    Object.fromEntries(await presence.online(ids));

  describe("contract, at one node", () => {
    presenceContract(async () => {
      const { presence, stop } = await startNode(redis.url, newKey());
      return { ...presence, close: stop };
    });
  });

  describe("contract, asked at another node", () => {
    presenceContract(async () => {
      const key = newKey();
      const [a, b] = [await startNode(redis.url, key), await startNode(redis.url, key)];
      const ownMark = -1;
      let marks = 0;
      /** When this is written, earlier changes of the first node are written too. */
      const written = async () => {
        const mark = ++marks;
        a.presence.connected(socketOf(ownMark, mark, "mark"), NOON);
        await eventually(async () =>
          expect(await online(b, ownMark)).toEqual({ [ownMark]: expect.arrayContaining([mark]) }),
        );
      };
      return {
        connected: a.presence.connected,
        disconnected: a.presence.disconnected,
        heard: a.presence.heard,
        async online(ids) {
          await written();
          return b.presence.online(ids);
        },
        async countOnline() {
          await written();
          // The mark is a person too.
          return Number(await b.presence.countOnline()) - 1;
        },
        async lastHeard(devices) {
          await written();
          return b.presence.lastHeard(devices);
        },
        async close() {
          await a.stop();
          await b.stop();
        },
      };
    });
  });

  test("each node tells what all nodes know together", async () => {
    const key = newKey();
    const nodes = [await start(redis.url, key), await start(redis.url, key), await start(redis.url, key)];
    for (const [n, { presence }] of nodes.entries()) {
      presence.connected(socketOf(1, n + 1, "shared"), NOON + n);
      presence.connected(socketOf(10 + n, 2), NOON);
    }
    const other = await start(redis.url, newKey());
    for (const node of nodes) {
      await eventually(async () => {
        expect(await online(node, 1, 10, 11, 12, 13)).toEqual({ 1: [1, 2, 3], 10: [2], 11: [2], 12: [2] });
        expect([...(await node.presence.lastHeard(["shared", "none"]))]).toEqual([["shared", NOON + 2]]);
        expect(await node.presence.countOnline()).toBe(4);
      });
    }
    expect(await online(other, 1, 10)).toEqual({});
  });

  test("that a device is heard reaches the other nodes with the next renewal, if nothing else changes", async () => {
    const key = newKey();
    const [a, b] = [await start(redis.url, key, 600), await start(redis.url, key, 600)];
    a.presence.connected(socketOf(1, 2, "d"), NOON);
    const heard = async () => (await b.presence.lastHeard(["d"])).get("d");
    await eventually(async () => expect(await heard()).toBe(NOON));
    a.presence.heard("d", NOON + 1);
    await eventually(async () => expect(await heard()).toBe(NOON + 1));
  });

  test("thousands of people are asked for at once", async () => {
    const key = newKey();
    const [a, b] = [await start(redis.url, key), await start(redis.url, key)];
    const ids = Array.from({ length: 5_000 }, (_, n) => n + 1);
    for (const id of ids) a.presence.connected(socketOf(id, 2), NOON);
    await eventually(async () => expect((await b.presence.online(ids)).size).toBe(ids.length));
    for (const id of ids.slice(0, 10)) b.presence.connected(socketOf(id, 2), NOON);
    // Undefined if Redis needs longer than a second, as on a busy machine.
    await eventually(async () => expect(await b.presence.countOnline()).toBe(ids.length));
  });

  test("a node that ends takes its people with it", async () => {
    const key = newKey();
    const [a, b] = [await startNode(redis.url, key), await start(redis.url, key)];
    a.presence.connected(socketOf(1, 2), NOON);
    await eventually(async () => expect(await online(b, 1)).toEqual({ 1: [2] }));
    await a.stop();
    expect(await online(b, 1)).toEqual({});
  });

  test("the people of a node that died vanish when its lease is over, those of others stay, and nothing stays behind", async () => {
    const key = newKey();
    const leaseMs = 600;
    const [a, b] = [await startNode(redis.url, key, leaseMs), await start(redis.url, key, leaseMs)];
    const witness = await start(redis.url, key);
    a.presence.connected(socketOf(1, 2), NOON);
    b.presence.connected(socketOf(2, 2), NOON);
    await eventually(async () => expect(await online(witness, 1, 2)).toEqual({ 1: [2], 2: [2] }));
    // As if its process were killed: nothing is renewed, and nothing is taken back.
    await a.connection.close();
    await a.presence.close();
    await eventually(async () => expect(await online(witness, 1, 2)).toEqual({ 2: [2] }));
    const client = createClient({ url: redis.url });
    await client.connect();
    onTestFinished(() => client.destroy());
    // The dead node is out of the set; those that live have renewed their leases.
    await eventually(async () => expect(await client.sCard(key)).toBe(2));
    expect(await online(witness, 2)).toEqual({ 2: [2] });
  });

  test("what Redis forgets is written again, without a new connection and after a restart", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const key = newKey();
    const [a, b] = [await start(own.url, key, 600), await start(own.url, key, 600)];
    a.presence.connected(socketOf(1, 2), NOON);
    a.presence.connected(socketOf(2, 1, "d"), NOON);
    const seen = async () => {
      expect(await online(b, 1, 2, 3)).toEqual({ 1: [2], 2: [1] });
      expect(Object.fromEntries(await b.presence.lastHeard(["d"]))).toEqual({ d: NOON });
    };
    await eventually(seen);
    await a.connection.client?.flushAll();
    await eventually(seen);
    await own.stop();
    await own.start();
    await eventually(seen);
  });

  test("a change after a loss brings everything back, not only itself", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const key = newKey();
    // With a lease so long that no renewal helps.
    const [a, b] = [await start(own.url, key, 3_600_000), await start(own.url, key, 3_600_000)];
    a.presence.connected(socketOf(1, 2), NOON);
    await eventually(async () => expect(await online(b, 1)).toEqual({ 1: [2] }));
    await a.connection.client?.flushAll();
    a.presence.connected(socketOf(2, 2), NOON);
    await eventually(async () => expect(await online(b, 1, 2)).toEqual({ 1: [2], 2: [2] }));
  });

  test("while Redis is away or hangs, a node tells what it knows itself, and no number of all people", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const key = newKey();
    const [a, b] = [await start(own.url, key), await start(own.url, key)];
    a.presence.connected(socketOf(1, 1), NOON);
    b.presence.connected(socketOf(1, 2, "d"), NOON);
    await eventually(async () => expect(await online(a, 1)).toEqual({ 1: [1, 2] }));
    own.pause();
    expect(await online(a, 1)).toEqual({ 1: [1] });
    expect(await a.presence.countOnline()).toBeUndefined();
    own.resume();
    await eventually(async () => expect(await online(a, 1)).toEqual({ 1: [1, 2] }));
    expect(await a.presence.countOnline()).toBe(1);
    await own.stop();
    expect(await a.presence.countOnline()).toBeUndefined();
    a.presence.connected(socketOf(3, 2), NOON);
    b.presence.disconnected(socketOf(1, 2, "d"));
    expect(await online(a, 1, 3)).toEqual({ 1: [1], 3: [2] });
    expect(Object.fromEntries(await a.presence.lastHeard(["d"]))).toEqual({});
    await own.start();
    await eventually(async () => {
      expect(await online(a, 1, 3)).toEqual({ 1: [1], 3: [2] });
      expect(await online(b, 1, 3)).toEqual({ 1: [1], 3: [2] });
    });
  });

  test("a refusal of Redis is logged once, and the node tells what it knows itself", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const a = await start(own.url, newKey());
    await a.connection.client?.configSet("maxmemory", "1");
    for (let n = 0; n < 3; n++) {
      a.presence.connected(socketOf(1, 2), NOON);
      await eventually(() =>
        expect(a.logs).toEqual([expect.stringMatching(/^Redis refuses presence .*OOM/)]),
      );
      expect(await online(a, 1)).toEqual({ 1: [2] });
    }
  });
});
