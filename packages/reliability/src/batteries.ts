/** All batteries with their full numbers, for `npm run test:full`. */
import { reportCrashRecovery } from "./crash-recovery.ts";
import { DISK_BATTERIES } from "./faults/disk-batteries.ts";
import { stopAllDevices } from "./faults/client-device.ts";
import { runFileDescriptors } from "./faults/file-descriptors.ts";
import { runGroupCommitKills } from "./faults/group-commit-kills.ts";
import { runInterruptedMigrations } from "./faults/interrupted-migrations.ts";
import { runUnfinishedUploads } from "./faults/unfinished-uploads.ts";
import { NETWORK_BATTERIES } from "./faults/network-batteries.ts";
import { withTempFolder } from "./faults/with-server.ts";
import { OPERATIONS } from "./faults/operations.ts";
import type { Battery } from "./faults/report.ts";
import { runScenarioBattery } from "./faults/scenario-battery.ts";
import { SIMULATION_BATTERIES } from "./faults/simulation-batteries.ts";
import { everyFailpoint, runFailpointKills } from "./faults/failpoint-kills.ts";
import { FUZZ_BATTERIES } from "./faults/fuzz-batteries.ts";
import { leakedSecrets } from "@parley/server/testing/server-process";

/** How many passes of one failpoint within one write are tried: a group write passes some points once per member. */
const PASSES_MAX = 4;

const ALL_BATTERIES: Record<string, Battery> = {
  K1: (seed) =>
    withTempFolder((dataDir) =>
      reportCrashRecovery({ dataDir, cycles: 200, acknowledged: 50_000, senders: 8, groupSenders: 4, seed }),
    ),
  K2: () =>
    withTempFolder((dataDir) =>
      runFailpointKills({
        dataDir,
        operations: OPERATIONS,
        killsOf: (_operation, passCounts) => everyFailpoint(passCounts, PASSES_MAX),
      }),
    ),
  "K2-GROUP": (seed) => withTempFolder((dataDir) => runGroupCommitKills({ dataDir, seed, kills: 100 })),
  ...DISK_BATTERIES,
  ...NETWORK_BATTERIES,
  ...FUZZ_BATTERIES,
  ...SIMULATION_BATTERIES,
  SCENARIOS: (seed) => runScenarioBattery({ seed, count: Number(process.env["SCENARIO_COUNT"] ?? 10_000) }),
  "K27-SERVER": () => withTempFolder((dataDir) => runUnfinishedUploads({ dataDir, rounds: 10 })),
  K33: () => withTempFolder((dataDir) => runInterruptedMigrations({ dataDir, every: 1, pairs: 40 })),
  K37: () =>
    withTempFolder((dataDir) => runFileDescriptors({ dataDir, limit: 256, messages: 200 })).finally(
      stopAllDevices,
    ),
};

/** INV10: adds a violation for each secret in the log of any server that the battery started, at log level debug. */
function withLogScan(run: Battery): Battery {
  return async (seed) => {
    process.env["TEST_LOG_LEVEL"] = "debug";
    leakedSecrets.length = 0;
    const report = await run(seed);
    const leaks = leakedSecrets.map((line) => `a log contains a secret: ${line.slice(0, 300)}`);
    return { ...report, violations: [...report.violations, ...leaks] };
  };
}

export const BATTERIES: Record<string, Battery> = Object.fromEntries(
  Object.entries(ALL_BATTERIES).map(([name, run]) => [name, withLogScan(run)]),
);
