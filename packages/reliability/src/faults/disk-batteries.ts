/** The batteries of disk faults, with their full numbers. */
import { runDatabaseDamage } from "./database-damage.ts";
import { runDiskErrors } from "./disk-errors.ts";
import { runDiskFull } from "./disk-full.ts";
import { runLockedDatabase } from "./locked-database.ts";
import { withTempFolder } from "./with-server.ts";
import { runPowerCut } from "./power-cut.ts";
import { runCorruptRows } from "./corrupt-rows.ts";
import type { Battery } from "./report.ts";
import { runTwoServers } from "./two-servers.ts";

const numbersUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

export const DISK_BATTERIES: Record<string, Battery> = {
  K5: (seed) =>
    withTempFolder((dataDir) =>
      runPowerCut({ dataDir, seed, messages: 10_000, uploads: 80, senders: 8, images: 500 }),
    ),
  K6: () =>
    withTempFolder((dataDir) =>
      runDiskErrors({ dataDir, syncs: numbersUpTo(200), writes: numbersUpTo(200) }),
    ),
  K7: (seed) => runDiskFull({ seed, rounds: 100, freeBytes: 17_000_000 }),
  K8: () => withTempFolder((dataDir) => runLockedDatabase({ dataDir, reads: 100, untilRefused: true })),
  K9: (seed) => withTempFolder((dataDir) => runDatabaseDamage({ dataDir, seed, copies: 40 })),
  K10: () => withTempFolder((dataDir) => runTwoServers({ dataDir, rounds: 20, servers: 3 })),
  K38: () => withTempFolder((dataDir) => runCorruptRows({ dataDir, messages: 100 })),
};
