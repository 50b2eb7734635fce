/**
 * SIM: people, devices and nodes in one process, on a virtual clock and network, decided by a seed (`src/simulation`).
 * SIM-FILES, SIM-REACTIONS: the same with people who also send files, or react to messages and pin them.
 * SIM-BUGS: the same with one planted bug each, which the simulation must find.
 */
import { rmSync } from "node:fs";
import { PLANTED_BUGS, type PlantedBug } from "../simulation/planted-bugs.ts";
import { simulate, shrinkFailure } from "../simulation/simulate.ts";
import { createStoreTemplate } from "../simulation/store-template.ts";
import { COVERAGE_GOALS, type SimulationOptions, type CoverageGoal } from "../simulation/simulation.ts";
import type { Battery, Report } from "./report.ts";

/** A seed, and how many steps it takes. */
interface SeededRun {
  readonly seed: number;
  readonly steps: number;
  /** What it found once. */
  readonly bug?: string;
}

/** Which seeds to run. */
export interface SimulationBatteryOptions {
  /** The first seed. */
  seed: number;
  count: number;
  steps: number;
  /** Other runs besides those. */
  others?: readonly SeededRun[];
  /** Steps to leave out, to repeat a shrunk failure. */
  skip?: ReadonlySet<number>;
  /** People also send files, or react to messages and pin them. */
  hasFiles?: boolean;
  hasReactions?: boolean;
}

/** Seeds that failed once, and the bugs that they found. */
export const REGRESSION_SEEDS: readonly SeededRun[] = [
  { seed: 831_674, steps: 90, bug: "a text was sent before the client knew its user id from the login" },
  { seed: 831_461, steps: 220, bug: "a text was sent before the client knew its user id from the login" },
  {
    seed: 900_364,
    steps: 300,
    bug: "a message of a former member was stored in the same commit as a rolled-back write",
  },
  { seed: 910_008, steps: 300, bug: "a member who left right after a message did not get it" },
  { seed: 831_693, steps: 300, bug: "a message was pushed to a member who had left before it was stored" },
  {
    seed: 2_000_102,
    steps: 300,
    bug: "a message was not pushed to a member who had joined just before it was stored",
  },
  {
    seed: 2_000_638,
    steps: 300,
    bug: "a position that was read but not reported was forgotten when the local database was reset",
  },
  {
    seed: 4_000_699,
    steps: 300,
    bug: "a message was pushed to a former member who returned after it",
  },
  {
    seed: 4_001_724,
    steps: 300,
    bug: "a former member got the text of a quoted message from before joining",
  },
  {
    seed: 7_000_661,
    steps: 300,
    bug: "a pull that was requested before the socket existed missed messages stored before the socket opened",
  },
  {
    seed: 7_100_274,
    steps: 300,
    bug: "a history page showed a message as read, but it still counted as unread",
  },
  {
    seed: 8_100_271,
    steps: 300,
    bug: "a group update that arrived after leaving put the group back into the list",
  },
];

/** With fewer seeds, a coverage goal may be missed. */
const COVERAGE_MIN_SEEDS = 20;
/** A run has at least so many reactions on average, or it proves little about them. */
const REACTIONS_MIN = 100;
/** The battery stops after this many failures. */
const FAILURES_MAX = 3;

/** Runs the battery SIM. */
export async function runSimulationBattery({
  seed,
  count,
  steps,
  others = [],
  skip,
  hasFiles = false,
  hasReactions = false,
}: SimulationBatteryOptions): Promise<Report> {
  const coverage = new Map<CoverageGoal, number>(COVERAGE_GOALS.map((name) => [name, 0]));
  const violations: string[] = [];
  let runs = 0;
  let acknowledged = 0;
  let files = 0;
  let reactions = 0;
  const all: SeededRun[] = [
    ...Array.from({ length: count }, (_, i) => ({ seed: seed + i, steps })),
    ...others,
  ];
  await withTemplate(async (template) => {
    for (const run of all) {
      if (violations.length >= FAILURES_MAX) break;
      runs++;
      const options: SimulationOptions = {
        seed: run.seed,
        steps: run.steps,
        hasFiles,
        hasReactions,
        ...(skip !== undefined && { skip }),
      };
      const result = await simulate(options, template);
      acknowledged += result.acknowledged;
      files += result.files;
      reactions += result.reactions;
      for (const name of COVERAGE_GOALS)
        coverage.set(name, (coverage.get(name) ?? 0) + result.coverage[name]);
      if (result.problems.length === 0) continue;
      const small = await shrinkFailure(options, template);
      const origin = run.bug === undefined ? "" : `, which once found that ${run.bug}`;
      violations.push(`seed ${run.seed}${origin}: ${result.problems.join("; ")}\n  ${commandFor(small)}`);
    }
  });
  // A run in which no file arrives proves nothing about files.
  if (hasFiles && files < runs && violations.length === 0) violations.push(`only ${files} files arrived`);
  if (hasReactions && reactions < REACTIONS_MIN * runs && violations.length === 0)
    violations.push(`only ${reactions} reactions`);
  if (runs >= COVERAGE_MIN_SEEDS)
    for (const [name, times] of coverage) if (times === 0) violations.push(`no run covered: ${name}`);
  const times = [...coverage].map(([name, number]) => `${name} ${number}`).join(", ");
  const done = `${runs} seeds from ${seed}, ${steps} steps each, ${acknowledged} messages acknowledged${hasFiles ? `, ${files} files arrived` : ""}${hasReactions ? `, ${reactions} reactions` : ""}; situations met: ${times}`;
  return { name: nameOf({ hasFiles, hasReactions }), done, violations };
}

/** The command that repeats a failure without the steps that it does not need. */
function commandFor({ seed, steps, skip, ...kind }: SimulationOptions): string {
  const skippedSteps = [...(skip ?? [])].sort((a, b) => a - b).join();
  return `SEED=${seed} SIM_COUNT=1 SIM_STEPS=${steps} SIM_SKIP=${skippedSteps} npm run test:full -- ${nameOf(kind)}`;
}

/** The name of the battery. */
function nameOf({ hasFiles, hasReactions }: Pick<SimulationOptions, "hasFiles" | "hasReactions">): string {
  if (hasReactions === true) return "SIM-REACTIONS";
  return hasFiles === true ? "SIM-FILES" : "SIM";
}

/** Which bugs to plant. */
export interface PlantedBugsOptions {
  seed: number;
  seedsMax: number;
  steps: number;
  /** Default: all bugs. */
  names?: readonly string[];
}

/** Runs the battery SIM-BUGS. */
export async function runPlantedBugs({ seed, seedsMax, steps, names }: PlantedBugsOptions): Promise<Report> {
  const unknown = names?.find((name) => !PLANTED_BUGS.some((bug) => bug.name === name));
  if (unknown !== undefined) throw new Error(`no planted bug is named "${unknown}"`);
  const bugs = PLANTED_BUGS.filter(({ name }) => names === undefined || names.includes(name));
  const found: string[] = [];
  const violations: string[] = [];
  await withTemplate(async (template) => {
    for (const bug of bugs) {
      const seeds = await seedsToFind(bug, { seed, seedsMax, steps }, template);
      if (seeds === null) violations.push(`${seedsMax} seeds did not find the bug: ${bug.name}`);
      else found.push(`${bug.name}: ${seeds}`);
    }
  });
  const done = `${bugs.length} planted bugs, ${steps} steps a seed; seeds needed: ${found.join(", ")}`;
  return { name: "SIM-BUGS", done, violations };
}

async function seedsToFind(
  bug: PlantedBug,
  { seed, seedsMax, steps }: PlantedBugsOptions,
  template: string,
): Promise<number | null> {
  for (let tried = 1; tried <= seedsMax; tried++) {
    const { hasFiles = false, hasReactions = false } = bug;
    const options = { seed: seed + tried - 1, steps, bug, hasFiles, hasReactions };
    const { problems } = await simulate(options, template);
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
const FROM_ENVIRONMENT = {
  steps: Number(SIM_STEPS ?? 300),
  skip: new Set((SIM_SKIP ?? "").split(",").filter(Boolean).map(Number)),
};

/** The simulation batteries with their full numbers. A failed run prints the command that repeats it. */
export const SIMULATION_BATTERIES: Record<string, Battery> = {
  SIM: (seed) => runSimulationBattery({ seed, ...FROM_ENVIRONMENT, count: Number(SIM_COUNT ?? 2_000) }),
  "SIM-FILES": (seed) =>
    runSimulationBattery({ seed, ...FROM_ENVIRONMENT, count: Number(SIM_COUNT ?? 500), hasFiles: true }),
  "SIM-REACTIONS": (seed) =>
    runSimulationBattery({ seed, ...FROM_ENVIRONMENT, count: Number(SIM_COUNT ?? 500), hasReactions: true }),
  "SIM-BUGS": () => runPlantedBugs({ seed: 1, seedsMax: 2_000, steps: 300 }),
};
