import { CHECKS } from "../checks/all.ts";
import type { Check } from "./check-type.ts";
import { findChanges } from "./changed-files.ts";
import { repository } from "./files.ts";
import { findRelatedTests, selectTests } from "./related-tests.ts";
import { type Count, runChecks } from "./run-checks.ts";
import { runUnitTests } from "./test-runners.ts";
import { readTimes } from "./test-times.ts";

/** How many names of one list are printed. */
const NAMES_MAX = 8;

/** The checks for a change: without those that take long, and with those that can on the changed files alone. */
export function checksFor(files: readonly string[], checks: readonly Check[] = CHECKS): Check[] {
  return checks
    .filter(({ isLong }) => isLong !== true)
    .map((check) =>
      check.runOn === undefined
        ? check
        : {
            name: `${check.name} of changed files`,
            run: async (root) => (await check.runOn?.(root, files)) ?? [],
          },
    );
}

/** Checks what is not pushed yet, in about a minute, and prints what it left out. */
export async function checkChanges(): Promise<Count[]> {
  const changes = await findChanges(repository);
  if (changes === undefined)
    return [
      { passed: 0, failures: ["git does not know what has changed; run npm run check without changed"] },
    ];
  const { since, files } = changes;
  console.log(`${files.length} files changed since ${since}`);
  if (files.length === 0) return [];
  const checks = await runChecks(checksFor(files));
  const selection = selectTests(await findRelatedTests(files), files, readTimes());
  const { chosen, long, far } = selection;
  const tests = chosen.length > 0 ? await runUnitTests(chosen) : { passed: 0, failures: [] };
  console.log("\nLeft out; `npm test` runs it:");
  const names = CHECKS.filter(({ isLong }) => isLong === true).map(({ name }) => name);
  console.log(`  ${names.join(", ")}, lint of other files, browser tests, tests that import nothing changed`);
  printLeftOut("related test files that take minutes", long);
  printLeftOut("related test files farther from the change", far);
  return [checks, tests];
}

function printLeftOut(what: string, files: readonly string[]): void {
  if (files.length === 0) return;
  const rest = files.length > NAMES_MAX ? [`... and ${files.length - NAMES_MAX} more`] : [];
  console.log([`  ${files.length} ${what}:`, ...files.slice(0, NAMES_MAX), ...rest].join("\n    "));
}
