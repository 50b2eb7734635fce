/** Rate limits, counted in the memory of this process. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { changeCount } from "../../collections/maps.ts";
import type { Allowance, RateLimiter, WindowLimit } from "../../ports/rate-limiter.ts";
import { DEFAULT_RATE_LIMITS, type Rate, type RateLimits } from "./rate-limits.ts";
import { SavedAllowance, SavedAllowances } from "./saved-allowance.ts";
import { savedRatesOf, socketRatesOf } from "./saved-rates.ts";

/** Many people may share one address, so an address may fail this many times more often than a user name. */
const NAMES_PER_ADDRESS = 10;

function windowsOf({ logins, registrations, uploads }: RateLimits): Readonly<Record<WindowLimit, Rate>> {
  return {
    wrongPasswordsOfName: logins,
    wrongPasswordsOfAddress: { ...logins, times: logins.times * NAMES_PER_ADDRESS },
    // A link cannot be guessed; this only keeps the log of attempts short.
    setups: { times: 10, seconds: 600 },
    reports: { times: 20, seconds: 3_600 },
    registrations,
    // Avatars that people upload while they register.
    anonymousUploads: registrations,
    // Only those at the same time are limited. An address without an account needs one avatar.
    anonymousPictures: { times: 2, seconds: 1 },
    uploads,
    friendRequests: { times: 20, seconds: 60 },
    startedCalls: { times: 10, seconds: 60 },
    // A client searches a few times a second while somebody types; one search takes up to 30 ms.
    searches: { times: 200, seconds: 60 },
    // A client looks up whom it does not know when it shows them. Nobody needs the numbers of everybody one after the other.
    userLookups: { times: 200, seconds: 60 },
    groupLookups: { times: 200, seconds: 60 },
    // Each one goes to all friends and to all members of all groups of the person.
    profileChanges: { times: 30, seconds: 60 },
    // Each one goes to all members of the group. An administrator may mute or remove the members of one after the other.
    groupChanges: { times: 200, seconds: 60 },
    // It reads everything of a person.
    exports: { times: 5, seconds: 86_400 },
    // Each link works once; it expires earlier.
    exportLinks: { times: 1, seconds: 600 },
  };
}

const ENDLESS: Allowance = { left: () => Infinity, take: () => 0 };

/** Limits nothing. */
export const noRateLimiter: RateLimiter = {
  consume: () => Promise.resolve(0),
  begin: () => () => undefined,
  refund: () => Promise.resolve(),
  take: () => 0,
  allowanceOf: () => ENDLESS,
};

/** What counts the calls of one limit. */
export type CallCounter = Pick<RateLimiterAbstract, "consume" | "reward">;
/** Creates the counter of a limit. */
export type CreateCounter = (options: { keyPrefix: string; points: number; duration: number }) => CallCounter;

/**
 * Creates the limiter with these rates. Without any, it counts only what may be done once. What takes long and messages are counted in memory
 * whatever counts the calls.
 */
export function createRateLimiter(
  rates: RateLimits | false,
  createCounter: CreateCounter = (options) => new RateLimiterMemory(options),
): RateLimiter {
  const limiter = limiterOf(rates || DEFAULT_RATE_LIMITS, createCounter);
  if (rates) return limiter;
  return {
    ...noRateLimiter,
    consume: (limit, key) =>
      limit === "exportLinks" ? limiter.consume(limit, key) : noRateLimiter.consume(limit, key),
  };
}

function limiterOf(rates: RateLimits, createCounter: CreateCounter): RateLimiter {
  const limits = windowsOf(rates);
  const windows = Object.fromEntries(
    Object.entries(limits).map(([name, { times, seconds }]) => [
      name,
      createCounter({ keyPrefix: name, points: times, duration: seconds }),
    ]),
  ) as Record<WindowLimit, CallCounter>;
  /** How many are under way, by limit and key. */
  const underWay = new Map<string, number>();
  const savedRates = savedRatesOf(rates);
  const socketRates = socketRatesOf(rates);
  const saved = Object.fromEntries(
    Object.entries(savedRates).map(([name, rate]) => [name, new SavedAllowances(rate)]),
  ) as Record<keyof typeof savedRates, SavedAllowances>;

  return {
    async consume(limit, key) {
      try {
        await windows[limit].consume(key);
        return 0;
      } catch (error) {
        if (error instanceof RateLimiterRes) return secondsToWait(error.msBeforeNext);
        throw error;
      }
    },
    begin(limit, key) {
      const name = `${limit} ${key}`;
      if ((underWay.get(name) ?? 0) >= limits[limit].times) return null;
      changeCount(underWay, name, 1);
      return () => changeCount(underWay, name, -1);
    },
    async refund(limit, key) {
      await windows[limit].reward(key);
    },
    take: (limit, key, amount, now) => saved[limit].take(key, amount, now),
    allowanceOf: (limit) => new SavedAllowance(socketRates[limit]),
  };
}

function secondsToWait(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
