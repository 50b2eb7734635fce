/** The batteries of what happens to the disk below a server, with their full numbers. */
import { runDamage } from "./damage.ts";
import { runDiskErrors } from "./disk-errors.ts";
import { runDiskFull } from "./disk-full.ts";
import { runHeldDatabase } from "./held-database.ts";
import { inFolder } from "./on-server.ts";
import { runPowerCut } from "./power-cut.ts";
import { runPoison } from "./poison.ts";
import type { Battery } from "./report.ts";
import { runTwoServers } from "./two-servers.ts";

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

export const DISK: Record<string, Battery> = {
  K5: (seed) =>
    inFolder((dataDir) =>
      runPowerCut({ dataDir, seed, messages: 10_000, uploads: 80, senders: 8, images: 500 }),
    ),
  K6: () => inFolder((dataDir) => runDiskErrors({ dataDir, syncs: upTo(200), writes: upTo(200) })),
  K7: (seed) => runDiskFull({ seed, rounds: 100, room: 17_000_000 }),
  K8: () => inFolder((dataDir) => runHeldDatabase({ dataDir, reads: 100, isRefusing: true })),
  K9: (seed) => inFolder((dataDir) => runDamage({ dataDir, seed, copies: 40 })),
  K10: () => inFolder((dataDir) => runTwoServers({ dataDir, rounds: 20, servers: 3 })),
  K38: () => inFolder((dataDir) => runPoison({ dataDir, messages: 100 })),
};
