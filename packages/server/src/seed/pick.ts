import type { Chance } from "./random.ts";

/** The first ones far more often than the last: people talk most to a few. */
export function pickOften<T>(chance: Chance, values: readonly T[]): T {
  const top = 1 + chance.below(values.length);
  return chance.pick(values.slice(0, top));
}
