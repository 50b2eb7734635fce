/** What is wrong with a Redis, for the doctor. */
import { newClient, reasonOf, within } from "./redis-connection.ts";

/** Redis 6.2, which knows all that this server uses. Valkey tells a later one for compatibility. */
const OLDEST = [6, 2] as const;
const PINGS = 5;
/** Pushes between nodes are slower by this; a Redis in the same data centre takes about one. */
const SLOW_MS = 50;
const CHECK_MS = 10_000;

/** Checks the Redis of this URL. Returns what is wrong, one sentence each. */
export async function checkRedis(url: string): Promise<string[]> {
  const client = newClient(url);
  // The calls below fail with the same error.
  client.on("error", () => undefined);
  try {
    return await within(CHECK_MS, measure(client));
  } catch (error) {
    return [`Redis of REDIS_URL cannot be used: ${reasonOf(error, url)}.`];
  } finally {
    client.destroy();
  }
}

async function measure(client: ReturnType<typeof newClient>): Promise<string[]> {
  await client.connect();
  const info = await client.info();
  const times: number[] = [];
  for (let n = 0; n < PINGS; n++) {
    const start = performance.now();
    await client.ping();
    times.push(performance.now() - start);
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
  return redisProblems(info, median);
}

/**
 * What is wrong with a Redis that tells this of itself and answers after this time.
 * @internal
 */
export function redisProblems(info: string, latencyMs: number): string[] {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? "unknown";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return [
    ...(isNewEnough ? [] : [`Redis has the version ${version}; Parley needs ${OLDEST.join(".")} or later.`]),
    ...(/^role:slave/m.test(info)
      ? ["Redis of REDIS_URL is a replica, which takes no writes; name the primary."]
      : []),
    ...(latencyMs > SLOW_MS
      ? [`Redis answers after ${Math.round(latencyMs)} ms; what passes between servers is late by that.`]
      : []),
  ];
}
