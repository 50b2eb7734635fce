import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "redis";
import { findingSentence } from "@parley/protocol/findings";
import { clockFindings } from "../../doctor/check-clock.ts";
import { REDIS, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { canMakeCertificates, makeCertificate } from "../../testing/reverse-proxy.ts";
import { checkRedis, redisProblems } from "./check-redis.ts";
import { createRedisConnection } from "./redis-connection.ts";

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
  [
    infoOf("8.1.0").replace("standalone", "cluster"),
    1,
    [
      "Redis of REDIS_URL is a cluster, whose servers share the keys out; Parley needs one without cluster mode.",
    ],
  ],
])("Redis that tells %j and answers after %s ms has these problems: %j", (info, latencyMs, problems) => {
  expect(redisProblems(info, latencyMs).map(findingSentence)).toEqual(problems);
});

describe.skipIf(isRedisMissing)(`a check of ${REDIS}`, () => {
  test("finds nothing wrong, refuses a wrong password without printing it, and notices that Redis is gone", async () => {
    const redis = await startRedis({ password: "open-sesame" });
    onTestFinished(() => redis.stop());
    const healthy = await checkRedis(redis.url);
    expect(healthy.problems).toEqual([]);
    expect(healthy.clock).toBeDefined();
    expect(clockFindings("Redis", healthy.clock)).toEqual([]);
    const wrong = await checkRedis(redis.url.replace("open-sesame", "wrong-sesame"));
    expect(wrong).toEqual({
      problems: [{ key: "redisUnusable", params: { reason: expect.stringMatching(/^WRONGPASS/) } }],
      clock: undefined,
    });
    expect(JSON.stringify(wrong)).not.toContain("sesame");
    await redis.stop();
    const gone = expect.stringMatching(/^Redis of REDIS_URL cannot be used: .*ECONNREFUSED/);
    expect((await checkRedis(redis.url)).problems.map(findingSentence)).toEqual([gone]);
  });

  test.skipIf(!canMakeCertificates())(
    "says that the certificate of a Redis with TLS is not trusted, and what to do; so does the log",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "parley-redis-tls-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const redis = await startRedis({ password: "open-sesame", certificate: await makeCertificate(folder) });
      onTestFinished(() => redis.stop());
      const reason =
        "its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT), so name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS";
      expect((await checkRedis(redis.url)).problems.map(findingSentence)).toEqual([
        `Redis of REDIS_URL cannot be used: ${reason}; check that it runs, that this machine may connect, and the password.`,
      ]);
      const warn = vi.fn();
      const connection = createRedisConnection({ url: redis.url, log: { info: vi.fn(), warn } });
      await connection.start();
      await connection.close();
      expect(warn.mock.calls).toEqual([[{ reason }, "Redis is away"]]);
    },
  );

  test("finds that writes are refused because the memory is full, and events because of the account", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await createClient({ url: redis.url }).connect();
    await client.configSet("maxmemory", "1");
    await client.aclSetUser("default", "-publish");
    client.destroy();
    expect((await checkRedis(redis.url)).problems.map(findingSentence)).toEqual([
      expect.stringMatching(/^Redis refuses events \(NOPERM .*: look at its memory, /),
      expect.stringMatching(/^Redis refuses presence and rate limits \(.*OOM .*: look at its memory, /),
    ]);
  });

  test("finds a policy that deletes keys, and a clock that differs from that of this machine", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await createClient({ url: redis.url }).connect();
    // One after the other, because Redis before 7.0 takes one setting in each command.
    await client.configSet("maxmemory", "100mb");
    await client.configSet("maxmemory-policy", "allkeys-lru");
    client.destroy();
    const { problems, clock } = await checkRedis(redis.url, () => Date.now() + 60_000);
    expect(problems.map(findingSentence)).toEqual([
      expect.stringMatching(/^Redis deletes keys .*: set maxmemory-policy noeviction\.$/),
    ]);
    expect(clockFindings("Redis", clock).map(findingSentence)).toEqual([
      expect.stringMatching(/^The clock of Redis is \d+ s behind that of this machine: /),
    ]);
  });
});
