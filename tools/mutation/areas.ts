import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { filesUnder } from "../lib/files.ts";
import type { Mutant } from "./mutants.ts";

/** What is mutated, and the folders whose tests may notice: of what is pure, its own, which take no second. */
export const AREAS = {
  protocol: { source: "packages/protocol/src", tests: ["packages/protocol/src"] },
  model: { source: "packages/core/src/model", tests: ["packages/core/src"] },
  rules: { source: "packages/server/src/presenters", tests: ["packages/server/src/presenters"] },
  modules: { source: "packages/server/src/modules", tests: ["packages/server/src"] },
} as const;
export type Area = keyof typeof AREAS;

/** What simulates and breaks things for minutes, sends megabytes, or starts programs. */
const TOO_LONG = /\/testing\/|\/seed|\/main\.test|\/adapters\/|\/gateway\/|speed\.test|\/jobs\.|\/config\./;

/** Files of tests that one mutant is shown to. */
const FILES_MAX = 30;

/** The sources of an area, relative to the root. */
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

interface Test {
  path: string;
  /** Of it and of the sources beside it. */
  text: string;
  size: number;
}

/** The tests of an area for a mutant: of its own file, of its folder, of folders whose sources name its file, and then the others. */
export function testsFor(
  root: string,
  area: { tests: readonly string[] },
): (mutant: Pick<Mutant, "file" | "symbol">) => string[] {
  const files = area.tests.flatMap((folder) => filesUnder(join(root, folder)));
  const beside = Map.groupBy(files.filter(isSource), (file) => dirname(file));
  const tests = files.filter(isTest).flatMap((path): Test[] => {
    if (TOO_LONG.test(relative(root, path).replaceAll("\\", "/").replace(/^/, "/"))) return [];
    const own = readFileSync(path, "utf8");
    const others = (beside.get(dirname(path)) ?? []).map((file) => readFileSync(file, "utf8"));
    return [{ path, text: [own, ...others].join("\n"), size: own.length }];
  });
  const known = new Map<string, string[]>();
  return ({ file, symbol }) => {
    const key = `${file} ${symbol}`;
    const rank = (test: Test) => distance(test, root, file, symbol);
    const sorted =
      known.get(key) ??
      tests
        .toSorted((a, b) => rank(a) - rank(b) || a.size - b.size)
        .slice(0, FILES_MAX)
        .map(({ path }) => path);
    known.set(key, sorted);
    return sorted;
  };
}

/** 0 for the test of the file itself. */
function distance({ path, text }: Test, root: string, file: string, symbol: string): number {
  const source = join(root, file);
  if (path === source.replace(/\.ts$/, ".test.ts")) return 0;
  if (dirname(path) === dirname(source)) return 1;
  const name = basename(file, ".ts");
  if (!text.includes(`/${name}.ts"`) && !text.includes(`/${name}"`)) return 4;
  return symbol !== "" && text.includes(symbol) ? 2 : 3;
}
