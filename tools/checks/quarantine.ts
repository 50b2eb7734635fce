import { existsSync } from "node:fs";
import { join } from "node:path";
import { QUARANTINE, type Quarantined } from "@parley/e2e/quarantine";
import { type Check } from "../lib/check-type.ts";
import { titlesOf } from "../lib/test-titles.ts";

const TESTS = "packages/e2e/tests";

/** The problems of a list of quarantined tests. */
export function quarantineProblems(root: string, entries: readonly Quarantined[]): string[] {
  return entries.flatMap(({ file, title, reason }) => {
    const path = join(root, TESTS, file);
    const titles = existsSync(path) ? titlesOf(root, path).filter(({ isGroup }) => !isGroup) : [];
    const problems: string[] = [];
    if (!titles.some((test) => test.title === title)) {
      problems.push(`the quarantine names "${title}", which ${TESTS}/${file} does not have`);
    }
    if (reason.trim() === "") problems.push(`the quarantine of "${title}" gives no reason`);
    return problems;
  });
}

/** Every quarantined test exists and has a reason. */
export const quarantine: Check = {
  name: "quarantine",
  async run(root) {
    return quarantineProblems(root, QUARANTINE);
  },
};
