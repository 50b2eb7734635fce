import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CONTRACT_RATES, rateLimiterContract } from "../../testing/contracts/rate-limiter-contract.ts";
import { eventually } from "../../testing/eventually.ts";
import { REDIS, type RedisServer, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { createRedisConnection } from "../redis/redis-connection.ts";
import { createRedisRateLimiter } from "./redis-rate-limiter.ts";

async function startNode(url: string, key: string) {
  const logs: string[] = [];
  const log = (data: object, text: string) => void logs.push(`${text} ${JSON.stringify(data)}`);
  const connection = createRedisConnection({ url, log: { info: log, warn: log } });
  await connection.start();
  onTestFinished(() => connection.close());
  return { limiter: createRedisRateLimiter({ connection, rates: CONTRACT_RATES, key }), connection, logs };
}

const newKey = () => `test:${randomBytes(6).toString("hex")}`;

describe.skipIf(isRedisMissing)(`rate limits of ${REDIS}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  rateLimiterContract(async () => (await startNode(redis.url, newKey())).limiter);

  test("the nodes of an installation count together, and others do not count with them", async () => {
    const key = newKey();
    const [a, b] = [await startNode(redis.url, key), await startNode(redis.url, key)];
    const tries = [a, b, a, b, a, b].map(({ limiter }) => limiter.consume("wrongPasswordsOfName", "ann"));
    const waits = await Promise.all(tries);
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(CONTRACT_RATES.logins.times);
    for (let n = 0; n < tries.length; n++) await a.limiter.refund("wrongPasswordsOfName", "ann");
    expect(await b.limiter.consume("wrongPasswordsOfName", "ann")).toBe(0);
    const other = await startNode(redis.url, newKey());
    expect(await other.limiter.consume("wrongPasswordsOfName", "ann")).toBe(0);
  });

  test("while Redis is away or hangs, each node counts for itself and no call fails", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const key = newKey();
    const [a, b] = [await startNode(own.url, key), await startNode(own.url, key)];
    own.pause();
    const passed = async ({ limiter }: typeof a, name: string) => {
      const tries = Array.from({ length: 5 }, () => limiter.consume("wrongPasswordsOfName", name));
      return (await Promise.all(tries)).filter((seconds) => seconds === 0).length;
    };
    expect([await passed(a, "ann"), await passed(b, "ann")]).toEqual([3, 3]);
    own.resume();
    await own.stop();
    expect([await passed(a, "bob"), await passed(b, "bob")]).toEqual([3, 3]);
    await a.limiter.refund("wrongPasswordsOfName", "bob");
    expect(await passed(a, "bob")).toBe(0);
    await own.start();
    await eventually(() => expect(a.connection.client && b.connection.client).toBeDefined());
    expect((await passed(a, "cid")) + (await passed(b, "cid"))).toBe(3);
  });
});
