import { expect, test } from "vitest";
import { findingSentence } from "@parley/protocol/findings";
import { clockFindings, watchClock } from "./check-clock.ts";

test.each([
  [{ asked: 0, told: 1_900, heard: 10 }, undefined],
  [{ asked: 0, told: -1_900, heard: 10 }, undefined],
  // It was told at some time during the five seconds.
  [{ asked: 0, told: 4_000, heard: 5_000 }, undefined],
  [{ asked: 0, told: 60_000, heard: 10 }, "The clock of Redis is 60 s ahead of that of this machine"],
  [{ asked: 60_000, told: 0, heard: 60_010 }, "The clock of Redis is 60 s behind that of this machine"],
])("a clock read as %j: %s", (reading, problem) => {
  const expected = problem === undefined ? [] : [expect.stringContaining(problem)];
  expect(clockFindings("Redis", reading).map(findingSentence)).toEqual(expected);
});

test("a clock that is set while it is watched is reported, and one that runs on is not", () => {
  let [now, monotonic] = [1_000_000, 0];
  const clocks = { now: () => now, monotonic: () => monotonic };
  const wasSet = watchClock(clocks);
  now += 30_000;
  monotonic += 30_000;
  expect(wasSet()).toEqual([]);
  now -= 120_000;
  expect(wasSet()).toEqual([expect.stringContaining("was set by -120 s while it was watched")]);
});
