/** SCENARIOS: random actions of several clients on a fake server in memory (`packages/core/src/testing/scenario.ts`), which are decided by a seed. */
import type { Fault } from "@parley/core/testing/fake-server/faults";
import { type AddedAction, ALL_ADDED, runScenario, USUALLY_ADDED } from "@parley/core/testing/scenario";
import type { Report } from "./report.ts";

/** Which scenarios to run. */
export interface ScenarioBatteryOptions {
  /** The first seed. */
  seed: number;
  count: number;
  /** Planted faults. */
  faults?: readonly Fault[];
}

/** One of so many scenarios has files, which makes it long. */
const FILES_EVERY = 10;
/** Fewer scenarios need not contain every kind of occurrence. */
const OCCURRENCES_MIN_SEEDS = 100;
/** The battery stops after this many failures. */
const FAILURES_MAX = 3;

/** Runs the battery SCENARIOS. */
export async function runScenarioBattery({
  seed,
  count,
  faults = [],
}: ScenarioBatteryOptions): Promise<Report> {
  const violations: string[] = [];
  const occurrences = new Map<string, number>();
  let runs = 0;
  for (; runs < count && violations.length < FAILURES_MAX; runs++) {
    const own = seed + runs;
    const added = runs % FILES_EVERY === 0 ? ALL_ADDED : USUALLY_ADDED;
    const { problems, counts } = await runScenario({ seed: own, added, faults });
    for (const [name, times] of Object.entries(counts))
      occurrences.set(name, (occurrences.get(name) ?? 0) + times);
    if (problems.length > 0)
      violations.push(`seed ${own}: ${problems.join("; ")}\n  ${commandFor(own, added)}`);
  }
  if (runs >= OCCURRENCES_MIN_SEEDS)
    for (const [name, times] of occurrences) if (times === 0) violations.push(`no scenario had: ${name}`);
  const done = `${runs} seeds from ${seed}, ${occurrences.get("sent")} texts sent`;
  return { name: "SCENARIOS", done, violations };
}

function commandFor(seed: number, added: readonly AddedAction[]): string {
  return `ADDED=${added.join()} SEED=${seed} npx vitest run packages/core/src/testing/scenario.test.ts`;
}
