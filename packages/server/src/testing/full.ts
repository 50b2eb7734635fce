/** Every battery of faults with its full numbers, for `npm run test:full`. */
import { reportCrash } from "./crash.ts";
import { DISK } from "./faults/disk.ts";
import { runGroupCommits } from "./faults/group-commit.ts";
import { runMigrations } from "./faults/migrations.ts";
import { NETWORK } from "./faults/network.ts";
import { inFolder } from "./faults/on-server.ts";
import { OPERATIONS } from "./faults/operations.ts";
import type { Battery } from "./faults/report.ts";
import { SIMULATION } from "./faults/simulation.ts";
import { everyStop, runStops } from "./faults/stops.ts";
import { STORMS } from "./faults/storms.ts";
import { toldSecrets } from "./server-process.ts";

/** Passes of one stop point within one write: a group's members are told one after the other. */
const PASSES_MAX = 4;

const ALL: Record<string, Battery> = {
  K1: (seed) =>
    inFolder((dataDir) =>
      reportCrash({ dataDir, cycles: 200, acknowledged: 50_000, senders: 8, groupSenders: 4, seed }),
    ),
  K2: () =>
    inFolder((dataDir) =>
      runStops({
        dataDir,
        operations: OPERATIONS,
        stopsOf: (_operation, passes) => everyStop(passes, PASSES_MAX),
      }),
    ),
  "K2-GROUP": (seed) => inFolder((dataDir) => runGroupCommits({ dataDir, seed, kills: 100 })),
  ...DISK,
  ...NETWORK,
  ...STORMS,
  ...SIMULATION,
  K33: () => inFolder((dataDir) => runMigrations({ dataDir, every: 1, pairs: 40 })),
};

/** INV10: whatever else a battery is about, no server of it may tell a secret, however much it logs. */
function listenedTo(run: Battery): Battery {
  return async (seed) => {
    process.env["TEST_LOG_LEVEL"] = "debug";
    toldSecrets.length = 0;
    const report = await run(seed);
    const told = toldSecrets.map((line) => `a log tells a secret: ${line.slice(0, 300)}`);
    return { ...report, violations: [...report.violations, ...told] };
  };
}

export const BATTERIES: Record<string, Battery> = Object.fromEntries(
  Object.entries(ALL).map(([name, run]) => [name, listenedTo(run)]),
);
