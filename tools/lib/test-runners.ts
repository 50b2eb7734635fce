import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { QUARANTINE, type Quarantined } from "@parley/e2e/quarantine";
import { repository } from "./files.ts";
import { runTool } from "./process.ts";
import type { Count } from "./run-checks.ts";

const reports = join(repository, "node_modules/.cache/reports");

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: readonly unknown[] }[];
}

interface PlaywrightReport extends Suite {
  stats: { expected: number; flaky: number; unexpected: number };
}

interface Suite {
  suites?: readonly Suite[];
  specs?: readonly {
    title: string;
    /** Below the folder of tests. */
    file: string;
    tests: readonly {
      status: "expected" | "unexpected" | "flaky" | "skipped";
      annotations: readonly { type: string; description?: string }[];
    }[];
  }[];
}

/** A fresh place for a report, so that one of an earlier run is never read. */
function reportFile(name: string): string {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${name}-${process.pid}.json`);
  rmSync(file, { force: true });
  return file;
}

const nothing = (sentence: string): Count => {
  console.log(`FAILED ${sentence}`);
  return { passed: 0, failed: 1 };
};

/** A runner's own count is not enough: a crash or an unhandled rejection fails it with no test that failed. */
function requireConsistent(runner: string, code: number, count: Count): Count {
  if (count.passed + count.failed === 0) return nothing(`${runner} ran no test`);
  if (code === 0 || count.failed > 0) return count;
  console.log(`FAILED ${runner} ended with code ${code} although no test failed`);
  return { ...count, failed: 1 };
}

/** What a run of Vitest comes to. A file that throws while it loads counts no tests there, and one failure here. */
export function countVitest(report: VitestReport | undefined, code: number): Count {
  if (report === undefined) return nothing("Vitest wrote no report");
  const broken = report.testResults.filter(
    (result) => result.status === "failed" && result.assertionResults.length === 0,
  );
  for (const { name } of broken) console.log(`FAILED ${name} did not load`);
  const { numPassedTests: passed, numFailedTests: failed } = report;
  return requireConsistent("Vitest", code, { passed, failed: failed + broken.length });
}

/** What a run of Playwright comes to. What passed only when tried again has failed, unless it is quarantined. */
export function countPlaywright(
  report: PlaywrightReport | undefined,
  code: number,
  quarantine: readonly Quarantined[] = QUARANTINE,
): Count {
  if (report === undefined) return nothing("Playwright wrote no report");
  const { expected, flaky, unexpected } = report.stats;
  let excused = 0;
  for (const { title, file, tests } of specsOf(report)) {
    if (!tests.some(({ status }) => status === "flaky")) continue;
    const known = quarantine.find((entry) => entry.file === file && entry.title === title);
    if (known !== undefined) excused++;
    const word = known === undefined ? "FAILED" : "quarantined";
    const reason = known === undefined ? "" : `: ${known.reason}`;
    console.log(`${word} ${file} "${title}" is flaky, it passed only when tried again${reason}`);
  }
  return requireConsistent("Playwright", code, {
    passed: expected + excused,
    failed: unexpected + flaky - excused,
  });
}

/** What a battery of Playwright's tests has done: their titles, and what they note under "done". */
export interface BatteryRun {
  passed: readonly string[];
  failed: readonly string[];
  done: readonly string[];
}

export function readBattery(report: Suite | undefined, code: number): BatteryRun {
  if (report === undefined) return { passed: [], failed: ["Playwright wrote no report"], done: [] };
  const specs = specsOf(report);
  const titles = (isWanted: (status: string) => boolean) =>
    specs.filter(({ tests }) => tests.some(({ status }) => isWanted(status))).map(({ title }) => title);
  const passed = titles((status) => status === "expected");
  const failed = titles((status) => status === "unexpected" || status === "flaky");
  const notes = specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations));
  const done = notes.filter(({ type }) => type === "done").map(({ description }) => description ?? "");
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

const passOn = (text: string): void => {
  process.stdout.write(text);
};

/** Runs every Vitest project. */
export async function runUnitTests(args: readonly string[] = []): Promise<Count> {
  const file = reportFile("vitest");
  const all = ["run", "--reporter=dot", "--reporter=json", `--outputFile=${file}`, ...args];
  const { code } = await runTool("vitest/vitest.mjs", all, { onOutput: passOn });
  return countVitest(readReport(file) as VitestReport | undefined, code);
}

async function runPlaywright(
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ report: unknown; code: number }> {
  const file = reportFile("playwright");
  const all = ["test", "--config", "packages/e2e/playwright.config.ts", "--reporter=list,json", ...args];
  const env = { ...more, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const { code } = await runTool("@playwright/test/cli.js", all, { env, onOutput: passOn });
  return { report: readReport(file), code };
}

/** Runs the tests in a real browser. */
export async function runBrowserTests(args: readonly string[] = []): Promise<Count> {
  const { report, code } = await runPlaywright(args);
  return countPlaywright(report as PlaywrightReport | undefined, code);
}

/** Runs some of them as a battery of faults. */
export async function runBrowserSpecs(args: readonly string[], env: NodeJS.ProcessEnv): Promise<BatteryRun> {
  const { report, code } = await runPlaywright(args, env);
  return readBattery(report as Suite | undefined, code);
}
