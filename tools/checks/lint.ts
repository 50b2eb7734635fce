import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** The linter finds no problem. */
export const lint: Check = {
  name: "lint",
  async run(root) {
    return problemsOf(await runTool("oxlint/bin/oxlint", ["--format", "unix"], { cwd: root }));
  },
};
