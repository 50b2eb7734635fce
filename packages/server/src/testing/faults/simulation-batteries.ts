/**
 * SIM: people, devices and nodes in one process, on a virtual clock and a network that is moved by hand, out of a seed (`testing/sim`).
 * SIM-BUGS: the same with a planted bug each, which it must find.
 */
import { rmSync } from "node:fs";
import { PLANTED_BUGS, type PlantedBug } from "../simulation/planted-bugs.ts";
import { simulate, shrinkFailure } from "../simulation/simulate.ts";
import { createStoreTemplate } from "../simulation/store-template.ts";
import { COVERAGE_GOALS, type SimulationOptions, type CoverageGoal } from "../simulation/simulation.ts";
import type { Battery, Report } from "./report.ts";

export interface SimulationBatteryOptions {
  /** The first one. */
  seed: number;
  count: number;
  steps: number;
  /** Left out, to play a smaller version of a failure again. */
  skip?: ReadonlySet<number>;
}

/** Worlds that failed once, and what was wrong: they are played for ever. */
export const REGRESSION_SEEDS: readonly {
  readonly seed: number;
  readonly steps: number;
  readonly was: string;
}[] = [
  { seed: 831_674, steps: 90, was: "a text was sent before the login had told who it was" },
  { seed: 831_461, steps: 220, was: "a text was sent before the login had told who it was" },
  {
    seed: 900_364,
    steps: 300,
    was: "a message of somebody who had left was stored beside a write that was undone",
  },
  { seed: 910_008, steps: 300, was: "somebody who left just after a message was not told of it" },
  { seed: 831_693, steps: 300, was: "a message was told to somebody who had left before it was stored" },
  {
    seed: 2_000_102,
    steps: 300,
    was: "a message was not told to somebody who came just before it was stored",
  },
  {
    seed: 2_000_638,
    steps: 300,
    was: "a message was not told to somebody who came just before it was stored",
  },
  {
    seed: 4_000_699,
    steps: 300,
    was: "a message was told to somebody who came after it, and had been in before",
  },
  { seed: 4_001_724, steps: 300, was: "somebody who left was told the words of a quote from before he came" },
  {
    seed: 7_000_661,
    steps: 300,
    was: "a pull that was asked for without a socket lacked what was stored before the one it went to was there",
  },
  { seed: 7_100_274, steps: 300, was: "a page told that a message was read, and it still counted as unread" },
  { seed: 8_100_271, steps: 300, was: "news of a group came after its reader had left, and put it back" },
];

/** Fewer runs need not meet everything. */
const COVERAGE_MIN_SEEDS = 20;
/** So many failures are enough to begin with. */
const FAILURES_MAX = 3;

export async function runSimulationBattery({
  seed,
  count,
  steps,
  skip,
}: SimulationBatteryOptions): Promise<Report> {
  const coverage = new Map<CoverageGoal, number>(COVERAGE_GOALS.map((name) => [name, 0]));
  const violations: string[] = [];
  let played = 0;
  let acknowledged = 0;
  await withTemplate(async (template) => {
    for (; played < count && violations.length < FAILURES_MAX; played++) {
      const options: SimulationOptions = { seed: seed + played, steps, ...(skip !== undefined && { skip }) };
      const result = await simulate(options, template);
      acknowledged += result.acknowledged;
      for (const name of COVERAGE_GOALS)
        coverage.set(name, (coverage.get(name) ?? 0) + result.coverage[name]);
      if (result.problems.length === 0) continue;
      const small = await shrinkFailure(options, template);
      violations.push(`seed ${options.seed}: ${result.problems.join("; ")}\n  ${commandFor(small)}`);
    }
  });
  if (played >= COVERAGE_MIN_SEEDS)
    for (const [name, times] of coverage) if (times === 0) violations.push(`it was never met that ${name}`);
  const times = [...coverage].map(([name, number]) => `${name} ${number}`).join(", ");
  const done = `${played} seeds from ${seed}, ${steps} steps each, ${acknowledged} messages acknowledged; met: ${times}`;
  return { name: "SIM", done, violations };
}

/** Plays the failure again, without the steps that it does not need. */
function commandFor({ seed, steps, skip }: SimulationOptions): string {
  const left = [...(skip ?? [])].sort((a, b) => a - b).join();
  return `SEED=${seed} SIM_COUNT=1 SIM_STEPS=${steps} SIM_SKIP=${left} npm run test:full -- SIM`;
}

export interface PlantedBugsOptions {
  seed: number;
  seedsMax: number;
  steps: number;
  /** All when left out. */
  names?: readonly string[];
}

export async function runPlantedBugs({ seed, seedsMax, steps, names }: PlantedBugsOptions): Promise<Report> {
  const chosen = PLANTED_BUGS.filter(({ name }) => names === undefined || names.includes(name));
  const found: string[] = [];
  const violations: string[] = [];
  await withTemplate(async (template) => {
    for (const bug of chosen) {
      const seeds = await seedsToFind(bug, { seed, seedsMax, steps }, template);
      if (seeds === null) violations.push(`${seedsMax} seeds did not find that ${bug.name}`);
      else found.push(`${bug.name}: ${seeds}`);
    }
  });
  const done = `${chosen.length} planted bugs, ${steps} steps a seed; seeds it took: ${found.join(", ")}`;
  return { name: "SIM-BUGS", done, violations };
}

async function seedsToFind(
  bug: PlantedBug,
  { seed, seedsMax, steps }: PlantedBugsOptions,
  template: string,
): Promise<number | null> {
  for (let tried = 1; tried <= seedsMax; tried++) {
    const { problems } = await simulate({ seed: seed + tried - 1, steps, bug }, template);
    if (problems.length > 0) return tried;
  }
  return null;
}

async function withTemplate(work: (template: string) => Promise<void>): Promise<void> {
  const template = await createStoreTemplate();
  try {
    await work(template);
  } finally {
    rmSync(template, { recursive: true, force: true });
  }
}

const { SIM_COUNT, SIM_STEPS, SIM_SKIP } = process.env;
const skipped = (SIM_SKIP ?? "").split(",").filter(Boolean);

/** In full; what a failed run prints plays it again. */
export const SIMULATION_BATTERIES: Record<string, Battery> = {
  SIM: (seed) =>
    runSimulationBattery({
      seed,
      count: Number(SIM_COUNT ?? 2_000),
      steps: Number(SIM_STEPS ?? 300),
      skip: new Set(skipped.map(Number)),
    }),
  "SIM-BUGS": () => runPlantedBugs({ seed: 1, seedsMax: 2_000, steps: 300 }),
};
