import { relative } from "node:path";
import { ZONES } from "../../.dependency-cruiser.mjs";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { runTool } from "../lib/process.ts";

interface Cruise {
  modules: { source: string }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

/** The import table of `.dependency-cruiser.mjs`. A file that no row covers, or that was not read, is a problem too. */
export const imports: Check = {
  name: "import table",
  async run(root) {
    const sources = ["packages", "tools"]
      .flatMap((folder) => filesUnder(`${root}/${folder}`))
      .map((file) => relative(root, file).replaceAll("\\", "/"))
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file));
    const args = ["--config", ".dependency-cruiser.mjs", "--output-type", "json", "packages", "tools"];
    const { code, stdout, output } = await runTool("dependency-cruiser/bin/dependency-cruiser.mjs", args, {
      cwd: root,
    });
    if (!stdout.startsWith("{")) return [`dependency-cruiser ended with code ${code}: ${output}`];
    const { modules, summary } = JSON.parse(stdout) as Cruise;
    const problems = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`);
    const read = new Set(modules.map((module) => module.source));
    const zones = Object.values(ZONES).map((zone) => new RegExp(`^${zone.path}`));
    for (const file of sources) {
      // Declaration files are only read when something imports them.
      if (!read.has(file) && !file.endsWith(".d.ts")) problems.push(`${file} was not read`);
      if (!zones.some((zone) => zone.test(file))) problems.push(`${file} is in no zone of the table`);
    }
    return problems;
  },
};
