import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { runSim } from "../sim/run.ts";
import { makeTemplate } from "../sim/template.ts";
import { KEPT, runPlanted, runSimulation } from "./simulation.ts";

const TIMEOUT_MS = 600_000;
const STEPS = 300;

test(
  "SIM what people were promised holds in simulated worlds, with all faults at every step, and all is equal at rest",
  async () => {
    const { done, violations } = await runSimulation({ seed: 1, count: 24, steps: STEPS });
    process.stdout.write(`SIM ${done}\n`);
    expect(violations).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "SIM the same seed gives the same run",
  async () => {
    const template = await makeTemplate();
    try {
      const play = () => runSim({ seed: 3, steps: 60 }, template);
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
  "SIM what failed once fails no more",
  async () => {
    for (const { seed, steps, was } of KEPT) {
      const { violations } = await runSimulation({ seed, count: 1, steps });
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
    const { done, violations } = await runPlanted({ seed: 1, seedsMax: 20, steps: STEPS, names: QUICK });
    process.stdout.write(`SIM-BUGS ${done}\n`);
    expect(violations).toEqual([]);
  },
  TIMEOUT_MS,
);
