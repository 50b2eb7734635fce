import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { repository } from "./files.ts";
import { runTool } from "./process.ts";
import {
  type TimedSuite,
  type TimedVitestReport,
  playwrightTimes,
  recordTimes,
  vitestTimes,
} from "./test-times.ts";
import type { Count } from "./run-checks.ts";

const reports = join(repository, "node_modules/.cache/reports");
/** Tests start many servers, and each of them would compile all its modules again: a third of the processor time of a start. */
const compileCache = { NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compiled") };

interface VitestReport {
  numPassedTests: number;
  testResults: {
    /** The path of the file. */
    name: string;
    status: string;
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
  }[];
}

interface PlaywrightReport extends Suite {
  stats: { expected: number };
}

interface Suite {
  suites?: readonly Suite[];
  specs?: readonly {
    title: string;
    /** Relative to the folder of tests. */
    file: string;
    tests: readonly {
      status: "expected" | "unexpected" | "flaky" | "skipped";
      annotations: readonly { type: string; description?: string }[];
      results: readonly { errors: readonly { message?: string }[] }[];
    }[];
  }[];
}

/** The path for a new report. Removes the report of an earlier run, so that it is never read. */
function reportFile(name: string): string {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${name}-${process.pid}.json`);
  rmSync(file, { force: true });
  return file;
}

/** How much of an error is repeated in the list of failures. */
const REASON_CHARS = 500;

/** The beginning of an error on one line, without where it happened, to be put behind the name of a test. */
function reasonOf(error = ""): string {
  const [message = ""] = stripVTControlCharacters(error).split(/^\s+at /m);
  const line = message.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  return `: ${line.length > REASON_CHARS ? `${line.slice(0, REASON_CHARS)} ...` : line}`;
}

const failedRun = (reason: string): Count => ({ passed: 0, failures: [reason] });

/** Counts a failure if the runner failed without a failed test, as after a crash or an unhandled rejection, or ran no test. */
function requireConsistent(runner: string, code: number, { passed, failures }: Count): Count {
  if (passed + failures.length === 0) return failedRun(`${runner} ran no test`);
  if (code === 0 || failures.length > 0) return { passed, failures };
  return { passed, failures: [`${runner} ended with code ${code} although no test failed`] };
}

/** Counts the tests of a Vitest run. A file that throws while it loads has no tests in the report, and counts as one failure here. */
export function countVitest(report: VitestReport | undefined, code: number): Count {
  if (report === undefined) return failedRun("Vitest wrote no report");
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(repository, name);
    if (status === "failed" && assertionResults.length === 0) return [`${file} did not load`];
    return assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName, failureMessages }) => `${file} "${fullName}"${reasonOf(failureMessages[0])}`);
  });
  return requireConsistent("Vitest", code, { passed: report.numPassedTests, failures });
}

/** Counts the tests of a Playwright run. A flaky test counts as failed. */
export function countPlaywright(report: PlaywrightReport | undefined, code: number): Count {
  if (report === undefined) return failedRun("Playwright wrote no report");
  const failures: string[] = [];
  for (const { title, file, tests } of specsOf(report)) {
    const name = `${file} "${title}"`;
    const error = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0];
    const reason = reasonOf(error?.message);
    if (tests.some(({ status }) => status === "unexpected")) failures.push(`${name}${reason}`);
    else if (tests.some(({ status }) => status === "flaky"))
      failures.push(`${name} is flaky, it passed only when tried again${reason}`);
  }
  return requireConsistent("Playwright", code, { passed: report.stats.expected, failures });
}

/** The result of a battery of Playwright tests: titles of passed and failed tests, and the texts of their "done" annotations. */
export interface BatteryRun {
  passed: readonly string[];
  failed: readonly string[];
  done: readonly string[];
}

/** Reads the result of a battery from Playwright's report. */
export function readBattery(report: Suite | undefined, code: number): BatteryRun {
  if (report === undefined) return { passed: [], failed: ["Playwright wrote no report"], done: [] };
  const specs = specsOf(report);
  const titles = (isWanted: (status: string) => boolean) =>
    specs.filter(({ tests }) => tests.some(({ status }) => isWanted(status))).map(({ title }) => title);
  const passed = titles((status) => status === "expected");
  const failed = titles((status) => status === "unexpected" || status === "flaky");
  const annotations = specs.flatMap(({ tests }) => tests.flatMap((test) => test.annotations));
  const done = annotations.filter(({ type }) => type === "done").map(({ description }) => description ?? "");
  if (passed.length + failed.length === 0) failed.push("Playwright ran no test");
  else if (code !== 0 && failed.length === 0) failed.push(`Playwright ended with code ${code}`);
  return { passed, failed, done };
}

function specsOf({ specs = [], suites = [] }: Suite): NonNullable<Suite["specs"]>[number][] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function readReport(file: string): unknown {
  if (!existsSync(file)) return undefined;
  const report: unknown = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return report;
}

const printOutput = (text: string): void => {
  process.stdout.write(text);
};

/** Runs every Vitest project, or what the arguments name. */
export async function runUnitTests(
  args: readonly string[] = [],
  extraEnv: NodeJS.ProcessEnv = {},
): Promise<Count> {
  const file = reportFile("vitest");
  const allArgs = ["run", "--reporter=dot", "--reporter=json", `--outputFile=${file}`, ...args];
  const { code } = await runTool("vitest/vitest.mjs", allArgs, {
    env: { ...compileCache, ...extraEnv },
    onOutput: printOutput,
  });
  const report = readReport(file) as (VitestReport & TimedVitestReport) | undefined;
  if (report !== undefined) recordTimes(vitestTimes(report));
  return countVitest(report, code);
}

async function runPlaywright(
  args: readonly string[],
  extraEnv: NodeJS.ProcessEnv = {},
): Promise<{ report: unknown; code: number }> {
  const file = reportFile("playwright");
  const allArgs = ["test", "--config", "packages/e2e/playwright.config.ts", "--reporter=list,json", ...args];
  const env = { ...compileCache, ...extraEnv, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const { code } = await runTool("@playwright/test/cli.js", allArgs, { env, onOutput: printOutput });
  const report = readReport(file);
  if (report !== undefined) recordTimes(playwrightTimes(report as TimedSuite));
  return { report, code };
}

/** Runs the tests in a real browser: those that the arguments name, or else the projects of Playwright's configuration one after the other. */
export async function runBrowserTests(args: readonly string[] = []): Promise<Count> {
  const runs = args.length > 0 ? [args] : [["--project=pages"], ["--project=calls"]];
  let total: Count = { passed: 0, failures: [] };
  for (const each of runs) {
    const { report, code } = await runPlaywright(each);
    const count = countPlaywright(report as PlaywrightReport | undefined, code);
    total = { passed: total.passed + count.passed, failures: [...total.failures, ...count.failures] };
  }
  return total;
}

/** Runs some browser tests as a fault battery. */
export async function runBrowserSpecs(args: readonly string[], env: NodeJS.ProcessEnv): Promise<BatteryRun> {
  const { report, code } = await runPlaywright(args, env);
  return readBattery(report as Suite | undefined, code);
}
