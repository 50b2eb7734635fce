/** Every battery of faults with its full numbers, for `npm run test:full`. */
import { reportCrash } from "./crash.ts";
import { runDiskErrors } from "./faults/disk-errors.ts";
import { runMigrations } from "./faults/migrations.ts";
import { NETWORK } from "./faults/network.ts";
import { inFolder } from "./faults/on-server.ts";
import { OPERATIONS } from "./faults/operations.ts";
import { runPowerCut } from "./faults/power-cut.ts";
import type { Battery } from "./faults/report.ts";
import { everyStop, runStops } from "./faults/stops.ts";

/** Passes of one stop point within one write: a group's members are told one after the other. */
const PASSES_MAX = 4;

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

export const BATTERIES: Record<string, Battery> = {
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
  K5: (seed) => inFolder((dataDir) => runPowerCut({ dataDir, seed, seconds: 8, images: 500, senders: 8 })),
  ...NETWORK,
  K6: () => inFolder((dataDir) => runDiskErrors({ dataDir, syncs: upTo(200), writes: upTo(200) })),
  K33: () => inFolder((dataDir) => runMigrations({ dataDir, every: 1, pairs: 40 })),
};
