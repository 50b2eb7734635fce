import { test } from "./fixtures.ts";
import { type Language, LANGUAGES } from "./product-texts.ts";
import { takesPictures } from "./shots.ts";

/** Whether `npm run test:full` runs, which includes the tests that take minutes. */
export const isFullRun = process.env["PARLEY_FAULTS"] === "full";

/** Declares a test that runs only in `npm run test:full`, since it takes too long for every run. */
export const testInFullRun = isFullRun ? test : test.skip;

/**
 * The languages of a test that does the same in each of them: all in `npm run test:full` and where pictures are taken, otherwise these.
 * English has the longest texts.
 */
export function inLanguages(...some: readonly Language[]): readonly Language[] {
  return isFullRun || takesPictures ? LANGUAGES : some;
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). It prints its seed; `SEED=n` repeats a run. */
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
