/** A seeded random generator (mulberry32): the same seed yields the same values. */
export interface Prng {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  isTrueWithProbability(probability: number): boolean;
}

/** Creates a generator. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(list) {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error("cannot pick from an empty list");
      return found;
    },
    isTrueWithProbability: (probability) => next() < probability,
  };
}
