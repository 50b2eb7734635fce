import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** The formatter would change no file. */
export const format: Check = {
  name: "format",
  async run(root) {
    return problemsOf(await runTool("oxfmt/bin/oxfmt", ["--check", "."], { cwd: root }));
  },
};
