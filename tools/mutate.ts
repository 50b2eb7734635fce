// Plants small faults in the product's code, one at a time, and tells which of them no test notices. `npm run mutate -- model --sample 100
// --seed 7` takes a hundred of one area; any other word is a part of the paths that are mutated.
import { parseArgs } from "node:util";
import { repository } from "./lib/files.ts";
import { mutate } from "./mutation/mutate-command.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string" }, seed: { type: "string", default: "1" } },
});
const wish = { filters: positionals, seed: Number(values.seed) };
process.exitCode = await mutate(
  repository,
  values.sample === undefined ? wish : { ...wish, sample: Number(values.sample) },
);
