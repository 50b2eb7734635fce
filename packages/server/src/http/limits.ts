/** How often somebody may do something, in this process's memory. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Limits, Refusal, type WindowLimit } from "../ports/call.ts";

/** Times in so many seconds. */
const WINDOWS: Readonly<Record<WindowLimit, { times: number; seconds: number }>> = {
  wrongPasswordsOfName: { times: 10, seconds: 600 },
  wrongPasswordsOfAddress: { times: 100, seconds: 600 },
  registrations: { times: 200, seconds: 3_600 },
  anonymousUploads: { times: 200, seconds: 3_600 },
  uploads: { times: 60, seconds: 60 },
  friendRequests: { times: 20, seconds: 60 },
  // Typing asks a few times a second; one answer costs up to 30 ms.
  searches: { times: 200, seconds: 60 },
};
const SENDS_PER_SECOND = 50;
const SENDS_AT_ONCE = 200;
const BUCKETS_MAX = 20_000;

export const noLimits: Limits = {
  take: () => Promise.resolve(),
  giveBack: () => Promise.resolve(),
  takeSend: () => {},
};

export function createLimits(): Limits {
  const windows = Object.fromEntries(
    Object.entries(WINDOWS).map(([name, { times, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points: times, duration: seconds }),
    ]),
  ) as Record<WindowLimit, RateLimiterMemory>;
  const sends = createBuckets();

  return {
    async take(limit, key) {
      try {
        await windows[limit].consume(key);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
        throw error;
      }
    },
    async giveBack(limit, key) {
      await windows[limit].reward(key);
    },
    takeSend: sends,
  };
}

/**
 * A bucket a person, filled by the time that passes: answers at once and keeps no timer, which the windows above do for each key. That
 * is what the path of a message can afford.
 */
function createBuckets(): (userId: number, now: number) => void {
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
      bucket = { left: SENDS_AT_ONCE, at: now };
      buckets.set(userId, bucket);
    }
    const gained = (Math.max(0, now - bucket.at) / 1_000) * SENDS_PER_SECOND;
    bucket.left = Math.min(SENDS_AT_ONCE, bucket.left + gained);
    bucket.at = now;
    if (bucket.left < 1) throw tooMany(((1 - bucket.left) / SENDS_PER_SECOND) * 1_000);
    bucket.left -= 1;
  };
}

function tooMany(ms: number): Refusal {
  return new Refusal("request.tooMany", { seconds: Math.max(1, Math.ceil(ms / 1_000)) });
}
