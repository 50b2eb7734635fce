/** Rate limits, counted in Redis for all nodes. */
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { createRateLimiter } from "./memory-rate-limiter.ts";
import type { RateLimits } from "./rate-limits.ts";

export interface RedisRateLimiterOptions {
  connection: RedisConnection;
  rates: RateLimits | false;
  /** The begin of the keys: the same for all nodes of an installation, and for nobody else. */
  key: string;
}

/** Creates the limiter. While Redis is away, each node counts for itself. */
export function createRedisRateLimiter({ connection, rates, key }: RedisRateLimiterOptions): RateLimiter {
  const report = connection.reporter("Redis refuses rate limits");
  /** All that the library uses of its client. */
  const storeClient = {
    async eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
      try {
        return await connection.run((client) => client.eval(script, options));
      } catch (error) {
        report(error);
        throw error;
      }
    },
  };
  return createRateLimiter(
    rates,
    (options) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix: `${key}:${options.keyPrefix}`,
        storeClient,
        useRedisPackage: true,
        insuranceLimiter: new RateLimiterMemory(options),
      }),
  );
}
