import { problemsOf, type Check } from "../lib/check-type.ts";
import { runTool } from "../lib/process.ts";

/** Without `--include-entry-exports` all exports of a package's entry files would count as used. */
const ARGS = ["--include-entry-exports", "--no-progress"];

const REMEDY =
  "delete what nothing uses, or only its `export`; move what only tests use into a folder `testing`; if a program starts at the file, add it to the entries of knip.config.ts";

async function knipProblems(root: string, mode: string): Promise<string[]> {
  return problemsOf(await runTool("knip/bin/knip.js", [...ARGS, mode], { cwd: root }), REMEDY);
}

/** Code of the product that nothing uses except tests. */
export function testOnlyProblems(root: string): Promise<string[]> {
  return knipProblems(root, "--production");
}

/** No unused file, export or dependency, and no code of the product that only tests use. */
export const unused: Check = {
  name: "unused code",
  async run(root) {
    const runs = [knipProblems(root, "--treat-config-hints-as-errors"), testOnlyProblems(root)];
    return (await Promise.all(runs)).flat();
  },
};
