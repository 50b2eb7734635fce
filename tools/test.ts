// Runs everything that must pass before a change is committed. The last line says how many checks and tests passed and failed. With `--times` it
// runs nothing and prints how long the test files took.
import { buildDesktopForTests } from "./lib/desktop-build.ts";
import { installBrowser } from "./lib/install-browser.ts";
import {
  CALL_PROGRAMS,
  DEPLOY_PROGRAMS,
  FAULT_PROGRAMS,
  NODE_PROGRAMS,
  installPrograms,
} from "./lib/debian-packages.ts";
import { type Count, printFailures, runChecks } from "./lib/run-checks.ts";
import { runBrowserTests, runUnitTests } from "./lib/test-runners.ts";
import { readTimes, timesTable } from "./lib/test-times.ts";
import { buildWeb } from "./lib/web-build.ts";

if (process.argv.includes("--times")) {
  console.log(timesTable(readTimes()));
  process.exit();
}

/** Runs a part. A part that cannot start counts as one failure, and the next part still runs. */
async function runPart(name: string, work: () => Promise<Count>): Promise<Count> {
  console.log(`\n== ${name}`);
  try {
    return await work();
  } catch (error) {
    return { passed: 0, failures: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

const counts = [
  await runPart("checks", () => runChecks()),
  await runPart("programs of the tests", async () => {
    await installPrograms([...FAULT_PROGRAMS, ...NODE_PROGRAMS, ...CALL_PROGRAMS, ...DEPLOY_PROGRAMS]);
    return { passed: 0, failures: [] };
  }),
  await runPart("unit tests", () => runUnitTests()),
  await runPart("browser tests", async () => {
    await installBrowser();
    await buildWeb();
    await buildDesktopForTests();
    return runBrowserTests();
  }),
];
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failures = counts.flatMap((count) => count.failures);
// At the end, because a CI may show only the last lines.
printFailures(failures);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
