import { expect, test } from "vitest";
import { runScenarioBattery } from "./scenario-battery.ts";

test("SCENARIOS a seed that fails is reported with the command that repeats it", async () => {
  const { violations } = await runScenarioBattery({ seed: 1, count: 2, faults: ["lossyPull"] });
  expect(violations[0]).toMatch(/^seed (\d): .*\n {2}ADDED=.* SEED=\1 npx vitest run /s);
});
