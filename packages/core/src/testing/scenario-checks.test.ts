import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import type { SharedValue } from "../model/shared-value.ts";
import { SHARED_VALUES } from "../model/shared-values.ts";
import { INITIAL_STATE } from "../state-store.ts";
import { runScenario } from "./scenario.ts";

type Positions = Readonly<Record<string, number>>;

/** A value of the change feed: by kind of chat, up to where the history was cleared. */
const clearedUpTo: SharedValue<Positions, { type: string; upTo: number }, "cleared"> = {
  initial: {},
  schema: z.record(z.string(), z.number()),
  changeSchema: z.object({ type: z.string(), upTo: z.number() }),
  reduce: (positions, { type, upTo }) =>
    (positions[type] ?? -1) < upTo ? { ...positions, [type]: upTo } : positions,
  changesOf: ({ cleared }) => cleared,
};
const NAME = "clearedUpTo";
beforeEach(() => {
  Object.assign(SHARED_VALUES, { [NAME]: clearedUpTo });
  Object.assign(INITIAL_STATE, { [NAME]: clearedUpTo.initial });
});
afterEach(() => {
  for (const values of [SHARED_VALUES, INITIAL_STATE]) Reflect.deleteProperty(values, NAME);
});

const SEEDS_TO_FIND = 200;
const TIMEOUT_MS = 120_000;

test(
  "I16 devices are compared by each shared value of the change feed",
  { timeout: TIMEOUT_MS },
  async () => {
    for (let seed = 1; seed <= SEEDS_TO_FIND; seed++) {
      const { problems } = await runScenario({ seed, faults: ["omits cleared"] });
      if (!problems.some((problem) => problem.includes(` shared: ${NAME}`))) continue;
      const { problems: withoutFault, counts } = await runScenario({ seed });
      expect(withoutFault).toEqual([]);
      expect(counts[`changed ${NAME}`]).toBeGreaterThan(0);
      return;
    }
    expect.fail(`${SEEDS_TO_FIND} scenarios did not compare it`);
  },
);
