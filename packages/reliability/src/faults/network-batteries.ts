/** The batteries of network faults, with their full numbers. */
import { JUMPS, runClockJumps } from "./clock-jumps.ts";
import { stopAllDevices } from "./client-device.ts";
import { runTokenExpiry } from "./token-expiry.ts";
import { runFlappingNetwork } from "./flapping-network.ts";
import { FOREIGN_RESPONSES, runForeignResponses } from "./foreign-responses.ts";
import { runServerFreezes, runServerShutdowns } from "./server-freezes.ts";
import { CLIENT_ACTIONS, runLostResponses } from "./lost-responses.ts";
import { withTempFolder, withClockServer, withServer } from "./with-server.ts";
import { NODE_FAULTS, REDIS_FAULTS, ROLLING_RESTART, runNodeFaults } from "./node-faults.ts";
import { runNodeCalls } from "./node-calls.ts";
import { NoPreviousVersionError, unpackPreviousVersion } from "./previous-version.ts";
import { OPERATIONS } from "./operations.ts";
import { runInterruptedUploads } from "./interrupted-uploads.ts";
import { runInterruptedPulls } from "./interrupted-pulls.ts";
import { runReorderedFrames } from "./reordered-frames.ts";
import type { Battery, Report } from "./report.ts";
import { runSlowReaders } from "./slow-readers.ts";
import { runReconnectStorm } from "./reconnect-storm.ts";

const NODES = { nodes: 2, clients: 40, rounds: 5, timerSpeed: 10 };

const BATTERIES: Record<string, Battery> = {
  K3: (seed) => withTempFolder((dataDir) => runServerShutdowns({ dataDir, times: 20, seed })),
  K4: () => withServer((_url, server) => runServerFreezes({ server, seconds: [5, 20, 70], timerSpeed: 1 })),
  K14: (seed) =>
    withTempFolder((dataDir) =>
      runNodeFaults({
        ...NODES,
        dataDir,
        seed,
        name: "K14 Redis fails",
        faults: REDIS_FAULTS,
        mayHappen: [],
      }),
    ),
  K16: (seed) =>
    withTempFolder((dataDir) =>
      runNodeFaults({
        ...NODES,
        nodes: 3,
        dataDir,
        seed,
        name: "K15 K16 nodes or PostgreSQL fail",
        faults: NODE_FAULTS,
        mayHappen: ["disconnects", "failed sends"],
      }),
    ),
  ROLLING: runRollingRestarts,
  K35: (seed) =>
    withTempFolder((dataDir) =>
      runNodeCalls({ dataDir, nodes: 3, clients: 40, kills: 20, timerSpeed: 5, seed }),
    ),
  K18: () => withClockServer((server) => runClockJumps({ server, byMs: JUMPS })),
  K19: () => withServer((url) => runSlowReaders({ url, rates: [1_000, 0], messagesMax: 5_000 })),
  K20: (seed) => withServer((url) => runInterruptedPulls({ url, seed, rows: 200, every: 1 })),
  K21: () =>
    withServer((url) => runLostResponses({ url, operations: OPERATIONS, clientActions: CLIENT_ACTIONS })),
  K22: (seed) => withServer((url) => runReorderedFrames({ url, seed, scenarios: 30, actions: 150 })),
  K23: (seed) =>
    withTempFolder((dataDir) =>
      runReconnectStorm({ dataDir, clients: 1_000, storms: 5, timerSpeed: 5, seed }),
    ),
  K24: (seed) => withServer((url) => runFlappingNetwork({ url, seed, minutes: 5, timerSpeed: 10 })),
  K25: () => withServer((url) => runForeignResponses({ url, answers: FOREIGN_RESPONSES })),
  K27: () =>
    withTempFolder((dataDir) =>
      runInterruptedUploads({ dataDir, percents: [1, 10, 50, 90, 99, 100], rounds: 5, bytes: 4_000_000 }),
    ),
  K26: () => withClockServer((server) => runTokenExpiry({ server, rounds: 20, calls: 20 })),
};

const ROLLING_NAME = "K16 rolling restart from the previous version";

/** The first restart is from the previous version to this one, the others from this one to itself. */
async function runRollingRestarts(seed: number): Promise<Report> {
  return withTempFolder((dataDir) =>
    withTempFolder(async (folder) => {
      try {
        const previous = await unpackPreviousVersion(folder, process.env["PREVIOUS"] || undefined);
        return await runNodeFaults({
          ...NODES,
          rounds: 3,
          dataDir,
          seed,
          previous,
          name: ROLLING_NAME,
          faults: ROLLING_RESTART,
          mayHappen: ["disconnects"],
        });
      } catch (error) {
        if (!(error instanceof NoPreviousVersionError)) throw error;
        return { name: ROLLING_NAME, done: "nothing", violations: [], skipped: error.message };
      }
    }),
  );
}

/** Stops all devices after each battery, also after an aborted one. */
export const NETWORK_BATTERIES: Record<string, Battery> = Object.fromEntries(
  Object.entries(BATTERIES).map(([name, battery]) => [
    name,
    (seed: number) => battery(seed).finally(stopAllDevices),
  ]),
);
