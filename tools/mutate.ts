// Plants small faults in the product's code, one at a time, and reports those that no test notices. `npm run mutate -- model --sample 100
// --seed 7` takes a hundred of one area. Any other argument is a part of the paths to mutate.
import { parseArgs } from "node:util";
import { repository } from "./lib/files.ts";
import { mutate } from "./mutation/mutate-command.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string" }, seed: { type: "string", default: "1" } },
});
const options = { filters: positionals, seed: Number(values.seed) };
process.exitCode = await mutate(
  repository,
  values.sample === undefined ? options : { ...options, sample: Number(values.sample) },
);
