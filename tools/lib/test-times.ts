import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import vitestConfig from "../../vitest.config.ts";
import { repository } from "./files.ts";

/** How long a test file took, and the project of Vitest or Playwright that it belongs to. */
export interface TestTime {
  readonly file: string;
  readonly project: string;
  readonly ms: number;
}

const TIMES_FILE = "node_modules/.cache/reports/times.json";
/** How many files of a project the table shows. */
const SHOWN = 15;

/** The part of Vitest's report that has the times. */
export interface TimedVitestReport {
  testResults: readonly { name: string; startTime: number; endTime: number }[];
}

/** The part of Playwright's report that has the times. */
export interface TimedSuite {
  suites?: readonly TimedSuite[];
  specs?: readonly {
    file: string;
    tests: readonly { projectName: string; results: readonly { duration: number }[] }[];
  }[];
}

/** The times in Vitest's report. They do not contain the time in which the modules of a file are loaded. */
export function vitestTimes({ testResults }: TimedVitestReport, root = repository): TestTime[] {
  return testResults.map(({ name, startTime, endTime }) => {
    const file = relative(root, name).replaceAll("\\", "/");
    return { file, project: projectOf(file), ms: Math.max(0, endTime - startTime) };
  });
}

/** Vitest's report does not say to which project a file belongs, but its configuration does. */
function projectOf(file: string): string {
  for (const project of vitestConfig.test?.projects ?? []) {
    if (typeof project !== "object" || !("test" in project)) continue;
    const { name, include = [] } = project.test ?? {};
    if (typeof name === "string" && include.some((glob) => matchesGlob(file, glob))) return name;
  }
  return "other";
}

/** The times in Playwright's report: all tests of a file in a project together, with what was tried again. */
export function playwrightTimes(report: TimedSuite): TestTime[] {
  const sums = new Map<string, TestTime>();
  const add = ({ specs = [], suites = [] }: TimedSuite): void => {
    for (const { file: name, tests } of specs) {
      for (const { projectName: project, results } of tests) {
        const file = `packages/e2e/tests/${name}`;
        const ms = results.reduce((sum, { duration }) => sum + duration, sums.get(project + file)?.ms ?? 0);
        sums.set(project + file, { file, project, ms });
      }
    }
    suites.forEach(add);
  };
  add(report);
  return [...sums.values()];
}

/** Remembers how long files took. Files that did not run this time keep their last times. */
export function recordTimes(times: readonly TestTime[], root = repository): void {
  const keyOf = ({ project, file }: TestTime): string => `${project} ${file}`;
  const all = new Map([...readTimes(root), ...times].map((time) => [keyOf(time), time]));
  mkdirSync(dirname(join(root, TIMES_FILE)), { recursive: true });
  writeFileSync(join(root, TIMES_FILE), JSON.stringify([...all.values()]));
}

/** The times of the files that still exist, each of its last run. */
export function readTimes(root = repository): TestTime[] {
  if (!existsSync(join(root, TIMES_FILE))) return [];
  const times = JSON.parse(readFileSync(join(root, TIMES_FILE), "utf8")) as TestTime[];
  return times.filter(({ file }) => existsSync(join(root, file)));
}

/** The slowest files of each project, the slowest project first. */
export function timesTable(times: readonly TestTime[]): string {
  if (times.length === 0)
    return "No times yet; they are recorded by npm test, npm run check and npm run e2e.";
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(8)} s`;
  const sum = (files: readonly TestTime[]): number => files.reduce((total, { ms }) => total + ms, 0);
  const projects = [...Map.groupBy(times, ({ project }) => project)].sort(([, a], [, b]) => sum(b) - sum(a));
  return projects
    .map(([project, files]) => {
      const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
      const rest = files.length - slowest.length;
      return [
        `${seconds(sum(files))}  ${project}: ${files.length} files`,
        ...slowest.map(({ file, ms }) => `${seconds(ms)}    ${file}`),
        ...(rest > 0 ? [`${seconds(sum(files) - sum(slowest))}    ${rest} more`] : []),
      ].join("\n");
    })
    .join("\n\n");
}
