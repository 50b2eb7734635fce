import { describe, expect, test } from "vitest";
import { FAULTS } from "./fake-server/faults.ts";
import { runScenario } from "./scenario.ts";
import type { Occurrence } from "./scenario-state.ts";

/** `SEED=17 npx vitest run packages/core/src/testing` plays one world again; `SEEDS=20000` plays more than usual. */
const ONLY = process.env["SEED"];
const COUNT = Number(process.env["SEEDS"] ?? 1_500);
const CHUNKS = 10;
const CHUNK_TIMEOUT_MS = 120_000;

/** Seeds that failed once, each with what it found. */
const REGRESSION_SEEDS = [
  [1, "a time tip was lost when a row came for a window that was not loaded"],
  [23, "a receipt came before the first row of its chat"],
  [37, "a page read from disk was older than the push that came meanwhile"],
  [38, "a list of requests was older than the push that came meanwhile"],
  [41, "a row came late into a chat whose window was not loaded"],
  [560, "both had asked each other, and one answer came late"],
  [921, "a push about a request came after the answer that had ended it"],
  [3378, "a page of history brought a message whose echo was still waiting"],
  [3484, "a push about an old friendship ended a new request"],
  [341, "a pull that had begun before an edit was taken for one that tells of it"],
  [3506, "a chat that was opened again while its first page was under way stayed loading"],
  [4943, "what was deleted made a gap smaller"],
  [1134, "a page from disk held nothing but deleted messages, and scrolling stood still"],
  [1442, "a message of mine was confirmed below the window, and hid what stood between"],
  [1604, "the push of a request to join came behind my own answer to it"],
  [1291, "a group that was asked for came behind a list that was asked for later"],
] as const;

const total = new Map<Occurrence, number>();

async function play(seed: number): Promise<void> {
  const { problems, counts } = await runScenario({ seed });
  for (const [name, count] of Object.entries(counts) as [Occurrence, number][]) {
    total.set(name, (total.get(name) ?? 0) + count);
  }
  expect(problems, `seed ${seed}; play it again with SEED=${seed}`).toEqual([]);
}

describe.skipIf(ONLY === undefined)("one scenario", () => {
  test("I16 of the seed given", { timeout: CHUNK_TIMEOUT_MS }, () => play(Number(ONLY)));
});

describe.skipIf(ONLY !== undefined)("scenarios", () => {
  test.each(REGRESSION_SEEDS)("I16 seed %i: %s", (seed) => play(seed));

  test.each(Array.from({ length: CHUNKS }, (_, i) => i))(
    "I16 online devices equal a freshly pulled device, part %i",
    { timeout: CHUNK_TIMEOUT_MS },
    async (chunk) => {
      for (let i = chunk; i < COUNT; i += CHUNKS) await play(i + 1);
    },
  );

  test("I16 every kind of occurrence happened", () => {
    const missed = [...total].filter(([, count]) => count === 0).map(([name]) => name);
    // A handful of worlds need not meet everything.
    if (COUNT >= 100) expect(missed).toEqual([]);
    expect(total.size).toBeGreaterThan(0);
  });
});

describe.skipIf(ONLY !== undefined)("planted faults", () => {
  const SEEDS_TO_FIND = 200;

  test.each(FAULTS)("I16 a scenario detects %s", { timeout: CHUNK_TIMEOUT_MS }, async (fault) => {
    for (let seed = 1; seed <= SEEDS_TO_FIND; seed++) {
      const { problems } = await runScenario({ seed, faults: [fault] });
      if (problems.length > 0) return;
    }
    expect.fail(`${SEEDS_TO_FIND} worlds did not find ${fault}`);
  });
});
