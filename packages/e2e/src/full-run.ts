import { test } from "./fixtures.ts";

/** `npm run test:full` runs what takes minutes as well. */
export const isFullRun = process.env["PARLEY_FAULTS"] === "full";

/** A test that takes too long for every run. */
export const testInFullRun = isFullRun ? test : test.skip;

/** Chance that `SEED=n` repeats: numbers from 0 to 1 (mulberry32). */
export function seededRandom(): () => number {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`SEED=${seed}`);
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
