import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createVitest } from "vitest/node";
import { LONG } from "../../vitest.config.ts";
import { repository } from "./files.ts";
import { testDistance } from "./test-distance.ts";
import type { TestTime } from "./test-times.ts";

/** How long the chosen files take together, by their last times. Three run at once on a machine with two cores. */
const BUDGET_MS = 60_000;
/** What a file counts whose time is not known. */
const UNKNOWN_MS = 2_000;
/** What reads all documents instead of importing them. */
const DOCUMENT_TESTS = "tools/documents.test.ts";
const DOCUMENT = /\.md$|^package\.json$/;

/** The test files that run for a change, and those that do not. Paths are relative to the root. */
export interface Selection {
  readonly chosen: readonly string[];
  /** They take minutes. */
  readonly long: readonly string[];
  /** Others are nearer to the change and fill the time. */
  readonly far: readonly string[];
}

/** The test files that import one of the files, directly or through others. */
export async function findRelatedTests(files: readonly string[]): Promise<string[]> {
  const vitest = await createVitest(
    {
      root: repository,
      watch: false,
      related: files.map((file) => join(repository, file)),
      // Otherwise a changed package.json relates to every test.
      forceRerunTriggers: [],
      reporters: [],
    },
    { logLevel: "silent" },
  );
  try {
    const specifications = await vitest.getRelevantTestSpecifications();
    const related = specifications.map(({ moduleId }) =>
      relative(repository, moduleId).replaceAll("\\", "/"),
    );
    return [...related, ...(files.some((file) => DOCUMENT.test(file)) ? [DOCUMENT_TESTS] : [])];
  } finally {
    await vitest.close();
  }
}

/** Chooses the tests that are nearest to the changed files, as many as take about half a minute. */
export function selectTests(
  related: readonly string[],
  changed: readonly string[],
  times: readonly TestTime[],
  textOf = (path: string): string => readFileSync(join(repository, path), "utf8"),
): Selection {
  const msOf = new Map(times.map(({ file, ms }) => [file, ms]));
  const timeOf = (file: string): number => msOf.get(file) ?? UNKNOWN_MS;
  const packages = new Set(changed.map(packageOf));
  const rank = (file: string): number => {
    if (changed.includes(file)) return -1;
    const test = { path: file, text: textOf(file) };
    const distance = Math.min(...changed.map((source) => testDistance(test, source)));
    return distance + (packages.has(packageOf(file)) ? 0 : 0.5);
  };
  const isLong = (file: string): boolean => LONG.test(`/${file}`);
  const nearestFirst = [...new Set(related)]
    .filter((file) => !isLong(file))
    .map((file) => ({ file, rank: rank(file), ms: timeOf(file) }))
    .sort((a, b) => a.rank - b.rank || a.ms - b.ms);
  const chosen: string[] = [];
  let left = BUDGET_MS;
  for (const { file, ms } of nearestFirst) {
    if (ms > left && chosen.length > 0) continue;
    left -= ms;
    chosen.push(file);
  }
  const isChosen = new Set(chosen);
  return {
    chosen,
    long: related.filter(isLong),
    far: nearestFirst.map(({ file }) => file).filter((file) => !isChosen.has(file)),
  };
}

function packageOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}
