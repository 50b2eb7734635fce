import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** Without `--include-entry-exports` every file that a package exports counts as used, and dead exports stay unseen. */
export const unused: Check = {
  name: "unused code",
  async run(root) {
    const args = ["--include-entry-exports", "--no-progress", "--treat-config-hints-as-errors"];
    return problemsOf(await runTool("knip/bin/knip.js", args, { cwd: root }));
  },
};
