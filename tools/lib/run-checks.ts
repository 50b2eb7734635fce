import { CHECKS } from "../checks/all.ts";
import { repository } from "./files.ts";
import type { Check } from "./check-type.ts";

/** How many checks or tests passed, and what failed: a check, a test, or a reason why tests did not run. */
export interface Count {
  passed: number;
  failures: readonly string[];
}

async function problemsOf(check: Check): Promise<string[]> {
  try {
    return await check.run(repository);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

/** Runs the checks, two at a time, and prints one line for each. Problems are listed below a failed check. */
export async function runChecks(checks: readonly Check[] = CHECKS): Promise<Count> {
  let passed = 0;
  const failures: string[] = [];
  const waiting = [...checks];
  const runWaiting = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const problems = await problemsOf(check);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (problems.length === 0) passed++;
      else failures.push(`check "${check.name}"`);
      console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
      for (const problem of problems.slice(0, 60)) console.log(problem.replace(/^/gm, "       "));
      if (problems.length > 60) console.log(`       ... and ${problems.length - 60} more`);
    }
  };
  await Promise.all([runWaiting(), runWaiting()]);
  return { passed, failures };
}

/** Prints one line for each failure. */
export function printFailures(failures: readonly string[]): void {
  for (const failure of failures) console.log(`FAILED ${failure}`);
}
