/** How often somebody may do something, in this process's memory. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type RateLimiter, ApiError, type WindowLimit } from "../ports/call.ts";
import type { Rate, RateLimits } from "../ports/rate-limits.ts";

/** Behind one address many people may sit. */
const NAMES_OF_ADDRESS = 10;

function windowsOf({ logins, registrations, uploads }: RateLimits): Readonly<Record<WindowLimit, Rate>> {
  return {
    wrongPasswordsOfName: logins,
    wrongPasswordsOfAddress: { ...logins, times: logins.times * NAMES_OF_ADDRESS },
    registrations,
    // The avatars of those who register.
    anonymousUploads: registrations,
    uploads,
    friendRequests: { times: 20, seconds: 60 },
    // Typing asks a few times a second; one answer costs up to 30 ms.
    searches: { times: 200, seconds: 60 },
  };
}

const BUCKETS_MAX = 20_000;

export const noRateLimiter: RateLimiter = {
  consume: () => Promise.resolve(),
  refund: () => Promise.resolve(),
  consumeSend: () => {},
};

export function createRateLimiter(rates: RateLimits): RateLimiter {
  const windows = Object.fromEntries(
    Object.entries(windowsOf(rates)).map(([name, { times, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points: times, duration: seconds }),
    ]),
  ) as Record<WindowLimit, RateLimiterMemory>;
  const sends = createBuckets(rates.sends);

  return {
    async consume(limit, key) {
      try {
        await windows[limit].consume(key);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
        throw error;
      }
    },
    async refund(limit, key) {
      await windows[limit].reward(key);
    },
    consumeSend: sends,
  };
}

/**
 * A bucket a person, filled by the time that passes: answers at once and keeps no timer, which the windows above do for each key. That
 * is what the path of a message can afford.
 */
function createBuckets({
  times,
  seconds,
  atOnce,
}: RateLimits["sends"]): (userId: number, now: number) => void {
  const perSecond = times / seconds;
  const buckets = new Map<number, { left: number; at: number }>();
  return (userId, now) => {
    let bucket = buckets.get(userId);
    if (bucket === undefined) {
      if (buckets.size >= BUCKETS_MAX) {
        // The oldest entry is the one that has been full longest; forgetting it only fills it again.
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      }
      bucket = { left: atOnce, at: now };
      buckets.set(userId, bucket);
    }
    const gained = (Math.max(0, now - bucket.at) / 1_000) * perSecond;
    bucket.left = Math.min(atOnce, bucket.left + gained);
    bucket.at = now;
    if (bucket.left < 1) throw tooMany(((1 - bucket.left) / perSecond) * 1_000);
    bucket.left -= 1;
  };
}

function tooMany(ms: number): ApiError {
  return new ApiError("request.tooMany", { seconds: Math.max(1, Math.ceil(ms / 1_000)) });
}
