import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** No unused file, export or dependency. Without `--include-entry-exports` all exports of a package's entry files would count as used. */
export const unused: Check = {
  name: "unused code",
  async run(root) {
    const args = ["--include-entry-exports", "--no-progress", "--treat-config-hints-as-errors"];
    return problemsOf(await runTool("knip/bin/knip.js", args, { cwd: root }));
  },
};
