/** The batteries that need a browser, in full size, for `npm run test:full`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import type { Battery } from "@parley/reliability/faults/report";
import { completeBrowser } from "./browsers.ts";
import { runCallCycles } from "./call-cycles.ts";
import { runFirefoxCall } from "./other-browsers/firefox-call.ts";
import { ifInstalled, runOtherBrowser } from "./other-browsers/other-browsers.ts";
import { runSoak } from "./soak.ts";

/** `SOAK_MINUTES=6 npm run test:full -- SOAK` runs a shorter soak test. */
const soakMinutes = Number(process.env["SOAK_MINUTES"] ?? 30);

/** `CALLS=10 npm run test:full -- CALLS` makes fewer calls. */
const callCycles = Number(process.env["CALLS"] ?? 100);

/** The batteries by id. */
export const BROWSER_BATTERIES: Record<string, Battery> = {
  SOAK: () =>
    withBrowser((browser, dataDir) =>
      runSoak(browser, { dataDir, chats: 20, messagesPerChat: 60, minutes: soakMinutes }),
    ),
  CALLS: () => withBrowser((browser) => runCallCycles(browser, callCycles)),
  FIREFOX: () => runOtherBrowser("FIREFOX"),
  WEBKIT: () => runOtherBrowser("WEBKIT"),
  "FIREFOX-CALL": () => ifInstalled("FIREFOX-CALL", () => withBrowser(runFirefoxCall)),
};

/** Calls `run` with the browser of the browser tests and a data folder for a server. Closes and removes both afterwards. */
async function withBrowser<T>(run: (browser: Browser, dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  const browser = await chromium.launch(completeBrowser());
  try {
    return await run(browser, dataDir);
  } finally {
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
