import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AREAS, type Area, sourcesOf, testsFor } from "./areas.ts";
import { type Mutant, findMutants } from "./mutants.ts";
import { runMutation } from "./run-mutation.ts";

/** So many of a hundred must be noticed. */
const SCORE_MIN = 90;

/** A survivor that somebody has looked at: why no test needs to notice it. */
export interface AcceptedMutant {
  file: string;
  /** As the command prints it. */
  change: string;
  reason: string;
}

export interface MutationOptions {
  /** Areas, or parts of paths; none: everything. */
  filters: readonly string[];
  /** So many of each area, chosen by chance. */
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

/** Mutates, runs the tests and prints what they did not notice; answers the exit code. */
export async function mutate(
  root: string,
  mutationOptions: MutationOptions,
  areas: Readonly<Record<string, { source: string; tests: readonly string[] }>> = AREAS,
  accepted: readonly AcceptedMutant[] = readAcceptedMutants(),
): Promise<number> {
  const results: Result[] = [];
  const named = mutationOptions.filters.filter((filter) => filter in areas);
  const parts = mutationOptions.filters.filter((filter) => !(filter in areas));
  for (const [name, area] of Object.entries(areas)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const sources = sourcesOf(root, area).filter(
      (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
    );
    const all = sources.flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
    const chosen =
      mutationOptions.sample === undefined ? all : choose(all, mutationOptions.sample, mutationOptions.seed);
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
    const lived = mutants.filter(({ id }) => !noticed.has(id));
    const survivors = lived.filter((mutant) => !isReviewed(mutant, accepted));
    results.push({
      area: name,
      mutants: mutants.length,
      noticed: noticed.size,
      reviewed: lived.length - survivors.length,
      survivors: survivors.map((mutant) => ({ mutant, isReached: !unreached.has(mutant.id) })),
    });
  }
  return report(results);
}

function isReviewed({ file, change }: Mutant, mayLive: readonly AcceptedMutant[]): boolean {
  return mayLive.some((entry) => entry.file === file && entry.change === change);
}

function readAcceptedMutants(): AcceptedMutant[] {
  const file = new URL("accepted-mutants.json", import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AcceptedMutant[]) : [];
}

/** In the order of the text; the same ones for the same seed. */
function choose<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1;
  const marked = all.map((item, index) => {
    state = (state * 48_271) % 2_147_483_647;
    return { item, index, rank: state };
  });
  const chosen = marked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}

function report(results: readonly Result[]): number {
  for (const { area, survivors } of results) {
    if (survivors.length > 0) console.log(`\nsurvivors of ${area}:`);
    for (const { mutant, isReached } of survivors) {
      console.log(
        `${mutant.file}:${mutant.line} ${mutant.change}${isReached ? "" : " (no test comes here)"}`,
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

/** The areas' names, for whoever asks for another one. */
export const AREA_NAMES = Object.keys(AREAS) as Area[];
