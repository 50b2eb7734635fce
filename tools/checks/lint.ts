import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

async function lintProblems(root: string, files: readonly string[]): Promise<string[]> {
  const args = ["--format", "unix", "--no-error-on-unmatched-pattern", ...files];
  return problemsOf(
    await runTool("oxlint/bin/oxlint", args, { cwd: root }),
    "mend them by hand, or try `npx oxlint --fix`; .oxlintrc.json has the rules",
  );
}

/** The linter finds no problem. */
export const lint: Check = {
  name: "lint",
  run(root) {
    return lintProblems(root, []);
  },
  async runOn(root, files) {
    const sources = files.filter((file) => SOURCE.test(file));
    return sources.length > 0 ? lintProblems(root, sources) : [];
  },
};
