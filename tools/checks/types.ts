import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** All projects compile. */
export const types: Check = {
  name: "types",
  async run(root) {
    return problemsOf(
      await runTool("typescript/bin/tsc", ["-b", "--pretty", "false"], { cwd: root }),
      "mend the first error of each file; the others often follow from it",
    );
  },
};
