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
  calls: { times: 1, seconds: 1, atOnce: 5 },
  frames: { times: 1, seconds: 1, atOnce: 4 },
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

  test("of what fills up again, as much as there is passes at once, and then as much as time brings", async () => {
    const limiter = await createLimiter();
    const send = (userId: number, now: number) => limiter.take("sends", userId, 1, now);
    expect([0, 0, 0].map(() => send(1, NOON))).toEqual([0, 0, 1]);
    expect(send(2, NOON)).toBe(0);
    expect([send(1, NOON + 1_000), send(1, NOON + 1_000)]).toEqual([0, 1]);
    // No more is saved up than may come at once.
    expect([0, 0, 0].map(() => send(1, NOON + 60_000))).toEqual([0, 0, 1]);
  });

  test("who wants more than is left gets nothing and is told how long it takes, and who wants more than ever is there takes all", async () => {
    const limiter = await createLimiter();
    const take = (amount: number, now = NOON) => limiter.take("callsOfPerson", 1, amount, now);
    expect([take(3), take(4), take(2)]).toEqual([0, 2, 0]);
    expect(take(1_000)).toBe(5);
    expect([take(1_000, NOON + 5_000), take(1, NOON + 5_000)]).toEqual([0, 1]);
  });

  test("what is given back can be taken again, up to what may come at once", async () => {
    const limiter = await createLimiter();
    const take = (amount: number) => limiter.take("callsOfPerson", 1, amount, NOON);
    expect([take(5), take(-2), take(2), take(1)]).toEqual([0, 0, 0, 1]);
    expect([take(-100), take(5), take(1)]).toEqual([0, 0, 1]);
  });

  test("limits that fill up again are counted separately", async () => {
    const limiter = await createLimiter();
    expect([limiter.take("callsOfPerson", 1, 5, NOON), limiter.take("callsOfPerson", 1, 1, NOON)]).toEqual([
      0, 1,
    ]);
    expect([limiter.take("callsOfPerson", 2, 5, NOON), limiter.take("framesOfPerson", 1, 5, NOON)]).toEqual([
      0, 0,
    ]);
  });

  test("a clock that is set back fills nothing up, and goes on from there", async () => {
    const limiter = await createLimiter();
    const take = (now: number) => limiter.take("callsOfPerson", 1, 1, now);
    expect(limiter.take("callsOfPerson", 1, 5, NOON)).toBe(0);
    expect([take(NOON - 60_000), take(NOON - 59_000), take(NOON - 59_000)]).toEqual([1, 0, 1]);
  });

  test("each socket has an allowance of its own, which is full at first", async () => {
    const limiter = await createLimiter();
    const [one, other] = [limiter.allowanceOf("framesAfterLogin"), limiter.allowanceOf("framesAfterLogin")];
    expect(one.left(NOON)).toBe(4);
    expect([one.take(3, NOON), one.take(2, NOON), one.left(NOON)]).toEqual([0, 1, 1]);
    expect(other.left(NOON)).toBe(4);
    expect([one.left(NOON + 1_000), one.left(NOON + 60_000)]).toEqual([2, 4]);
    expect(limiter.allowanceOf("framesBeforeLogin").left(NOON)).toBeLessThan(4);
  });
}
