import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AREAS, sourcesOf, testsFor } from "./areas.ts";
import { type Mutant, findMutants } from "./mutants.ts";
import { runMutation } from "./run-mutation.ts";

/** The percentage of mutants that tests must notice. */
const SCORE_MIN = 90;

/** A reviewed survivor, with the reason why no test needs to notice it. */
export interface AcceptedMutant {
  file: string;
  /** The change as the command prints it. */
  change: string;
  reason: string;
}

/** What to mutate. */
export interface MutationOptions {
  /** Names of areas, or parts of paths. If empty, everything is mutated. */
  filters: readonly string[];
  /** The size of a random sample of each area. */
  sample?: number;
  seed: number;
}

interface Result {
  area: string;
  mutants: number;
  noticed: number;
  reviewed: number;
  survivors: { mutant: Mutant; isReached: boolean }[];
}

/** Mutates, runs the tests, prints the mutants that they did not notice, and returns the exit code. */
export async function mutate(
  root: string,
  options: MutationOptions,
  areas: Readonly<Record<string, { source: string; tests: readonly string[] }>> = AREAS,
  accepted: readonly AcceptedMutant[] = readAcceptedMutants(),
): Promise<number> {
  const results: Result[] = [];
  const areaFilters = options.filters.filter((filter) => filter in areas);
  const pathFilters = options.filters.filter((filter) => !(filter in areas));
  for (const [name, area] of Object.entries(areas)) {
    if (areaFilters.length > 0 && !areaFilters.includes(name)) continue;
    const sources = sourcesOf(root, area).filter(
      (file) => pathFilters.length === 0 || pathFilters.some((part) => file.includes(part)),
    );
    const all = sources.flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
    const chosen = options.sample === undefined ? all : sampleOf(all, options.sample, options.seed);
    if (chosen.length === 0) continue;
    const mutants = chosen.map((mutant, index) => ({ ...mutant, id: index + 1 }));
    console.log(`\n== ${name}: ${mutants.length} of ${all.length} mutants`);
    const testsOf = testsFor(root, area);
    const { noticed, unreached } = await runMutation({
      root,
      mutants,
      testsOf,
      report: (text) => console.log(text),
    });
    const unnoticed = mutants.filter(({ id }) => !noticed.has(id));
    const survivors = unnoticed.filter((mutant) => !isReviewed(mutant, accepted));
    results.push({
      area: name,
      mutants: mutants.length,
      noticed: noticed.size,
      reviewed: unnoticed.length - survivors.length,
      survivors: survivors.map((mutant) => ({ mutant, isReached: !unreached.has(mutant.id) })),
    });
  }
  return report(results);
}

function isReviewed({ file, change }: Mutant, accepted: readonly AcceptedMutant[]): boolean {
  return accepted.some((entry) => entry.file === file && entry.change === change);
}

/** The mutants that somebody has reviewed: no test needs to notice them. */
export function readAcceptedMutants(): AcceptedMutant[] {
  const file = new URL("accepted-mutants.json", import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AcceptedMutant[]) : [];
}

/** A random sample in the order of the text. The same seed gives the same sample. */
function sampleOf<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1;
  const ranked = all.map((item, index) => {
    state = (state * 48_271) % 2_147_483_647;
    return { item, index, rank: state };
  });
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}

function report(results: readonly Result[]): number {
  for (const { area, survivors } of results) {
    if (survivors.length > 0) console.log(`\nsurvivors of ${area}:`);
    for (const { mutant, isReached } of survivors) {
      console.log(
        `${mutant.file}:${mutant.line} ${mutant.change}${isReached ? "" : " (no test reaches it)"}`,
      );
    }
  }
  console.log(
    "\n| area | mutants | noticed | reviewed | survived | score |\n| --- | --- | --- | --- | --- | --- |",
  );
  let isGood = results.length > 0;
  for (const { area, mutants, noticed, reviewed, survivors } of results) {
    const counted = mutants - reviewed;
    const score = counted === 0 ? 100 : (100 * noticed) / counted;
    if (score < SCORE_MIN) isGood = false;
    console.log(
      `| ${area} | ${mutants} | ${noticed} | ${reviewed} | ${survivors.length} | ${score.toFixed(1)} % |`,
    );
  }
  return isGood ? 0 : 1;
}
