import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesUnder } from "../lib/files.ts";
import { testDistance } from "../lib/test-distance.ts";
import type { Mutant } from "./mutants.ts";

/** The areas: the folder that is mutated and the folders whose tests may notice. Pure code is tested by the fast tests of its own folder only. */
export const AREAS = {
  protocol: { source: "packages/protocol/src", tests: ["packages/protocol/src"] },
  model: { source: "packages/core/src/model", tests: ["packages/core/src"] },
  presenters: { source: "packages/server/src/presenters", tests: ["packages/server/src/presenters"] },
  modules: { source: "packages/server/src/modules", tests: ["packages/server/src"] },
} as const;

/** Tests that are left out: simulations and fault tests that take minutes, tests that send megabytes, and tests that start programs. */
const SLOW_TESTS = /\/testing\/|\/seed|\/main\.test|\/adapters\/|\/gateway\/|speed\.test|\/jobs\.|\/config\./;

/** How many test files one mutant is tried with. */
const TEST_FILES_MAX = 30;

/** The paths of the sources of an area, relative to the root. */
export function sourcesOf(root: string, area: { source: string }): string[] {
  return filesUnder(join(root, area.source))
    .filter(isSource)
    .map((file) => relative(root, file).replaceAll("\\", "/"));
}

function isSource(file: string): boolean {
  return file.endsWith(".ts") && !isTest(file);
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

interface TestFile {
  path: string;
  /** The text of the test and of the sources in its folder. */
  text: string;
  size: number;
}

/** Returns the tests for a mutant: first those of its own file, then of its folder, of folders whose sources name its file, and the others. */
export function testsFor(
  root: string,
  area: { tests: readonly string[] },
): (mutant: Pick<Mutant, "file" | "symbol">) => string[] {
  const files = area.tests.flatMap((folder) => filesUnder(join(root, folder)));
  const sourcesByFolder = Map.groupBy(files.filter(isSource), (file) => dirname(file));
  const tests = files.filter(isTest).flatMap((path): TestFile[] => {
    if (SLOW_TESTS.test(relative(root, path).replaceAll("\\", "/").replace(/^/, "/"))) return [];
    const own = readFileSync(path, "utf8");
    const sources = (sourcesByFolder.get(dirname(path)) ?? []).map((file) => readFileSync(file, "utf8"));
    return [{ path, text: [own, ...sources].join("\n"), size: own.length }];
  });
  const cache = new Map<string, string[]>();
  return ({ file, symbol }) => {
    const key = `${file} ${symbol}`;
    const rank = (test: TestFile) => testDistance(test, join(root, file), symbol);
    const sorted =
      cache.get(key) ??
      tests
        .toSorted((a, b) => rank(a) - rank(b) || a.size - b.size)
        .slice(0, TEST_FILES_MAX)
        .map(({ path }) => path);
    cache.set(key, sorted);
    return sorted;
  };
}
