/** Checks a Redis for the doctor. */
import { ErrorReply } from "redis";
import { type Finding, type FindingKey, finding } from "@parley/protocol/findings";
import type { ClockReading } from "../../ports/clock-reading.ts";
import { type RedisClient, newClient, reasonOf, within } from "./redis-connection.ts";

/** Redis 6.2, which knows all that this server uses. Valkey tells a later one for compatibility. */
const OLDEST = [6, 2] as const;
const PINGS = 5;
/** Pushes between nodes are slower by this; a Redis in the same data centre takes about one. */
const SLOW_MS = 50;
const CHECK_MS = 10_000;

const REPLICA = /^role:slave/m;
const CLUSTER = /^redis_mode:cluster/m;
/** With this policy, Redis deletes no key by itself. */
const KEEPING = "noeviction";

/** Key and channel of a trial. An account for Parley may use them. */
const TRIAL = "parley:doctor";
const WRITE_FOR_A_SECOND = "return redis.call('set', KEYS[1], '', 'PX', 1000)";

/** The result of a check. */
export interface RedisCheck {
  /** The problems that were found. */
  problems: Finding[];
  /** Undefined if it cannot be used. */
  clock: ClockReading | undefined;
}

/** Checks the Redis of this URL. `now` is the clock of this machine. */
export async function checkRedis(url: string, now: () => number = Date.now): Promise<RedisCheck> {
  const client = newClient(url);
  // The calls below fail with the same error.
  client.on("error", () => undefined);
  try {
    return await within(CHECK_MS, measure(client, url, now));
  } catch (error) {
    const reason = reasonOf(error, url);
    return { problems: [finding("redisUnusable", { reason })], clock: undefined };
  } finally {
    client.destroy();
  }
}

async function measure(client: RedisClient, url: string, now: () => number): Promise<RedisCheck> {
  await client.connect();
  const info = await client.info();
  const asked = now();
  const [seconds, microseconds] = await client.time();
  const heard = now();
  const times: number[] = [];
  for (let n = 0; n < PINGS; n++) {
    const start = performance.now();
    await client.ping();
    times.push(performance.now() - start);
  }
  const told = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  // Other work may slow some of them down.
  const problems = redisProblems(info, Math.min(...times));
  // A Redis that cannot be used at all refuses for that reason.
  const refusals = REPLICA.test(info) || CLUSTER.test(info) ? [] : await findRefusals(client, url);
  return { problems: [...problems, ...refusals], clock: { asked, told, heard } };
}

/** Does once what servers do. */
async function findRefusals(client: RedisClient, url: string): Promise<Finding[]> {
  const trials: readonly [FindingKey, () => Promise<unknown>][] = [
    [
      "redisRefusesEvents",
      async () => {
        await client.subscribe(TRIAL, () => undefined);
        await client.publish(TRIAL, "");
      },
    ],
    ["redisRefusesWrites", () => client.eval(WRITE_FOR_A_SECOND, { keys: [TRIAL] })],
  ];
  const refusals: Finding[] = [];
  for (const [key, tryIt] of trials) {
    try {
      await tryIt();
    } catch (error) {
      if (!(error instanceof ErrorReply)) throw error;
      refusals.push(finding(key, { reason: reasonOf(error, url) }));
    }
  }
  return refusals;
}

/**
 * The problems of a Redis, by its answer to INFO and its shortest answer time.
 * @internal
 */
export function redisProblems(info: string, latencyMs: number): Finding[] {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? "unknown";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const maxMemory = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? KEEPING;
  return [
    ...(isNewEnough ? [] : [finding("redisTooOld", { version, oldest: OLDEST.join(".") })]),
    ...(maxMemory > 0 && policy !== KEEPING ? [finding("redisDeletesKeys", { policy })] : []),
    ...(CLUSTER.test(info) ? [finding("redisIsCluster")] : []),
    ...(REPLICA.test(info) ? [finding("redisIsReplica")] : []),
    ...(latencyMs > SLOW_MS ? [finding("redisSlow", { ms: Math.round(latencyMs) })] : []),
  ];
}
