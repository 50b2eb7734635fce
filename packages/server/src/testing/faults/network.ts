/** The batteries of what lies between a client and its server, with their full numbers. */
import { JUMPS, runClockJumps } from "./clock-jumps.ts";
import { stopDevices } from "./core-device.ts";
import { runExpiry } from "./expiry.ts";
import { runFlapping } from "./flapping.ts";
import { FOREIGN, runForeignAnswers } from "./foreign-answers.ts";
import { runFreezes, runShutdowns } from "./freezes.ts";
import { DEEDS, runLostAnswers } from "./lost-answers.ts";
import { inFolder, onClockServer, onServer } from "./on-server.ts";
import { OPERATIONS } from "./operations.ts";
import { runPullCuts } from "./pull-cuts.ts";
import { runReplays } from "./replays.ts";
import type { Battery } from "./report.ts";
import { runSlowReaders } from "./slow-readers.ts";
import { runStorm } from "./storm.ts";

const BATTERIES: Record<string, Battery> = {
  K3: (seed) => inFolder((dataDir) => runShutdowns({ dataDir, times: 20, seed })),
  K4: () => onServer((_url, server) => runFreezes({ server, seconds: [5, 20, 70], haste: 1 })),
  K18: () => onClockServer((server) => runClockJumps({ server, byMs: JUMPS })),
  K19: () => onServer((url) => runSlowReaders({ url, rates: [1_000, 0], mostMessages: 5_000 })),
  K20: (seed) => onServer((url) => runPullCuts({ url, seed, rows: 200, every: 1 })),
  K21: () => onServer((url) => runLostAnswers({ url, operations: OPERATIONS, deeds: DEEDS })),
  K22: (seed) => onServer((url) => runReplays({ url, seed, worlds: 30, deeds: 150 })),
  K23: (seed) => inFolder((dataDir) => runStorm({ dataDir, clients: 1_000, storms: 5, haste: 5, seed })),
  K24: (seed) => onServer((url) => runFlapping({ url, seed, minutes: 5, haste: 10 })),
  K25: () => onServer((url) => runForeignAnswers({ url, answers: FOREIGN })),
  K26: () => onClockServer((server) => runExpiry({ server, rounds: 20, calls: 20 })),
};

/** A run that breaks off leaves no client behind. */
export const NETWORK: Record<string, Battery> = Object.fromEntries(
  Object.entries(BATTERIES).map(([name, battery]) => [
    name,
    (seed: number) => battery(seed).finally(stopDevices),
  ]),
);
