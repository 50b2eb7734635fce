/** `npm run bench`: measures the figures, prints one table, and fails when a limit is exceeded. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import type { Bench, Figure, Row } from "./figure.ts";
import { holds } from "./figure.ts";
import { coreInbox } from "./figures/core-inbox.ts";
import { groupCommit } from "./figures/group-commit.ts";
import { groupFanout } from "./figures/group-fanout.ts";
import { sendCost } from "./figures/send-cost.ts";
import { sockets } from "./figures/sockets.ts";
import { webStart } from "./figures/web-start.ts";
import { writeReport } from "./report.ts";
import { plainTable } from "./table.ts";

const FIGURES: readonly Figure[] = [sendCost, groupCommit, groupFanout, sockets, coreInbox, webStart];
const names = FIGURES.map((figure) => figure.name).join(", ");
const usage = `npm run bench -- [--only name | --write] [--profile folder]
  --only     one figure: ${names}
  --write    rewrites docs/benchmarks.md
  --profile  writes CPU profiles of the server there
`;

/** On the disk of the checkout: a temporary folder may live in memory, where a commit costs nothing. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache", import.meta.url));
const cleanUps: (() => Promise<void> | void)[] = [];

async function cleanUp(): Promise<void> {
  for (let next = cleanUps.pop(); next !== undefined; next = cleanUps.pop()) await next();
}

async function measure(figure: Figure, profileFolder: string | null): Promise<Row[]> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `bench-${figure.name}-`));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const bench: Bench = {
    folder,
    profileFolder,
    say: (text) => console.error(text),
    onEnd: (run) => void cleanUps.push(run),
  };
  try {
    return await figure.measure(bench);
  } finally {
    await cleanUp();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      write: { type: "boolean" },
      profile: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const chosen =
    values.only === undefined ? FIGURES : FIGURES.filter((figure) => figure.name === values.only);
  // The page holds all figures of one run or none.
  const isPartial = values.write === true && values.only !== undefined;
  if (values.help === true || chosen.length === 0 || isPartial) {
    console.error(usage);
    return values.help === true ? 0 : 1;
  }
  if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });
  const rows: Row[] = [];
  for (const figure of chosen) rows.push(...(await measure(figure, values.profile ?? null)));
  console.log(plainTable(rows));
  if (values.write === true) writeReport(rows);
  const broken = rows.filter((row) => !holds(row));
  for (const row of broken) console.error(`over its limit: ${row.what}`);
  return broken.length === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
process.exitCode = await main();
