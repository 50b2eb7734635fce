import type { Report } from "@parley/reliability/faults/report";
import { installBrowser } from "./install-browser.ts";
import { runBrowserSpecs } from "./test-runners.ts";
import { buildWeb } from "./web-build.ts";

/** Files with tests that `npm test` leaves out or shortens. */
const SPECS = [
  "tab-death",
  "storage",
  "tabs",
  "server-restore",
  "soak",
  "screens",
  "admin-screens",
  "badges",
  "long-timeline",
  "bans-and-notices",
  "desktop",
  "devices",
  "main-menu",
  "register",
  "sign-in",
  "viewer",
].map((name) => `packages/e2e/tests/${name}.spec.ts`);

/** Runs the tests of browser faults (K28 to K31, K34), and the tests of screens and long runs, in full size. */
export async function runBrowserBattery(seed: number): Promise<Report> {
  await installBrowser();
  await buildWeb();
  const env = { PARLEY_FAULTS: "full", SEED: String(seed) };
  const { passed, failed, done } = await runBrowserSpecs([...SPECS, "--retries=0"], env);
  return {
    name: "K28-K31, K34, screens and long runs in a browser",
    done: [`${passed.length} tests`, ...done].join(", "),
    violations: failed,
  };
}
