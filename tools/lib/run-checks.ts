import { CHECKS } from "../checks/all.ts";
import { repository } from "./files.ts";
import type { Check } from "./check-type.ts";

export interface Count {
  passed: number;
  failed: number;
}

async function problemsOf(check: Check): Promise<string[]> {
  try {
    return await check.run(repository);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

/** Runs the guard rails, two at a time, and prints one line each, with the problems below those that failed. */
export async function runChecks(checks: readonly Check[] = CHECKS): Promise<Count> {
  const count = { passed: 0, failed: 0 };
  const waiting = [...checks];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const began = performance.now();
      const problems = await problemsOf(check);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (problems.length === 0) count.passed++;
      else count.failed++;
      console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
      for (const problem of problems.slice(0, 60)) console.log(problem.replace(/^/gm, "       "));
      if (problems.length > 60) console.log(`       ... and ${problems.length - 60} more`);
    }
  };
  await Promise.all([work(), work()]);
  return count;
}
