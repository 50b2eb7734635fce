/** The batteries of what lies between a client and its server, with their full numbers. */
import { DEEDS, runLostAnswers } from "./lost-answers.ts";
import { inFolder, onServer } from "./on-server.ts";
import { OPERATIONS } from "./operations.ts";
import { runPullCuts } from "./pull-cuts.ts";
import type { Battery } from "./report.ts";
import { runSlowReaders } from "./slow-readers.ts";
import { runStorm } from "./storm.ts";

export const NETWORK: Record<string, Battery> = {
  K19: () => onServer((url) => runSlowReaders({ url, rates: [1_000, 0], messages: 1_500 })),
  K20: (seed) => onServer((url) => runPullCuts({ url, seed, rows: 200, every: 1 })),
  K21: () => onServer((url) => runLostAnswers({ url, operations: OPERATIONS, deeds: DEEDS })),
  K23: (seed) => inFolder((dataDir) => runStorm({ dataDir, clients: 1_000, storms: 5, seed })),
};
