import { relative } from "node:path";
import { ZONES } from "../../.dependency-cruiser.mjs";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { runTool } from "../lib/process.ts";

interface Cruise {
  modules: { source: string }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

const FOLDERS = ["packages", "tools"];
const SOURCE = /\.(?:tsx?|mjs)$/;

/** What to do about a violation, by the name of its rule; any other rule is a row of the table. */
const REMEDIES: Readonly<Record<string, string>> = {
  "nothing imports a test": "move what both need into a folder `testing`",
  "every import resolves": "mend the path, or add the package to the package.json of the workspace",
  "chat: every folder has a row": "add the folder to CHAT_FOLDERS in .dependency-cruiser.mjs",
};
const ROW_REMEDY =
  "move the code, pass it in from a zone that may import both, or extend the row in .dependency-cruiser.mjs and ARCHITECTURE.md";

/** Reads what `args` name and reports the violations, and which of the sources were not read or are in no zone. */
async function cruise(root: string, args: readonly string[], sources: readonly string[]): Promise<string[]> {
  const options = ["--config", ".dependency-cruiser.mjs", "--output-type", "json"];
  const program = "dependency-cruiser/bin/dependency-cruiser.mjs";
  const { code, stdout, output } = await runTool(program, [...options, ...args], { cwd: root });
  if (!stdout.startsWith("{")) return [`dependency-cruiser ended with code ${code}: ${output}`];
  const { modules, summary } = JSON.parse(stdout) as Cruise;
  const problems = summary.violations.map(
    ({ from, to, rule }) => `${rule.name}: ${from} -> ${to}; ${REMEDIES[rule.name] ?? ROW_REMEDY}`,
  );
  const read = new Set(modules.map((module) => module.source));
  const zones = Object.values(ZONES).map((zone) => new RegExp(`^${zone.path}`));
  for (const file of sources) {
    // Declaration files are only read when something imports them.
    if (!read.has(file) && !file.endsWith(".d.ts"))
      problems.push(`${file} was not read; take it out of options.exclude in .dependency-cruiser.mjs`);
    if (!zones.some((zone) => zone.test(file)))
      problems.push(
        `${file} is in no zone of the table; move it into a folder of one, or add one to ZONES in .dependency-cruiser.mjs`,
      );
  }
  return problems;
}

/** The import table of `.dependency-cruiser.mjs`. A file that no row covers, or that was not read, is a problem too. */
export const imports: Check = {
  name: "import table",
  run(root) {
    const files = FOLDERS.flatMap((folder) => filesUnder(`${root}/${folder}`));
    const sources = files.map((file) => relative(root, file).replaceAll("\\", "/"));
    return cruise(
      root,
      FOLDERS,
      sources.filter((file) => SOURCE.test(file)),
    );
  },
  async runOn(root, files) {
    const sources = files.filter((file) => /^(?:packages|tools)\//.test(file) && SOURCE.test(file));
    if (sources.length === 0) return [];
    // Each rule is about an import of a file itself, so what it imports need not be read further.
    return cruise(root, ["--max-depth", "1", ...sources], sources);
  },
};
