import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

async function formatProblems(root: string, files: readonly string[]): Promise<string[]> {
  const args = ["--check", "--no-error-on-unmatched-pattern", ...files];
  return problemsOf(await runTool("oxfmt/bin/oxfmt", args, { cwd: root }), "run `npx oxfmt`");
}

/** The formatter would change no file. */
export const format: Check = {
  name: "format",
  run(root) {
    return formatProblems(root, ["."]);
  },
  async runOn(root, files) {
    return files.length > 0 ? formatProblems(root, files) : [];
  },
};
