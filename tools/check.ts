import { CHECKS } from "./checks/all.ts";
import { checkChanges } from "./lib/check-changes.ts";
import { type Count, printFailures, runChecks } from "./lib/run-checks.ts";
import { runUnitTests } from "./lib/test-runners.ts";

const wanted = process.argv.slice(2);
const available = [...CHECKS.map((check) => check.name), "unit tests"];
const isForChanges = wanted.length === 1 && wanted[0] === "changed";
const unknown = isForChanges ? [] : wanted.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(
    `parley: no check "${unknown.join('", "')}"; there are ${available.join(", ")}, or changed alone.`,
  );
  process.exit(1);
}

const counts = isForChanges ? await checkChanges() : await runAll();
const failures = counts.flatMap((count) => count.failures);
printFailures(failures);
process.exitCode = failures.length > 0 ? 1 : 0;

async function runAll(): Promise<Count[]> {
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const counts = [await runChecks(CHECKS.filter((check) => isWanted(check.name)))];
  if (isWanted("unit tests")) counts.push(await runUnitTests());
  return counts;
}
