import { describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../config.ts";
import { checkServices } from "../../doctor.ts";
import { REDIS, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { checkRedis, redisProblems } from "./check-redis.ts";

const infoOf = (version: string, role = "master") =>
  `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n# Replication\r\nrole:${role}\r\n`;

test.each([
  [infoOf("6.0.16"), 1, ["Redis has the version 6.0.16; Parley needs 6.2 or later."]],
  ["role:master", 1, ["Redis has the version unknown; Parley needs 6.2 or later."]],
  [infoOf("6.2.0"), 1, []],
  [infoOf("10.0.1"), 50, []],
  [infoOf("8.1.0"), 212.4, ["Redis answers after 212 ms; what passes between servers is late by that."]],
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
    // A busy machine may let it look slow.
    expect((await checkRedis(redis.url)).filter((problem) => !problem.includes("answers after"))).toEqual([]);
    const wrong = await checkRedis(redis.url.replace("open-sesame", "wrong-sesame"));
    expect(wrong).toEqual([expect.stringMatching(/^Redis of REDIS_URL cannot be used: WRONGPASS/)]);
    expect(wrong.join()).not.toContain("sesame");
    await redis.stop();
    const gone = expect.stringMatching(/^Redis of REDIS_URL cannot be used: .*ECONNREFUSED/);
    expect(await checkRedis(redis.url)).toEqual([gone]);
    expect(await checkServices(loadConfig({ REDIS_URL: redis.url })), "the doctor asks").toEqual([gone]);
    expect(await checkServices(loadConfig({})), "without REDIS_URL").toEqual([]);
  });
});
