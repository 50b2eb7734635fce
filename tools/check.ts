import { CHECKS } from "./checks/all.ts";
import { printFailures, runChecks } from "./lib/run-checks.ts";
import { runUnitTests } from "./lib/test-runners.ts";

const wanted = process.argv.slice(2);
const available = [...CHECKS.map((check) => check.name), "unit tests"];
const unknown = wanted.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(`parley: no check "${unknown.join('", "')}"; there are ${available.join(", ")}.`);
  process.exit(1);
}
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

const checkCount = await runChecks(CHECKS.filter((check) => isWanted(check.name)));
const testCount = isWanted("unit tests") ? await runUnitTests() : { failures: [] };
printFailures(testCount.failures);
process.exitCode = checkCount.failures.length + testCount.failures.length > 0 ? 1 : 0;
