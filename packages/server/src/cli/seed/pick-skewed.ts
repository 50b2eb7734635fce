import type { SeededRandom } from "./seeded-random.ts";

/** Picks the first values far more often than the last, because people write mostly to a few others. */
export function pickSkewed<T>(random: SeededRandom, values: readonly T[]): T {
  const top = 1 + random.below(values.length);
  return random.pick(values.slice(0, top));
}
