/** Repeatable random numbers: the same seed gives the same data. */
export interface SeededRandom {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in `percent` of 100 cases. */
  percent(percent: number): boolean;
  /** One of these; there must be at least one. */
  pick<T>(values: readonly T[]): T;
  /** One of these, the first far more often than the last, because people write mostly to a few others. */
  pickSkewed<T>(values: readonly T[]): T;
  /** All of these in another order. */
  shuffle<T>(values: readonly T[]): T[];
}

/** Creates a small generator (mulberry32), which gives the same numbers on every machine. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  };
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    percent: (percent) => next() * 100 < percent,
    pick,
    pickSkewed: (values) => pick(values.slice(0, 1 + below(values.length))),
    shuffle(values) {
      const keyed = values.map((value) => ({ value, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
    },
  };
}
