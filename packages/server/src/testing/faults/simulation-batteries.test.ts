import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { simulate } from "../simulation/simulate.ts";
import { createStoreTemplate } from "../simulation/store-template.ts";
import { REGRESSION_SEEDS, runPlantedBugs, runSimulationBattery } from "./simulation-batteries.ts";

const TIMEOUT_MS = 600_000;
const STEPS = 300;

test(
  "SIM the invariants hold at every step of simulated runs with all faults, and all devices converge",
  async () => {
    const { done, violations } = await runSimulationBattery({ seed: 1, count: 24, steps: STEPS });
    process.stdout.write(`SIM ${done}\n`);
    expect(violations).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "SIM the same seed gives the same run",
  async () => {
    const template = await createStoreTemplate();
    try {
      const play = () => simulate({ seed: 3, steps: 60 }, template);
      const [first, second] = [await play(), await play()];
      expect(first.trace).not.toBe(0);
      expect(second).toEqual(first);
    } finally {
      rmSync(template, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);

test(
  "SIM seeds that failed once pass",
  async () => {
    for (const { seed, steps, was } of REGRESSION_SEEDS) {
      const { violations } = await runSimulationBattery({ seed, count: 1, steps });
      expect(violations, was).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

/** Those that take few seeds; all are in `npm run test:full`. */
const QUICK = [
  "a message is told before it is committed",
  "(sendId, tmpId) is not unique",
  "somebody else hears",
  "a quote is not checked",
];

test(
  "SIM-BUGS planted bugs are found",
  async () => {
    const { done, violations } = await runPlantedBugs({ seed: 1, seedsMax: 20, steps: STEPS, names: QUICK });
    process.stdout.write(`SIM-BUGS ${done}\n`);
    expect(violations).toEqual([]);
  },
  TIMEOUT_MS,
);
