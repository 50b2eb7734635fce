import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "redis";
import { clockProblems } from "../../doctor/check-clock.ts";
import { REDIS, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { checkRedis, redisProblems } from "./check-redis.ts";

const NO_READING = { asked: 0, told: Infinity, heard: 0 };
const infoOf = (version: string, role = "master") =>
  `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n# Replication\r\nrole:${role}\r\n`;

test.each([
  [infoOf("6.0.16"), 1, ["Redis has the version 6.0.16; Parley needs 6.2 or later."]],
  ["role:master", 1, ["Redis has the version unknown; Parley needs 6.2 or later."]],
  [infoOf("6.2.0"), 1, []],
  [infoOf("10.0.1"), 50, []],
  [
    infoOf("8.1.0"),
    212.4,
    ["Redis answers after 212 ms; what passes between servers is late by that: put it near the servers."],
  ],
  [`${infoOf("8.1.0")}maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n`, 1, []],
  [`${infoOf("8.1.0")}maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n`, 1, []],
  [
    infoOf("8.1.0", "slave"),
    1,
    ["Redis of REDIS_URL is a replica, which takes no writes; name the primary."],
  ],
])("Redis that tells %j and answers after %s ms has these problems: %j", (info, latencyMs, problems) => {
  expect(redisProblems(info, latencyMs)).toEqual(problems);
});

describe.skipIf(isRedisMissing)(`a check of ${REDIS}`, () => {
  test("finds nothing wrong, refuses a wrong password without printing it, and notices that Redis is gone", async () => {
    const redis = await startRedis({ password: "open-sesame" });
    onTestFinished(() => redis.stop());
    const healthy = await checkRedis(redis.url);
    expect(healthy.problems).toEqual([]);
    expect(clockProblems("Redis", healthy.clock ?? NO_READING)).toEqual([]);
    const wrong = await checkRedis(redis.url.replace("open-sesame", "wrong-sesame"));
    expect(wrong).toEqual({
      problems: [expect.stringMatching(/^Redis of REDIS_URL cannot be used: WRONGPASS/)],
      clock: undefined,
    });
    expect(JSON.stringify(wrong)).not.toContain("sesame");
    await redis.stop();
    const gone = expect.stringMatching(/^Redis of REDIS_URL cannot be used: .*ECONNREFUSED/);
    expect((await checkRedis(redis.url)).problems).toEqual([gone]);
  });

  test("finds a policy that deletes keys, and a clock that differs from that of this machine", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await createClient({ url: redis.url }).connect();
    await client.configSet({ maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
    client.destroy();
    const { problems, clock } = await checkRedis(redis.url, () => Date.now() + 60_000);
    expect(problems).toEqual([
      expect.stringMatching(/^Redis deletes keys .*: set maxmemory-policy noeviction\.$/),
    ]);
    expect(clockProblems("Redis", clock ?? NO_READING)).toEqual([
      expect.stringMatching(/^The clock of Redis is \d+ s behind that of this machine: /),
    ]);
  });
});
