import type { SeededRandom } from "./seeded-random.ts";

/** The first ones far more often than the last: people talk most to a few. */
export function pickSkewed<T>(random: SeededRandom, values: readonly T[]): T {
  const top = 1 + random.below(values.length);
  return random.pick(values.slice(0, top));
}
