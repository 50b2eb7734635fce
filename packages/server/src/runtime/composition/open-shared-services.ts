/** Chooses the services that the nodes of an installation share besides the store: in memory, or in Redis. */
import type { Logger } from "pino";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import { createMemoryPresence } from "../../adapters/presence/memory-presence.ts";
import { createRateLimiter } from "../../adapters/rate-limiter/memory-rate-limiter.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";

/** What several nodes of one process are given in common. */
export interface InProcessServices {
  bus: Bus;
  presence: Presence;
}

/** Whether nodes share the database and hear of each other. A database of SQLite belongs to one. Throws if they would not fit together. */
export function mayHaveOtherNodes({ DATABASE_URL, REDIS_URL, SECRET }: Config): boolean {
  if (DATABASE_URL === undefined || REDIS_URL === undefined) return false;
  if (SECRET === undefined)
    throw new ConfigError("SECRET must be set, and be the same for every server that shares REDIS_URL.");
  return true;
}

/** What the nodes share besides the store. */
export interface SharedServices extends InProcessServices {
  rateLimiter: RateLimiter;
  /** Whether this node and the others can hear each other now; true if there are no others. */
  isConnected(): boolean;
  connect(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the shared services. Redis is loaded only where it is used. */
export async function openSharedServices(
  config: Config,
  epoch: string,
  log: Logger,
  metrics: Metrics,
  given?: InProcessServices,
): Promise<SharedServices> {
  const onError = (error: unknown) => log.error({ err: error }, "a listener failed");
  const { REDIS_URL: url, RATE_LIMITS: rates } = config;
  if (given !== undefined || url === undefined) {
    const { bus, presence } = given ?? { bus: createMemoryBus(onError), presence: createMemoryPresence() };
    const rateLimiter = createRateLimiter(rates);
    const close = async () => {
      await bus.close();
      await presence.close();
    };
    return { bus, presence, rateLimiter, isConnected: () => true, connect: async () => undefined, close };
  }
  const [{ createRedisConnection }, { createRedisBus }, { createRedisPresence }, { createRedisRateLimiter }] =
    await Promise.all([
      import("../../adapters/redis/redis-connection.ts"),
      import("../../adapters/bus/redis-bus.ts"),
      import("../../adapters/presence/redis-presence.ts"),
      import("../../adapters/rate-limiter/redis-rate-limiter.ts"),
    ]);
  // The epoch is the name of the installation: others may use the same Redis.
  const name = `parley:${epoch}`;
  const connection = createRedisConnection({ url, log });
  const bus = createRedisBus({ connection, channel: name, onError, metrics });
  const presence = createRedisPresence({ connection, key: `${name}:presence` });
  const rateLimiter = createRedisRateLimiter({ connection, rates, key: `${name}:limit` });
  const close = async () => {
    await bus.close();
    await presence.close();
    await connection.close();
  };
  const isConnected = () => connection.client !== undefined;
  return { bus, presence, rateLimiter, isConnected, connect: () => connection.start(), close };
}
