import { expect, test } from "vitest";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { DEFAULT_RATE_LIMITS, type RateLimits } from "../../adapters/rate-limiter/rate-limits.ts";
import { eventually } from "../eventually.ts";

const NOON = 1_700_000_000_000;
const LOGINS = 3;
/** What the limiter of the tests allows. */
export const CONTRACT_RATES: RateLimits = {
  ...DEFAULT_RATE_LIMITS,
  logins: { times: LOGINS, seconds: 600 },
  registrations: { times: 1, seconds: 1 },
  sends: { times: 1, seconds: 1, atOnce: 2 },
};

/** Tests of all rules of `ports/rate-limiter.ts`. The test of each adapter calls it inside a `describe`. */
export function rateLimiterContract(createLimiter: () => Promise<RateLimiter>): void {
  test("calls up to the limit pass, also at the same time; after them one has to wait for the rest of the window", async () => {
    const limiter = await createLimiter();
    const waits = await Promise.all(
      Array.from({ length: LOGINS + 2 }, () => limiter.consume("wrongPasswordsOfName", "ann")),
    );
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(LOGINS);
    for (const seconds of waits.filter((wait) => wait !== 0)) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(600);
      expect(Number.isInteger(seconds)).toBe(true);
    }
  });

  test("keys and limits are counted separately", async () => {
    const limiter = await createLimiter();
    for (let n = 0; n < LOGINS; n++) await limiter.consume("wrongPasswordsOfName", "7");
    expect(await limiter.consume("wrongPasswordsOfName", "7")).toBeGreaterThan(0);
    expect(await limiter.consume("wrongPasswordsOfName", "8")).toBe(0);
    expect(await limiter.consume("wrongPasswordsOfAddress", "7")).toBe(0);
    expect(await limiter.consume("friendRequests", 7)).toBe(0);
  });

  test("a refund undoes one call", async () => {
    const limiter = await createLimiter();
    for (let n = 0; n < LOGINS; n++) await limiter.consume("wrongPasswordsOfName", "ann");
    await limiter.refund("wrongPasswordsOfName", "ann");
    expect(await limiter.consume("wrongPasswordsOfName", "ann")).toBe(0);
    expect(await limiter.consume("wrongPasswordsOfName", "ann")).toBeGreaterThan(0);
  });

  test("a new window begins when the old one is over, however often somebody has tried", async () => {
    const limiter = await createLimiter();
    expect(await limiter.consume("registrations", "ann")).toBe(0);
    await eventually(async () => expect(await limiter.consume("registrations", "ann")).toBe(0));
  });

  test("as much may be under way at the same time as the limit allows in its window", async () => {
    const limiter = await createLimiter();
    const end = limiter.begin("registrations", "ann");
    expect(end).not.toBeNull();
    expect(limiter.begin("registrations", "ann")).toBeNull();
    expect(limiter.begin("registrations", "bob")).not.toBeNull();
    end?.();
    expect(limiter.begin("registrations", "ann")).not.toBeNull();
  });

  test("messages pass at once up to the burst, and then as time goes by", async () => {
    const limiter = await createLimiter();
    expect([0, 0, 0].map(() => limiter.consumeSend(1, NOON))).toEqual([0, 0, 1]);
    expect(limiter.consumeSend(2, NOON)).toBe(0);
    expect([limiter.consumeSend(1, NOON + 1_000), limiter.consumeSend(1, NOON + 1_000)]).toEqual([0, 1]);
  });
}
