import type { Report } from "@parley/server/testing/faults/report";
import { installBrowser } from "./install-browser.ts";
import { runBrowserSpecs } from "./test-runners.ts";
import { buildWeb } from "./web-build.ts";

const SPECS = ["tab-death", "storage", "tabs", "restored"].map(
  (name) => `packages/e2e/tests/${name}.spec.ts`,
);

/** Faults of browsers in a real one (K28 to K31, K34), with what is too long for every run. */
export async function runBrowserBattery(seed: number): Promise<Report> {
  await installBrowser();
  await buildWeb();
  const env = { PARLEY_FAULTS: "full", SEED: String(seed) };
  const { passed, failed, done } = await runBrowserSpecs([...SPECS, "--retries=0"], env);
  return {
    name: "K28-K31, K34 in a browser",
    done: [`${passed.length} tests`, ...done].join(", "),
    violations: failed,
  };
}
