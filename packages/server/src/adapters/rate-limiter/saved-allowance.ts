/** Token buckets. They are synchronous and need no timer for each key, so that they cost little for each message, call and frame. */
import { dropOldest } from "../../collections/maps.ts";
import type { Allowance } from "../../ports/rate-limiter.ts";
import type { SavedRate } from "./rate-limits.ts";

/** Maximum number of keys that are remembered. Strangers choose some of them, such as their addresses. */
const KEYS_MAX = 20_000;

/** One token bucket. */
export class SavedAllowance implements Allowance {
  readonly #rate: SavedRate;
  #left: number;
  #updatedAt = -Infinity;

  constructor(rate: SavedRate) {
    this.#rate = rate;
    this.#left = rate.atOnce;
  }

  left(now: number): number {
    const { times, seconds, atOnce } = this.#rate;
    // A clock that was set back gives nothing, and counts from there.
    const refilled = this.#updatedAt === -Infinity ? 0 : Math.max(0, now - this.#updatedAt) / 1_000;
    this.#left = Math.min(atOnce, this.#left + (refilled * times) / seconds);
    this.#updatedAt = now;
    return this.#left;
  }

  take(amount: number, now: number): number {
    const { times, seconds, atOnce } = this.#rate;
    // What costs more than ever is there takes all of it.
    const wanted = Math.min(amount, atOnce);
    const missing = wanted - this.left(now);
    if (missing > 0) return Math.max(1, Math.ceil((missing * seconds) / times));
    this.#left -= wanted;
    return 0;
  }
}

/** A token bucket for each key. */
export class SavedAllowances {
  readonly #rate: SavedRate;
  /** In the order of their last use, the latest at the end. */
  readonly #byKey = new Map<string | number, SavedAllowance>();

  constructor(rate: SavedRate) {
    this.#rate = rate;
  }

  /** Like `take` of one bucket. The one that was used the longest time ago is forgotten if there are too many, and would be full again. */
  take(key: string | number, amount: number, now: number): number {
    let allowance = this.#byKey.get(key);
    if (allowance === undefined) {
      allowance = new SavedAllowance(this.#rate);
      dropOldest(this.#byKey, KEYS_MAX);
    } else this.#byKey.delete(key);
    this.#byKey.set(key, allowance);
    return allowance.take(amount, now);
  }
}
